"""Ranking: which memories are nearest to what a person said, by BM25.

`rank` reads every memory; `nearest` asks an index, which computes the same. Both take the counts of all memories
of the garden, so that a filter changes no score.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.indexing import FIELDS
from memgardend.core.ports.index import Formula
from memgardend.core.tokens import TOKENIZER_VERSION, cjk_characters, query_tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.ports.index import TermIndex, Within
    from memgardend.core.records import Memory

RANKING_VERSION = f"bm25-1+tok{TOKENIZER_VERSION}"
"""Rises whenever the same memories come in another order."""

K1 = 1.2
"""How fast repetition of a term stops to count (Robertson and Zaragoza 2009, 3.5: 1.2 to 2)."""

B = 0.75
"""How much the length of a document counts (ibid.: 0.5 to 0.8)."""

FIELD_WEIGHTS = (1.0,) * len(FIELDS)
"""How much a term counts in title, goal, content and keywords (BM25F, ibid. 3.6)."""

MAX_QUERY_TERMS = 64
"""Of a longer query the rarest terms count: a person's pages name hundreds of words, and those hardly tell."""

_DECIMALS = 9
"""Scores are compared to so many decimals: sums of the same terms in another order are equal."""


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
    """The BM25 score of each document, 0 where it shares no term with the query.

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


def rank(query: str, memories: Sequence[Memory], locale: str) -> list[tuple[float, Memory]]:
    """The memories that share words with the query and their scores, the best first.

    Among equals the one with the newest knowledge, then by id. A query without tokens but with lone CJK
    characters finds the memories that hold these characters.
    """
    if tokenize(query, locale):
        documents = [tokenize(memory_text(memory), locale) for memory in memories]
    else:
        documents = [cjk_characters(memory_text(memory)) for memory in memories]
    scores = map(rounded, bm25(query_tokens(query, locale), documents))
    ranked = [pair for pair in zip(scores, memories, strict=True) if pair[0] > 0]
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].as_of, pair[1].id))


def nearest(
    query: str, index: TermIndex, locale: str, within: Within, limit: int
) -> list[tuple[float, str]]:
    """What `rank` of all memories gives, filtered and then cut, as scores and ids, by the index."""
    terms = query_tokens(query, locale)
    counted = index.term_statistics(dict.fromkeys(terms))
    weights = term_weights(terms, counted.memories, counted.found)
    if not weights or limit <= 0:
        return []
    lone = not tokenize(query, locale)
    total = counted.characters if lone else sum(counted.lengths)
    formula = Formula(
        weights=weights,
        fields=FIELD_WEIGHTS,
        k1=K1,
        b=B,
        average=total / counted.memories,
        lone=lone,
    )
    return list(index.best(formula, within, limit))
