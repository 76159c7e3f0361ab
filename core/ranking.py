"""Ranking: which memories are nearest to what a person said, by BM25."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.tokens import cjk_characters, query_tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Memory

K1 = 1.2
"""How fast repetition of a term stops to count (Robertson and Zaragoza 2009, 3.5: 1.2 to 2)."""

B = 0.75
"""How much the length of a document counts (ibid.: 0.5 to 0.8)."""


def memory_text(memory: Memory) -> str:
    """What of a memory is searched: title, goal, content and keywords, one a line."""
    return "\n".join(
        part
        for part in (memory.title, memory.goal, memory.content, " ".join(memory.keywords))
        if part
    )


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """The BM25 score of each document, 0 where it shares no term with the query.

    Sum over the distinct query terms of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average)),
    idf = ln(1 + (N - df + 0.5) / (df + 0.5)), never negative. Counts are those of the documents given.
    """
    terms = dict.fromkeys(query)
    counts = [Counter(token for token in document if token in terms) for document in documents]
    found = Counter(term for count in counts for term in count)
    idf = {
        term: math.log(1 + (len(documents) - df + 0.5) / (df + 0.5)) for term, df in found.items()
    }
    average = sum(map(len, documents)) / len(documents) if documents else 0
    scores: list[float] = []
    for document, count in zip(documents, counts, strict=True):
        norm = K1 * (1 - B + B * len(document) / average) if count else 0
        scores.append(
            sum(
                idf[term] * count[term] * (K1 + 1) / (count[term] + norm)
                for term in terms
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
    scores = bm25(query_tokens(query, locale), documents)
    ranked = [pair for pair in zip(scores, memories, strict=True) if pair[0] > 0]
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].as_of, pair[1].id))


def rank_related(
    human_text: str, memories: Sequence[Memory], locale: str, limit: int
) -> list[Memory]:
    """Up to `limit` of the memories that share words with the text, the nearest first."""
    return [memory for _, memory in rank(human_text, memories, locale)[: max(0, limit)]]
