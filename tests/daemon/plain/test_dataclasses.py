"""The stand-in for dataclasses makes records that behave as those do."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import pytest

from memgardend.daemon.plain import dataclasses as plain

Made = tuple[ModuleType, Any, Any]


@pytest.fixture(params=[dataclasses, plain], ids=["dataclasses", "plain"])
def made(request: pytest.FixtureRequest) -> Made:
    """A module, a record of it, and one that inherits."""
    module: Any = request.param

    @module.dataclass(frozen=True, slots=True, kw_only=True)
    class Point:
        """A place."""

        x: int
        y: int = 2
        tags: dict[str, int] = module.field(default_factory=dict)

        @property
        def sum(self) -> int:
            return self.x + self.y

    @module.dataclass(frozen=True, slots=True)
    class Pair:
        left: Any
        right: Any = None

    return module, Point, Pair


def test_values_defaults_and_methods(made: Made) -> None:
    _, point, pair = made
    one = point(x=1)
    assert (one.x, one.y, one.tags, one.sum) == (1, 2, {}, 3)
    assert one.tags is not point(x=1).tags
    assert pair("a").right is None
    assert pair("a", "b").right == pair(left="a", right="b").right == "b"
    assert not hasattr(one, "__dict__")
    assert repr(one).endswith("Point(x=1, y=2, tags={})")


def test_equality_and_hashes(made: Made) -> None:
    _, point, pair = made
    assert point(x=1) == point(x=1, y=2)
    assert point(x=1) != point(x=2)
    assert pair(1, 2) != (1, 2)
    assert len({pair(1, 2), pair(1, 2), pair(2, 1)}) == 2


def test_what_is_made_of_a_record(made: Made) -> None:
    module, point, pair = made
    assert module.replace(point(x=1), y=5) == point(x=1, y=5)
    assert [one.name for one in module.fields(point)] == ["x", "y", "tags"]
    assert module.asdict(pair(point(x=1), 2)) == {"left": {"x": 1, "y": 2, "tags": {}}, "right": 2}


def test_wrong_arguments(made: Made) -> None:
    _, point, _ = made
    for given in ({}, {"x": 1, "z": 2}):
        with pytest.raises(TypeError, match="argument"):
            point(**given)
