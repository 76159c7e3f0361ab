"""Records without generated code, for a process that makes few and ends soon.

`dataclasses` compiles six functions for each class, which takes a hook longer than all that it looks up. There
this module stands in for it, with what `core` uses of it. That a record is frozen, nobody enforces; checkers do.
"""

from __future__ import annotations

from typing import Any

_NONE = object()


class Field:
    """What a record is asked for."""

    __slots__ = ("default", "default_factory", "name")

    def __init__(self, default: object = _NONE, default_factory: Any = None) -> None:
        self.name = ""
        self.default = default
        self.default_factory = default_factory

    def value(self) -> object:
        """What it is where nothing was given. Raises TypeError where something must be."""
        if self.default_factory is not None:
            return self.default_factory()
        if self.default is _NONE:
            raise TypeError(f"missing argument: {self.name!r}")
        return self.default


field = Field


def dataclass(cls: type[Any] | None = None, /, **options: bool) -> Any:
    """The class with the methods of a record; always with slots and equality."""
    if cls is None:
        return dataclass
    space = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
    own = tuple(cls.__annotations__)
    known: dict[str, Field] = dict(getattr(cls, "__dataclass_fields__", {}))
    for name in own:
        default = space.pop(name, _NONE)
        known[name] = default if isinstance(default, Field) else Field(default)
        known[name].name = name
    methods = {"__init__": _init, "__repr__": _repr, "__eq__": _eq, "__hash__": _hash}
    space = methods | space | {"__dataclass_fields__": known, "__slots__": own}
    metaclass: Any = type(cls)
    return metaclass(cls.__name__, cls.__bases__, space)


def fields(record: Any) -> tuple[Field, ...]:
    """The fields of a record or its class, in order."""
    return tuple(record.__dataclass_fields__.values())


def replace(record: Any, **changes: object) -> Any:
    """The record with other values."""
    return type(record)(**(_values(record) | changes))


def asdict(record: Any) -> dict[str, Any]:
    """The values of a record by name; records inside become dicts, too."""
    return {
        name: asdict(value) if hasattr(value, "__dataclass_fields__") else value
        for name, value in _values(record).items()
    }


def _values(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _init(self: Any, *args: object, **given: object) -> None:
    known = self.__dataclass_fields__
    given.update(zip(known, args, strict=False))
    if len(given) < len(known):
        given = {name: one.value() for name, one in known.items() if name not in given} | given
    if given.keys() != known.keys():
        raise TypeError(f"unknown arguments: {', '.join(given.keys() - known.keys())}")
    for name, value in given.items():
        setattr(self, name, value)
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in _values(self).items())})"


def _eq(self: Any, other: object) -> bool:
    return type(self) is type(other) and _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(tuple(_values(self).values()))
