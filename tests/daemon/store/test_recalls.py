"""Records of recalls: kept by window, forgotten by age, and never with any content."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.ports import Store
from memgardend.core.records import Recall
from support.stores import NOW

RECORD = {
    "mode": "hits",
    "query_fingerprint": "0123456789ab",
    "counts": {"candidate_pool": 3, "injected": 1},
    "injected_ids": ["m1"],
    "rejected": [{"id": "m2", "reason": "below_floor"}],
}


def recall(window: str = "event:a", at: int = NOW, record: dict[str, Any] | None = None) -> Recall:
    return Recall(window=window, at=at, record=RECORD if record is None else record)


def test_the_newest_come_first_of_one_window_or_of_all(store: Store) -> None:
    told = [recall(at=NOW), recall("event:b", NOW + 2), recall(at=NOW + 1), recall(at=NOW + 1)]
    for one in told:
        store.note_recall(one)
    first, other, *same = told
    assert store.recalls() == [other, *same, first]
    assert store.recalls("event:a") == [*same, first]
    assert store.recalls(limit=1) == [other]


def test_only_the_old_ones_are_forgotten(store: Store) -> None:
    for at in (NOW, NOW + 1):
        store.note_recall(recall(at=at))
    assert store.forget_recalls(NOW + 1) == 1
    assert [one.at for one in store.recalls()] == [NOW + 1]


@pytest.mark.parametrize(
    "record",
    [
        {"query": "where do I live"},
        {"mode": "the person said so"},
        {"rejected": [{"id": "m1", "summary": "likes tea"}]},
        {"rejected_reasons": {"Likes tea": 1}},
    ],
)
def test_what_could_hold_content_is_not_kept(store: Store, record: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        store.note_recall(recall(record=record))
    assert store.recalls() == []
