"""The nearest memories by an index: the same as `ranking.rank`, read from as few postings as it takes.

MaxScore (Turtle and Flood 1995): terms are read the rarest first, until a memory that has only the others could
neither be among the best nor pass the floor. What those add is then looked up memory by memory.
"""

from __future__ import annotations

from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from memgardend.core.impacts import ONE
from memgardend.core.query import read_query
from memgardend.core.ranking import HELD, MAX_MERIT, Asked, Manner, merit, rounded, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.ports.index import Candidate, TermReading, TermStatistics, Within

Scored = tuple[float, str]

AT_ONCE = 16
"""So many memories more than asked for are looked up at first, then twice as many each time: some are filtered."""

SHORT = 1000
"""So many postings are read faster than anybody finds out whether they are needed."""

LOOK_UP = 100
"""Looking up a memory costs as much as reading so many postings."""

_SLACK = 1e-6
"""Bounds are loose by this much: they are sums of floats in another order."""


def nearest(
    query: str, index: TermReading, locale: str, within: Within, limit: int, manner: Manner
) -> list[Scored]:
    """What `rank` of all memories gives, filtered and then cut, as scores and ids."""
    read = read_query(query, locale)
    counted = index.term_statistics(read.shares)
    asked = weigh(read, counted.memories, counted.found, manner.surface)
    if not asked.weights or limit <= 0:
        return []
    return _Search(index, asked, counted, within, limit, manner).run()


class _Search:
    """One search. By number of a memory: what the terms read so far are worth there, and hold of the query."""

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
        self._required = asked.required - _SLACK if manner.floor else 0
        self._found = counted.found
        self._terms = sorted(asked.weights, key=lambda term: (counted.found[term], term))
        bounds = [
            asked.weights[term] * counted.most[term][manner.surface] / ONE for term in self._terms
        ]
        self._unread = _sums_from(bounds)  # no memory gets more from the terms from the n-th on
        self._unheld = _sums_from([asked.weights[term] for term in self._terms])
        self._few = limit + AT_ONCE
        self._read = 0
        self._worth: dict[int, float] = {}
        self._held: dict[int, float] = {}
        self._judged: dict[int, tuple[float, int, str] | None] = {}

    def run(self) -> list[Scored]:
        """Read what has to be read, then judge whoever could be among the best."""
        self._read_next(self._read_anyway())
        while self._read < len(self._terms) and self._must_go_on():
            self._read_next()
        candidates = self._narrowed(self._candidates())
        candidates.sort(key=self._worth.__getitem__, reverse=True)
        start, size = 0, self._few
        while start < len(candidates) and self._worth[candidates[start]] >= self._leading_worth():
            self._judge(candidates[start : start + size])
            start, size = start + size, size * 2
        return [(-score, memory) for score, _, memory in self._best()]

    def _read_anyway(self) -> int:
        """How many terms are read in any case: short ones, for which nobody was judged yet."""
        short = (self._found[term] <= SHORT for term in self._terms)
        needed = (unheld >= self._required for unheld in self._unheld)
        return sum(1 for _ in takewhile(all, zip(short, needed, strict=False)))

    def _must_go_on(self) -> bool:
        """Whether a memory that has only terms which were not read could be an answer."""
        if self._unheld[self._read] < self._required:
            return False
        if self._found[self._terms[self._read]] > SHORT:
            self._judge_leaders(above=self._unread[self._read])
        return self._leading_worth() <= 0

    def _narrowed(self, candidates: list[int]) -> list[int]:
        """Those that could still be answers, after more terms where reading is cheaper than looking up."""
        while self._read < len(self._terms) and len(candidates) > self._few:
            if self._found[self._terms[self._read]] > LOOK_UP * len(candidates):
                break
            self._read_next(only=candidates)
            self._judge_leaders(above=self._unread[self._read])
            least = self._leading_worth()
            candidates = [one for one in self._candidates() if self._worth[one] >= least]
        return candidates

    def _judge_leaders(self, above: float) -> None:
        """Judge who leads so far, if so many lead by so much that it could leave others behind."""
        from heapq import nlargest  # takes a hook as long to import as a small garden to read

        leaders = nlargest(self._few, self._candidates(), self._worth.__getitem__)
        if len(leaders) >= self._limit and self._worth[leaders[self._limit - 1]] > above:
            self._judge(leaders)

    def _leading_worth(self) -> float:
        """What a memory must have got from the terms read to be among the best, whatever the others add."""
        best = self._best()
        if len(best) < self._limit:
            return 0
        return (-best[-1][0] - _SLACK) / MAX_MERIT - self._unread[self._read]

    def _candidates(self) -> list[int]:
        """The memories that could pass the floor, and were not found to be no answers."""
        missing, judged = self._required - self._unheld[self._read], self._judged
        return [
            number
            for number, held in self._held.items()
            if held >= missing and judged.get(number, ()) is not None
        ]

    def _read_next(self, count: int = 1, only: Iterable[int] | None = None) -> None:
        """Read the next terms, for these memories alone or for all that have them."""
        terms = self._terms[self._read : self._read + count]
        postings = self._index.postings(terms, self._manner.surface, self._within)
        worth, held = self._worth, self._held
        for term in terms:
            weight, impacts = self._asked.weights[term], postings.get(term, {})
            for number in impacts if only is None else impacts.keys() & only:
                impact = impacts[number]
                worth[number] = worth.get(number, 0) + weight * impact / ONE
                held[number] = held.get(number, 0) + weight * HELD[impact]
        self._read += count

    def _judge(self, numbers: Iterable[int]) -> None:
        new = [number for number in numbers if number not in self._judged]
        self._judged.update(dict.fromkeys(new))
        unread = self._terms[self._read :]
        found = self._index.candidates(new, unread, self._manner.surface, self._within)
        for number, candidate in found.items():
            self._judged[number] = self._answer(number, candidate)

    def _answer(self, number: int, candidate: Candidate) -> tuple[float, int, str] | None:
        """How an answer is ordered; None for a memory that is none."""
        asked, manner = self._asked, self._manner
        worth = self._worth[number] + asked.score(candidate.impacts)
        score = rounded(worth * merit(asked, manner, candidate.importance, candidate.as_of))
        held = self._held[number] + asked.held(candidate.impacts)
        if score <= 0 or (manner.floor and not asked.is_enough(held)):
            return None
        return -score, -candidate.as_of, candidate.id

    def _best(self) -> list[tuple[float, int, str]]:
        return sorted(filter(None, self._judged.values()))[: self._limit]


def _sums_from(values: list[float]) -> list[float]:
    """For each place the sum of the values from there on, and 0 at the end."""
    return [*accumulate(reversed(values), initial=0.0)][::-1]
