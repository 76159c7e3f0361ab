"""Constants by a short name."""

from __future__ import annotations

import pytest

from memgardend.core.fingerprint import fingerprint


def test_it_is_the_same_everywhere() -> None:
    """Written down here: stores remember it from one version of Python to the next."""
    assert fingerprint(1, 0.3, "a", ("b", None)) == "443b9835"


@pytest.mark.parametrize("other", [(2, 0.3), (1, 0.31), (0.3, 1), (1, 0.3, 0), (1, "0.3"), ()])
def test_other_constants_have_another(other: tuple[object, ...]) -> None:
    assert fingerprint(*other) != fingerprint(1, 0.3)
