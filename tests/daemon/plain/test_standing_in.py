"""Stand-ins are found by what is imported after them, the real modules by the code of others."""

from __future__ import annotations

import sys
import typing
from importlib import import_module

import pytest

from memgardend.daemon import plain
from memgardend.daemon.plain import typing as plain_typing

NAMES = ("dataclasses", "pathlib", "typing")


@pytest.fixture
def none_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has imported none of them yet."""
    for name in list(sys.modules):
        if name.partition(".")[0] in NAMES:  # in some versions a package, with what is in it
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(plain, "_ours", {})
    monkeypatch.setattr(plain, "_real", {})


def found() -> dict[str, str]:
    """What somebody finds who imports them."""
    return {name: import_module(name).__name__ for name in NAMES}


@pytest.mark.usefixtures("none_loaded")
def test_each_takes_the_place_of_the_one_of_its_name_and_steps_aside_for_others() -> None:
    plain.stand_in()
    ours = {name: f"memgardend.daemon.plain.{name}" for name in NAMES}
    assert found() == ours
    for _ in range(2):
        with plain.aside():
            assert found() == {name: name for name in NAMES}
            first = sys.modules["typing"]
            assert plain.real("typing") is first, "who steps aside twice comes back once"
            assert found() == {name: name for name in NAMES}
        assert found() == ours
    assert plain.real("typing") is first, "once is enough"


def test_none_takes_the_place_of_one_that_is_there() -> None:
    plain.stand_in()
    assert found() == {name: name for name in NAMES}


@pytest.mark.usefixtures("none_loaded")
def test_what_the_plain_typing_lacks_the_real_one_gives() -> None:
    plain.stand_in()
    assert import_module("typing").TypedDict is import_module("typing").TypedDict
    assert import_module("typing").TypedDict.__module__ == "typing"


@pytest.mark.usefixtures("none_loaded")
def test_an_import_of_what_it_has_leaves_the_real_one_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain_typing, "real", pytest.fail)
    plain.stand_in()
    from typing import cast

    assert cast is plain_typing.cast


def test_what_the_plain_typing_has_does_what_our_modules_need_of_it() -> None:
    assert not plain_typing.TYPE_CHECKING
    assert plain_typing.cast("list[str]", one := ["a"]) is one
    assert plain_typing.Optional is typing.Optional

    class Named(plain_typing.Protocol):
        name: str

    assert Named.__bases__ == (plain_typing.Protocol,)
    with pytest.raises(AttributeError, match="'typing' has no attribute '__path__'"):
        plain_typing.__path__  # noqa: B018
