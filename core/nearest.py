"""The nearest memories by an index: the same as `ranking.rank`, read from as few postings as it takes.

MaxScore (Turtle and Flood 1995): terms are read the rarest first, until a memory that has only the others could
neither be among the best nor pass the floor. What those add is then looked up memory by memory.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import accumulate
from typing import TYPE_CHECKING

from memgardend.core.impacts import ONE
from memgardend.core.query import read_query
from memgardend.core.ranking import MAX_MERIT, Asked, Manner, merit, rounded, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.ports.index import Candidate, TermReading, TermStatistics, Within

Scored = tuple[float, str]

AT_ONCE = 64
"""So many memories are looked up at once."""

SHORT = 500
"""So many postings are read faster than anybody finds out whether they are needed."""

_SLACK = 1e-6
"""Bounds are loose by this much: they are sums of floats in another order."""


def nearest(
    query: str, index: TermReading, locale: str, within: Within, limit: int, manner: Manner
) -> list[Scored]:
    """What `rank` of all memories gives, filtered and then cut, as scores and ids."""
    read = read_query(query, locale)
    counted = index.term_statistics(read.shares)
    asked = weigh(read, counted.memories, counted.found)
    if not asked.weights or limit <= 0:
        return []
    return _Search(index, asked, counted, within, limit, manner).run()


class _Search:
    """One search. `partial`: what the terms read so far are worth, by number of a memory."""

    def __init__(
        self,
        index: TermReading,
        asked: Asked,
        counted: TermStatistics,
        within: Within,
        limit: int,
        manner: Manner,
    ) -> None:
        self._index = index
        self._asked = asked
        self._within = within
        self._limit = limit
        self._manner = manner
        self._found = counted.found
        self._terms = sorted(asked.weights, key=lambda term: (counted.found[term], term))
        bounds = [
            asked.weights[term] * counted.most[term][manner.surface] / ONE for term in self._terms
        ]
        self._unread = _sums_from(bounds)  # no memory gets more from the terms from the n-th on
        self._unheld = _sums_from([asked.weights[term] for term in self._terms])
        self._partial: dict[int, float] = {}
        self._judged: dict[int, tuple[float, int, str] | None] = {}

    def run(self) -> list[Scored]:
        """Read what has to be read, then judge whoever could be among the best."""
        read = 0
        while read < len(self._terms) and self._must_read(read):
            self._read(self._terms[read])
            read += 1
        candidates = sorted(self._partial, key=self._partial.__getitem__, reverse=True)
        start, size = 0, AT_ONCE
        while start < len(candidates) and self._may_answer(self._partial[candidates[start]], read):
            self._judge(candidates[start : start + size])
            start, size = start + size, size * 2
        return [(-score, memory) for score, _, memory in self._best()]

    def _may_answer(self, partial: float, read: int) -> bool:
        """Whether a memory that has so much from the terms read could be among the best and pass the floor."""
        if (partial + self._unread[read]) * MAX_MERIT < self._least():
            return False
        held = (
            partial + self._unheld[read]
        )  # at most: the floor counts no impact higher than the score does
        return not self._manner.floor or held >= self._asked.required - _SLACK

    def _must_read(self, read: int) -> bool:
        """Whether a memory without the terms read could be an answer."""
        if self._found[self._terms[read]] > SHORT and len(self._partial) >= self._limit:
            self._judge(nlargest(AT_ONCE, self._partial, key=self._partial.__getitem__))
        return self._may_answer(0, read)

    def _read(self, term: str) -> None:
        weight, partial = self._asked.weights[term] / ONE, self._partial
        for number, impact in self._index.postings(term, self._manner.surface, self._within):
            partial[number] = partial.get(number, 0) + weight * impact

    def _judge(self, numbers: Iterable[int]) -> None:
        new = [number for number in numbers if number not in self._judged]
        self._judged.update(dict.fromkeys(new))
        found = self._index.candidates(new, self._terms, self._manner.surface, self._within)
        for number, candidate in found.items():
            self._judged[number] = self._answer(candidate)

    def _answer(self, candidate: Candidate) -> tuple[float, int, str] | None:
        """How an answer is ordered; None for a memory that is none."""
        asked, manner = self._asked, self._manner
        worth = merit(asked, manner, candidate.importance, candidate.as_of)
        score = rounded(asked.score(candidate.impacts) * worth)
        if score <= 0 or (manner.floor and not asked.holds(candidate.impacts)):
            return None
        return -score, -candidate.as_of, candidate.id

    def _best(self) -> list[tuple[float, int, str]]:
        return sorted(filter(None, self._judged.values()))[: self._limit]

    def _least(self) -> float:
        """What an answer must be worth to be among the best so far."""
        best = self._best()
        return -best[-1][0] - _SLACK if len(best) == self._limit else 0


def _sums_from(values: list[float]) -> list[float]:
    """For each place the sum of the values from there on, and 0 at the end."""
    return [*accumulate(reversed(values), initial=0.0)][::-1]
