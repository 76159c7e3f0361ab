"""Records of selections hold no content, and the guard knows it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.observability import (
    assert_content_free,
    injection_record,
    query_fingerprint,
)
from memgardend.core.editorial.selection import Chain, Pick, SelectionResult
from memgardend.core.editorial.stages import RecentStage, RelevanceStage

RESULT = SelectionResult(
    picks=tuple(Pick(card_id=f"m{n}", stage="s") for n in range(15)),
    rejected={"a": "below_gate", "b": "over_cap", "c": "below_gate"},
    diagnostics={"candidates": 40},
)


def test_a_record_has_counts_ids_and_reasons_only() -> None:
    record = injection_record("我的狗", RESULT, mode="chain", cap=15, index_count=3, dur_ms=4)
    assert record == {
        "mode": "chain",
        "query_fingerprint": query_fingerprint("我的狗"),
        "query_empty": False,
        "counts": {
            "candidate_pool": 40,
            "index_count": 3,
            "injected": 15,
            "rejected_sampled": 3,
            "cap": 15,
        },
        "injected_ids": [f"m{n}" for n in range(12)],
        "rejected_reasons": {"below_gate": 2, "over_cap": 1},
        "dur_ms": 4,
    }
    named = injection_record(" ", RESULT, mode="chain", cap=15, sample=2)
    assert named["rejected"] == [
        {"id": "a", "reason": "below_gate"},
        {"id": "b", "reason": "over_cap"},
    ]
    assert (named["query_empty"], named["query_fingerprint"]) == (True, "")
    assert "dur_ms" not in named


def test_a_fingerprint_knows_the_same_question_again() -> None:
    print_ = query_fingerprint("What  about TEA?")
    assert len(print_) == 12 and set(print_) <= set("0123456789abcdef")
    assert query_fingerprint("what about ｔｅａ? ") == print_
    assert query_fingerprint("what about coffee?") != print_
    assert query_fingerprint(" \n") == query_fingerprint("") == ""


@pytest.mark.parametrize(
    "record",
    [
        {"summary": "x"},
        {"summary": None},
        {"content": ""},
        {"counts": {"bucket_name": 1}},
        {"by_bucket": {}},
        {"a": [{"threads": []}]},
        {"matched": 2},
        {"query": "dog"},
        {"title": "t"},
        {"search_text": "t"},
        {"note": "she likes dogs"},
        {"mode": "健康"},
        {"mode": "Health"},
        {"reasons": {"Our relationship": 2}},
        {"reasons": {"工作": 2}},
        {"reasons": ["Not a word"]},
        {"injected_ids": ["an id", "b"]},
        {"injected_ids": ["身份"]},
        {"query_fingerprint": "my dog is ill"},
        {"query_fingerprint": "dog"},
        {"value": b"bytes"},
        {"value": {1, 2}},
        {1: "x"},
    ],
)
def test_the_guard_rejects_content(record: dict[Any, Any]) -> None:
    with pytest.raises(AssertionError) as refusal:
        assert_content_free(record)
    for text in ("dog", "健康", "工作", "身份", "relationship", "an id"):
        assert text not in str(refusal.value)


def test_the_guard_lets_words_numbers_and_ids_pass() -> None:
    assert_content_free(
        {
            "mode": "bm25-1+tok1",
            "reasons": {"role:turning_point": 1, "below_gate": 2},
            "injected_ids": ["m_1", "01a22e19-7c87-70f8-9331-6203c99f4db3", "NOTION/7"],
            "query_fingerprint": "0123456789ab",
            "empty": None,
            "flag": True,
            "dur_ms": 1.5,
        }
    )


WORDS = st.text("qwxz", min_size=5, max_size=9)


@given(texts=st.lists(WORDS, min_size=1, max_size=6), query=WORDS)
def test_no_text_of_a_selection_stands_in_its_record(texts: list[str], query: str) -> None:
    cards = [
        {"id": f"m{n}", "summary": text, "bucket": text, "threads": [text, query]}
        for n, text in enumerate(texts)
    ]
    chain = Chain(stages=(RelevanceStage(any_score=True), RecentStage(limit=1)))
    result = chain.select(cards, query, limit=3)
    record = injection_record(query, result, mode="chain", cap=3, sample=8)
    assert_content_free(record)
    assert not any(word in repr(record) for word in (*texts, query))
