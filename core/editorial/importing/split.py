"""Material in pieces that a model reads one by one: nothing is lost between them, nothing is in two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


class ImportUsageError(UsageError, ValueError):
    """An import was asked for in a way that cannot be meant, or goes on where another one stood."""


BATCH_CHARS = 6000
"""Characters of one piece, unless told otherwise."""
MIN_BATCH_CHARS = 200
"""Shorter pieces tear every thought apart."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the material, from `offset` on, and what the host knows of it."""

    offset: int
    text: str
    label: str = ""
    occurred_from: str = ""
    occurred_to: str = ""

    @property
    def end(self) -> int:
        """Where the next piece begins, in characters of the material."""
        return self.offset + len(self.text)

    @property
    def is_blank(self) -> bool:
        """True where there is nothing to read: such a piece is consumed without being shown."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the material that the host has split off itself; it is one piece, however long."""

    text: str
    label: str = ""
    occurred_from: str = ""
    occurred_to: str = ""


def split_material(material: str, batch_chars: int = BATCH_CHARS) -> list[Piece]:
    """Cut the material into pieces of at most `batch_chars`, which joined are the material again.

    A cut falls after the last line break in the second half of a piece, else at its end. Raises
    ImportUsageError for pieces that are too short.
    """
    if batch_chars < MIN_BATCH_CHARS:
        raise ImportUsageError(
            f"batches of {batch_chars} characters are too short to understand",
            hint=f"batch_chars={MIN_BATCH_CHARS} or more",
        )
    pieces: list[Piece] = []
    at = 0
    while at < len(material):
        end = _cut(material, at, at + batch_chars)
        pieces.append(Piece(at, material[at:end]))
        at = end
    return pieces


def lay_out(sections: Iterable[Section]) -> list[Piece]:
    """The sections of a host as pieces, one after the other."""
    pieces: list[Piece] = []
    at = 0
    for one in sections:
        pieces.append(Piece(at, one.text, one.label, one.occurred_from, one.occurred_to))
        at = pieces[-1].end
    return pieces


def _cut(material: str, start: int, limit: int) -> int:
    if limit >= len(material):
        return len(material)
    newline = material.rfind("\n", start + (limit - start) // 2, limit)
    return limit if newline < 0 else newline + 1
