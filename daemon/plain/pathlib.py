"""Paths as a hook uses them; whatever else one is asked for, a path of the real `pathlib` does."""

# What stands in for pathlib cannot use it:
# ruff: noqa: PTH109, PTH110, PTH111, PTH116, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memgardend.daemon.plain import real

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNQUOTED = frozenset(f"{_LETTERS}{_LETTERS.upper()}0123456789/_.-~")
"""What stands in a URI as it is (RFC 3986, sections 2.3 and 3.3)."""


class Path:
    """A path of a POSIX system; of its methods those that a hook calls."""

    __slots__ = ("_text",)

    def __init__(self, *parts: str | os.PathLike[str]) -> None:
        text = os.path.join(*parts)
        names = "/".join(name for name in text.split("/") if name not in ("", "."))
        self._text = f"/{names}" if text.startswith("/") else names or "."

    @classmethod
    def home(cls) -> Path:
        return cls(os.path.expanduser("~"))

    @property
    def name(self) -> str:
        return "" if self._text == "." else os.path.basename(self._text)

    @property
    def parent(self) -> Path:
        return Path(os.path.dirname(self._text))

    @property
    def parents(self) -> tuple[Path, ...]:
        return () if self.parent == self else (self.parent, *self.parent.parents)

    def is_absolute(self) -> bool:
        return self._text.startswith("/")

    def absolute(self) -> Path:
        return self if self.is_absolute() else Path(os.getcwd(), self._text)

    def as_uri(self) -> str:
        plain = self.is_absolute() and _UNQUOTED.issuperset(self._text)
        return f"file://{self._text}" if plain else self._real().as_uri()

    def exists(self) -> bool:
        return os.path.exists(self._text)

    def stat(self) -> os.stat_result:
        return os.stat(self._text)

    def iterdir(self) -> Iterator[Path]:
        return (self / name for name in os.listdir(self._text))

    def read_bytes(self) -> bytes:
        with open(self._text, "rb") as stream:
            return stream.read()

    def __truediv__(self, name: str) -> Path:
        return Path(self._text, name)

    def __fspath__(self) -> str:
        return self._text

    __str__ = __fspath__

    def __bytes__(self) -> bytes:
        return os.fsencode(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: Path) -> bool:
        return self._text < other._text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real(), name)

    def _real(self) -> Any:
        return real("pathlib").Path(self._text)
