"""The store port: the index over memories, which finds by terms what would cost too much to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.words import Layer

Counts = tuple[int, ...]
"""One number for each of indexing.FIELDS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Which memories count. Without `everywhere` only those whose scope covers one of `projects`, or any."""

    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    done_todos: bool = False  # finished todos count too
    layers: tuple[Layer, ...] = ()  # none: all
    everywhere: bool = False
    projects: tuple[str, ...] = ()
    since: int | None = None  # created or changed then, or later
    without: frozenset[str] = frozenset()  # ids
    only: frozenset[str] | None = None  # ids; None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStatistics:
    """How many memories the garden's index holds, whatever their status, and how many of them have a term."""

    memories: int
    lengths: Counts  # their sums over all memories, as IndexedText.lengths
    characters: int
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """What the score of a memory is computed with (core/ranking.py says how): terms with their weights."""

    weights: Mapping[str, float]
    fields: tuple[float, ...]  # how much a term counts in each of FIELDS
    k1: float
    b: float
    average: float  # length of a memory, in fields that count
    lone: bool = False  # the terms are characters: lengths are counted in them
    most: int | None = None  # of a term that more memories have, those that were indexed last count


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Asks for the memories that have one of these terms, and whose content says so many (or: has as frame)."""

    names: tuple[str, ...]
    by_frame: bool
    least: int
    most: int


class TermIndex(Protocol):
    """The index of one garden."""

    def keep_index(self, locale: str) -> None:
        """Have an index by the rules of this locale; from then on each write of a memory keeps it up.

        Cheap when there is one; else all memories are read, some at a time.
        """
        ...

    def rebuild_index(self) -> int:
        """Make the index anew by the rules that it has; how many memories it then holds (0: no index is kept)."""
        ...

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics: ...
    def best(self, formula: Formula, within: Within, limit: int) -> Sequence[tuple[float, str]]:
        """The memories with the highest scores above 0 and their ids.

        By score as `ranking.rounded` gives it, then newest `as_of`, then id.
        """
        ...

    def probe(self, probes: Iterable[Probe]) -> frozenset[str]:
        """Ids of the active memories that one of the probes asks for."""
        ...
