"""Our ranking as a plug-in of ../shared/bench/retrieval.py: what the product ranks, by the same functions of core.

    ../shared/bench/retrieval.py --ranker bench/recall_ranker.py:build --name ours

A document is a memory: its text the content, its time as-of. Where the store has the quotes around a memory, the
harness has the documents beside one, of the same time: those next to it count twice, the ones after these once.
`build_zh` is the same with the rules for Chinese, `search` without the floor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from memgardend.core.impacts import Surface
from memgardend.core.indexing import index_terms
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Candidate, TermStatistics, Within
from memgardend.core.query import read_query
from memgardend.core.ranking import Manner, merit, weigh
from memgardend.core.records import Memory
from memgardend.core.words import Layer

Document = tuple[str, str, float | None]
Rank = Callable[[str, int], list[str]]
Weighed = Callable[[str], list[tuple[float, str]]]
BESIDE = (-1, 1, -1, 1, -2, 2)
ALL = (Surface.WHOLE, Within())


class InMemory:
    """What `nearest` asks of an index, in dictionaries."""

    def __init__(
        self, memories: Sequence[Memory], quotes: Sequence[Sequence[str]], locale: str
    ) -> None:
        self._memories = memories
        self._texts = [
            index_terms(memory, locale, around).terms
            for memory, around in zip(memories, quotes, strict=True)
        ]
        self._postings: dict[str, list[int]] = defaultdict(list)
        for number, terms in enumerate(self._texts):
            for term in terms:
                self._postings[term].append(number)

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics:
        found = {term: self._postings[term] for term in terms if term in self._postings}
        return TermStatistics(
            memories=len(self._memories),
            found={term: len(numbers) for term, numbers in found.items()},
            most={
                term: (
                    max(self._texts[number][term][Surface.CUES] for number in numbers),
                    max(self._texts[number][term][Surface.WHOLE] for number in numbers),
                )
                for term, numbers in found.items()
            },
        )

    def postings(
        self, terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[str, Mapping[int, int]]:
        return {
            term: {number: self._texts[number][term][surface] for number in self._postings[term]}
            for term in terms
        }

    def candidates(
        self, numbers: Iterable[int], terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[int, Candidate]:
        asked = set(terms)
        return {
            number: Candidate(
                id=self._memories[number].id,
                as_of=self._memories[number].as_of,
                importance=1,
                impacts={
                    term: impacts[surface]
                    for term, impacts in self._texts[number].items()
                    if term in asked
                },
            )
            for number in numbers
        }


def _indexed(docs: Sequence[Document], locale: str) -> tuple[InMemory, int]:
    """An index of the documents, and the time of the newest."""
    memories = [
        Memory(id=name, layer=Layer.FACT, content=text, as_of=round((at or 0) * 1000))
        for name, text, at in docs
    ]
    index = InMemory(memories, [_around(docs, place) for place in range(len(docs))], locale)
    return index, max((memory.as_of for memory in memories), default=0)


def ranker(docs: Sequence[Document], locale: str, *, floor: bool) -> Rank:
    """Index the documents; what ranks them."""
    index, now = _indexed(docs, locale)
    manner = Manner(now=now, floor=floor)

    def rank(query: str, k: int) -> list[str]:
        return [name for _, name in nearest(query, index, locale, Within(), k, manner)]

    return rank


def evidence(docs: Sequence[Document], locale: str) -> Weighed:
    """Index the documents; what ranks all that match, each with how many floors it would pass."""
    index, now = _indexed(docs, locale)

    def weighed(question: str) -> list[tuple[float, str]]:
        query = read_query(question, locale)
        counted = index.term_statistics(query.shares)
        asked = weigh(query, counted.memories, counted.found, Surface.WHOLE)
        numbers = {number for one in index.postings(asked.weights, *ALL).values() for number in one}
        found = index.candidates(numbers, asked.weights, *ALL)
        best = sorted(
            (-asked.score(one.impacts) * merit(asked, Manner(now=now), 1, one.as_of), one.id, one)
            for one in found.values()
        )
        return [(asked.held(one.impacts) / asked.required, name) for _, name, one in best]

    return weighed


def _around(docs: Sequence[Document], place: int) -> list[str]:
    at = docs[place][2]
    return [
        docs[other][1]
        for other in (place + step for step in BESIDE)
        if at is not None and 0 <= other < len(docs) and docs[other][2] == at
    ]


build = partial(ranker, locale="en", floor=True)
build_zh = partial(ranker, locale="zh-Hans", floor=True)
search = partial(ranker, locale="en", floor=False)
search_zh = partial(ranker, locale="zh-Hans", floor=False)
