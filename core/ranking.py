"""Ranking: which memories are nearest to what a person said, by BM25.

`rank` reads every memory; `nearest` asks an index, which computes the same. Both take the counts of all memories
of the garden, so that a filter changes no score.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from itertools import chain, compress
from typing import TYPE_CHECKING

from memgardend.core.indexing import FIELDS, field_texts
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

COMPARED = 100
"""So many more memories than asked for are compared by all terms, where the rarest have chosen them."""

_DECIMALS = 9
"""Scores are compared to so many decimals: sums of the same terms in another order are equal."""


def memory_text(memory: Memory) -> str:
    """What of a memory is searched: title, goal, content and keywords, one a line."""
    return "\n".join(part for part in field_texts(memory) if part)


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
    return bm25f(query, [(document,) for document in documents], (1.0,))


def bm25f(
    query: Sequence[str],
    documents: Sequence[Sequence[Sequence[str]]],
    fields: Sequence[float],
    *,
    whole_length: bool = False,
) -> list[float]:
    """As `bm25`, of documents with fields: a term counts in each by its weight (Robertson and Zaragoza 2009, 3.6).

    A field of weight 0 is not read (with `whole_length` it is part of the length all the same), but a term is as
    rare as it is in all fields.
    """
    terms = frozenset(query)
    found = Counter(term for document in documents for term in terms.intersection(chain(*document)))
    weights = term_weights(query, len(documents), found)
    measured = [bool(field) or whole_length for field in fields]
    lengths = [sum(map(len, compress(document, measured))) for document in documents]
    average = sum(lengths) / len(documents) if documents else 0
    scores: list[float] = []
    for document, length in zip(documents, lengths, strict=True):
        counts: defaultdict[str, float] = defaultdict(float)
        for tokens, field in zip(document, fields, strict=True):
            for token in tokens if field else ():
                if token in weights:
                    counts[token] += field
        norm = K1 * (1 - B + B * length / average) if counts else 0
        scores.append(
            sum(
                weight * counts[term] * (K1 + 1) / (counts[term] + norm)
                for term, weight in weights.items()
                if term in counts
            )
        )
    return scores


def rank(
    query: str,
    memories: Sequence[Memory],
    locale: str,
    fields: Sequence[float] = FIELD_WEIGHTS,
) -> list[tuple[float, Memory]]:
    """The memories that share words with the query and their scores, the best first.

    Among equals the one with the newest knowledge, then by id. A query without tokens but with lone CJK
    characters finds the memories that hold these characters.
    """
    lone = not tokenize(query, locale)
    split = cjk_characters if lone else partial(tokenize, locale=locale)
    documents = [[split(text) for text in field_texts(memory)] for memory in memories]
    terms = query_tokens(query, locale)
    scores = map(rounded, bm25f(terms, documents, fields, whole_length=lone))
    ranked = [pair for pair in zip(scores, memories, strict=True) if pair[0] > 0]
    return sorted(ranked, key=lambda pair: (-pair[0], -pair[1].as_of, pair[1].id))


def nearest(
    query: str,
    index: TermIndex,
    locale: str,
    within: Within,
    limit: int,
    *,
    fields: Sequence[float] = FIELD_WEIGHTS,
    most: int | None = None,
) -> list[tuple[float, str]]:
    """What `rank` of all memories gives, filtered and then cut, as scores and ids, by the index.

    `most` bounds what it costs among very many: where all terms together stand in more memories, the rarest choose
    who is compared by all of them; a single term that more have is looked up in the newest alone.
    """
    terms = query_tokens(query, locale)
    counted = index.term_statistics(dict.fromkeys(terms))
    weights = term_weights(terms, counted.memories, counted.found)
    if not weights or limit <= 0:
        return []
    lone = not tokenize(query, locale)
    length = sum(of for of, field in zip(counted.lengths, fields, strict=True) if field)
    formula = Formula(
        weights=weights,
        fields=tuple(fields),
        k1=K1,
        b=B,
        average=(counted.characters if lone else length) / counted.memories or 1.0,
        lone=lone,
    )
    if most is not None and sum(counted.found[term] for term in weights) > most:
        seeds = _rarest(weights, counted.found, most)
        few = replace(formula, weights=seeds, most=most if len(seeds) == 1 else None)
        found = index.best(few, within, limit + COMPARED)
        within = replace(within, only=frozenset(memory for _, memory in found))
    return list(index.best(formula, within, limit))


def _rarest(weights: Mapping[str, float], found: Mapping[str, int], most: int) -> dict[str, float]:
    """The rarest terms that together stand in at most so many memories, and at least one."""
    rarest: dict[str, float] = {}
    for term in sorted(weights, key=lambda term: (found[term], term)):
        most -= found[term]
        if rarest and most < 0:
            break
        rarest[term] = weights[term]
    return rarest
