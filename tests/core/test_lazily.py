"""Packages that import what they offer when it is asked for offer just what they say."""

from importlib import import_module
from types import ModuleType

import pytest

from memgardend.core import ports, records, words
from memgardend.daemon import store


@pytest.mark.parametrize("package", [ports, records, store, words], ids=lambda one: one.__name__)
def test_all_that_a_package_says_is_there(package: ModuleType) -> None:
    for name in package.__all__:
        value = getattr(package, name)
        assert getattr(import_module(getattr(value, "__module__", package.__name__)), name, value)


def test_a_wrong_name_is_said_as_for_any_package() -> None:
    with pytest.raises(
        AttributeError, match=r"'memgardend\.core\.records' has no attribute 'Memry'"
    ):
        getattr(records, "Memry")  # noqa: B009
