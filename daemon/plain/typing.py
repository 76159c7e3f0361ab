"""What our modules take of `typing`, without its machinery of generic types: at run time nobody looks at those."""

from __future__ import annotations

from memgardend.daemon.plain import real

TYPE_CHECKING = False
Any = object


class Protocol:
    """What a class should have, which checkers see to."""


def cast(_: object, value: object) -> object:
    """The value."""
    return value


def __getattr__(name: str) -> object:
    """Whatever else is asked for; imports ask every module for some names with underscores."""
    if name.startswith("_"):
        raise AttributeError(f"module 'typing' has no attribute {name!r}")
    return getattr(real("typing"), name)
