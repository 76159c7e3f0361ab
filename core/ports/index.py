"""The store port: the index over memories, which finds by terms what would cost too much to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.impacts import Impacts, Surface
    from memgardend.core.words import Layer


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStatistics:
    """How many memories the garden's index holds, whatever their status; how many of them have a term, and with
    which impacts at most."""

    memories: int
    found: Mapping[str, int]
    most: Mapping[str, Impacts]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be an answer, with the impacts of those of the terms that it has."""

    id: str
    as_of: int
    importance: int
    impacts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Asks for the memories that have one of these terms, and whose content says so many (or: has as frame)."""

    names: tuple[str, ...]
    by_frame: bool
    least: int
    most: int


class TermReading(Protocol):
    """What ranks by the index of one garden."""

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics: ...
    def postings(
        self, terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[str, Mapping[int, int]]:
        """For each term its impacts by the numbers of the memories that have it there; among them all that are
        within."""
        ...

    def candidates(
        self, numbers: Iterable[int], terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[int, Candidate]:
        """Those of these memories that are within, by their numbers."""
        ...


class TermIndex(TermReading, Protocol):
    """The index of one garden, its building, and what compares memories by it."""

    def keep_index(self, locale: str) -> None:
        """Have an index by the rules of this locale; from then on each write of a memory keeps it up.

        Cheap when there is one; else all memories are read, some at a time.
        """
        ...

    def rebuild_index(self, locale: str) -> int:
        """Make the index anew by the rules of this locale, whatever is left of it; how many memories it holds."""
        ...

    def probe(self, probes: Iterable[Probe]) -> frozenset[str]:
        """Ids of the active memories that one of the probes asks for."""
        ...
