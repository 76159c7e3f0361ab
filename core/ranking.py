"""Ranking: which memories are nearest to what a person said.

A score is the sum of weight * impact over the terms of the query (core/query.py, core/impacts.py), times what
the memory itself is worth. `rank` reads every memory; `nearest` (core/nearest.py) asks an index and gives the
same. Both take the counts of all memories of the garden, so that a filter changes no score.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS
from memgardend.core.fingerprint import fingerprint
from memgardend.core.impacts import INDEXING_VERSION, K1, ONE, Surface
from memgardend.core.query import QUERY_VERSION, read_query
from memgardend.core.tokens import TOKENIZER_VERSION, is_cjk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.query import Query
    from memgardend.core.records import Memory

B = 0.75
"""How much the length of a document counts in `bm25` (Robertson and Zaragoza 2009, 3.5: 0.5 to 0.8)."""

MAX_QUERY_TERMS = 64
"""Of a longer query the rarest terms count: a person's pages name hundreds of words, and those hardly tell."""

SMALL_GARDEN = 20
"""A garden counts as at least so many memories when rarity is judged: in one of two, every word is rare."""

MIN_COVERAGE = 0.25
"""A memory has to hold so much of the weight of a query: what else was asked is then about something else."""

STRONG_TERMS = 1.25
"""Or as much as so many terms that no memory has: one rare word in a long message is enough."""

LONG_QUERY_TERMS = 12
"""From so many terms on `STRONG_TERMS` rise with the root of their number: long texts meet by chance."""

PAIR_FLOOR = 2 / 3
"""So much of the floor holds for a search that asks in CJK characters alone. English function words weigh nothing,
but pairs are cut from all of a Chinese question, so that more of its weight stands in no answer. Hits keep the
whole floor: their cues are words already, and what comes unasked should be sure. On the first half of
tests/labelled/recall/zh-Hans-hard.jsonl 1 loses seven answers of a hundred, 2/3 to 3/4 lose four."""

IMPORTANCE_STEP = 0.02
"""Each step of importance above 1 lifts a score by so much: it decides between near equals, no more."""

MAX_DECAY = 0.1
"""Age lowers a score by less than this, so that no match is passed by one that is a tenth worse. Decay that hides
old memories costs questions about the past a third of their answers (../shared/bench/README.md)."""

HALF_DECAY_DAYS = 30
"""At this age half of MAX_DECAY is reached."""

LASTING_IMPORTANCE = 3
"""From this importance on age counts nothing."""

MAX_MERIT = 1 + 3 * IMPORTANCE_STEP
"""No memory is worth more."""

_DECIMALS = 9
"""Scores are compared to so many decimals: sums of the same terms in another order are equal."""

_RULES = fingerprint(
    *(QUERY_VERSION, INDEXING_VERSION),
    *(B, MAX_QUERY_TERMS, SMALL_GARDEN, MIN_COVERAGE, STRONG_TERMS, LONG_QUERY_TERMS, PAIR_FLOOR),
    *(IMPORTANCE_STEP, MAX_DECAY, HALF_DECAY_DAYS, LASTING_IMPORTANCE, MAX_MERIT, _DECIMALS),
)
RANKING_VERSION = f"bm25f-3.{_RULES}+tok{TOKENIZER_VERSION}"
"""Changes whenever the same memories come in another order or get other scores.

Whoever changes the code raises the number; constants, lists, and the versions of query and index count by
themselves. An index is made anew where its own version differs (core/indexing.py: fields and tokeniser, as what is
stored rests on these alone); whatever else differs is computed when a question comes.
"""


class _Held(dict[int, float]):
    """How much of a term's weight a memory holds, by its impact; filled as impacts are met.

    All of one that stands in a short text, less of one that only stands around it, or once in a long text. The
    root is kinder to long texts than scores are.
    """

    def __missing__(self, impact: int) -> float:
        self[impact] = share = min(1.0, math.sqrt(impact / ONE))
        return share


HELD = _Held()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How memories are ranked: by which surface, when (None: age counts nothing), with a floor or without."""

    surface: Surface = Surface.WHOLE
    now: int | None = None
    floor: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A query among the memories of a garden: weights of the terms that some memory has, and how much of that
    weight an answer has to hold."""

    weights: Mapping[str, float]
    required: float
    past: bool

    def score(self, impacts: Mapping[str, int]) -> float:
        """What the terms of a memory are worth, before its merit."""
        return sum(self.weights[term] * impact for term, impact in impacts.items()) / ONE

    def held(self, impacts: Mapping[str, int]) -> float:
        """How much of the query's weight a memory holds."""
        return sum(self.weights[term] * HELD[impact] for term, impact in impacts.items())

    def is_enough(self, held: float) -> bool:
        """Whether a memory that holds so much passes the floor."""
        return rounded(held) >= rounded(self.required)


def memory_text(memory: Memory) -> str:
    """What of a memory is searched: title, goal, content and keywords, one a line."""
    return "\n".join(
        part
        for part in (memory.title, memory.goal, memory.content, " ".join(memory.keywords))
        if part
    )


def rounded(score: float) -> float:
    """A score as it is compared with others."""
    return round(score, _DECIMALS)


def inverse_frequency(memories: int, found: int) -> float:
    """The weight of a term that so many of all memories have: ln(1 + (N - df + 0.5) / (df + 0.5)), above 0."""
    return math.log(1 + (memories - found + 0.5) / (found + 0.5))


def term_weights(query: Sequence[str], memories: int, found: Mapping[str, int]) -> dict[str, float]:
    """The terms of a query that any memory has, each once, with their weights; at most MAX_QUERY_TERMS."""
    known = [term for term in dict.fromkeys(query) if found.get(term)]
    known = sorted(known, key=lambda term: found[term])[:MAX_QUERY_TERMS]
    return {term: inverse_frequency(memories, found[term]) for term in known}


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """The BM25 score of each document, 0 where it shares no term with the query: for cards outside of an index.

    Sum over the distinct query terms of weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average)).
    Counts are those of the documents given.
    """
    terms = frozenset(query)
    counts = [Counter(token for token in document if token in terms) for document in documents]
    found = Counter(term for count in counts for term in count)
    weights = term_weights(query, len(documents), found)
    average = sum(map(len, documents)) / len(documents) if documents else 0
    scores: list[float] = []
    for document, count in zip(documents, counts, strict=True):
        norm = K1 * (1 - B + B * len(document) / average) if count else 0
        scores.append(
            sum(
                weight * count[term] * (K1 + 1) / (count[term] + norm)
                for term, weight in weights.items()
                if term in count
            )
        )
    return scores


def weigh(query: Query, memories: int, found: Mapping[str, int], surface: Surface) -> Asked:
    """The weights of a query's terms in a garden of so many memories, and its floor on this surface."""
    counted = max(memories, SMALL_GARDEN)
    shares = {term: query.told(term, found) for term in query.shares}
    told = {
        term: share * inverse_frequency(counted, found.get(term, 0))
        for term, share in shares.items()
        if share
    }
    known = sorted((term for term in told if found.get(term)), key=lambda term: (-told[term], term))
    strong = STRONG_TERMS * inverse_frequency(counted, 0)
    length = max(1, sum(shares.values()) / LONG_QUERY_TERMS)
    required = min(MIN_COVERAGE * sum(told.values()), strong * math.sqrt(length))
    return Asked(
        weights={term: told[term] for term in known[:MAX_QUERY_TERMS]},
        required=required * _pair_floor(told) if surface is Surface.WHOLE else required,
        past=query.past,
    )


def _pair_floor(told: Mapping[str, float]) -> float:
    """PAIR_FLOOR where all weight is in CJK characters, 1 where none is, and what lies between by their share."""
    in_pairs = sum(weight for term, weight in told.items() if is_cjk(term))
    return 1 - (1 - PAIR_FLOOR) * in_pairs / sum(told.values()) if in_pairs else 1


def merit(asked: Asked, manner: Manner, importance: int, as_of: int) -> float:
    """What a memory is worth beside others that match as well: its importance, and how fresh its knowledge is.

    1 - MAX_DECAY * age / (age + HALF_DECAY_DAYS). A query about the past, or that names a time, asks for no
    fresh knowledge.
    """
    step = 1 + IMPORTANCE_STEP * (min(max(importance, 1), 4) - 1)
    if manner.now is None or asked.past or importance >= LASTING_IMPORTANCE:
        return step
    days = max(0, manner.now - as_of) / DAY_MS
    return step * (1 - MAX_DECAY * days / (days + HALF_DECAY_DAYS))


def rank(
    query: str,
    memories: Sequence[Memory],
    locale: str,
    manner: Manner,
    quotes: Mapping[str, Sequence[str]] | None = None,
) -> list[tuple[float, Memory]]:
    """The memories that answer and their scores, the best first. `quotes`: those around a memory, by its id.

    Among equals the one with the newest knowledge, then by id.
    """
    from memgardend.core.indexing import index_terms  # whoever asks an index does without

    texts = [index_terms(one, locale, (quotes or {}).get(one.id, ())).terms for one in memories]
    found = Counter(term for terms in texts for term in terms)
    asked = weigh(read_query(query, locale), len(memories), found, manner.surface)
    ranked: list[tuple[float, Memory]] = []
    for one, terms in zip(memories, texts, strict=True):
        held = {term: terms[term][manner.surface] for term in asked.weights if term in terms}
        score = rounded(asked.score(held) * merit(asked, manner, one.importance, one.as_of))
        if score > 0 and (asked.is_enough(asked.held(held)) or not manner.floor):
            ranked.append((score, one))
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].as_of, pair[1].id))
