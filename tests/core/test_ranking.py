"""Ranking by BM25: what must rank above what."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.ranking import MAX_QUERY_TERMS, Manner, bm25, memory_text, rank
from memgardend.core.records import Memory
from memgardend.core.tokens import query_tokens, tokenize
from memgardend.core.words import Layer

SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"


def memory(identity: str, content: str, **fields: Any) -> Memory:
    return Memory(id=identity, layer=Layer.FACT, content=content, **fields)


def test_the_formula_on_a_small_example() -> None:
    scores = bm25(["redis"], [["redis", "cache"], ["mysql", "index"], ["disk"]])
    idf = math.log(1 + (3 - 1 + 0.5) / 1.5)
    norm = 1.2 * (0.25 + 0.75 * 2 / (5 / 3))
    assert scores == [pytest.approx(idf * 2.2 / (1 + norm)), 0, 0]


def test_a_repeated_query_word_counts_once() -> None:
    documents = [["redis", "cache"], ["postgres"]]
    assert bm25(["redis", "redis"], documents) == bm25(["redis"], documents)


def test_nothing_to_score() -> None:
    assert bm25(["redis"], []) == []
    assert bm25([], [["redis"]]) == [0]
    assert bm25(["redis"], [[]]) == [0]


words = st.sampled_from(("redis", "cache", "port", "disk", "index", "table"))
texts = st.lists(words, max_size=8)


@given(texts, st.lists(texts, max_size=6))
def test_a_score_is_positive_exactly_where_a_word_is_shared(
    query: list[str], documents: list[list[str]]
) -> None:
    for score, document in zip(bm25(query, documents), documents, strict=True):
        assert (score > 0) is bool(set(query) & set(document))


def test_what_is_searched_of_a_memory() -> None:
    text = memory_text(memory("m", "content", title="title", goal="goal", keywords=("one", "two")))
    assert text == "title\ngoal\ncontent\none two"


RELATED = [
    memory("port", "The staging API listens on port 8080.", as_of=1),
    memory("tea", "The person drinks tea.", as_of=2),
    memory("deploy", "Deploys go out on Tuesdays.", keywords=("staging",), as_of=3),
    memory("人", "服务器给API限流", as_of=4),
]


def found(query: str, memories: list[Memory]) -> list[str]:
    return [memory.id for _, memory in rank(query, memories, "en", Manner(floor=False))]


def test_related_memories_come_nearest_first_and_unrelated_ones_not_at_all() -> None:
    assert found("the staging port is 9090 now", RELATED) == ["port", "deploy"]
    assert found("", RELATED) == []


def test_among_equals_the_newest_knowledge_comes_first_then_the_id() -> None:
    same = [memory(identity, "redis", as_of=at) for identity, at in (("b", 1), ("a", 1), ("c", 2))]
    assert found("redis", same) == ["c", "a", "b"]


def test_of_a_long_query_only_the_rarest_words_count() -> None:
    rare = [f"rare{number}" for number in range(MAX_QUERY_TERMS)]
    common = [memory(f"c{number}", "common") for number in range(3)]
    memories = [*common, *(memory(word, word) for word in rare)]
    assert found(f"common {' '.join(rare)}", memories) == sorted(rare)
    assert found(f"common {rare[0]}", memories) == [rare[0], "c0", "c1", "c2"]


@pytest.mark.parametrize("query", ["给", "限", "流"], ids=["alone-in-its-text", "first", "last"])
def test_a_lone_character_finds_the_memories_that_hold_it(query: str) -> None:
    assert [m.id for _, m in rank(query, RELATED, "zh-Hans", Manner())] == ["人"]


_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []
_ORDERED = ("SCORE02", "SCORE04", "SCORE09")  # those whose order owes nothing to recency


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", [c for c in _CASES if c["id"] in _ORDERED], ids=lambda c: str(c["id"])
)
def test_shared_orders(case: dict[str, Any]) -> None:
    given = case["input"]
    documents = [tokenize(doc["content"], "zh-Hans") for doc in given["docs"]]
    scores = bm25(query_tokens(given["query"], "zh-Hans"), documents)
    scored = {
        doc["id"]: score for doc, score in zip(given["docs"], scores, strict=True) if score > 0
    }
    assert sorted(scored, key=lambda i: -scored[i]) == [
        identity for identity, _ in case["expected"]
    ]
