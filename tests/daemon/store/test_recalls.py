"""Records of recalls: they come with their marks, are kept by window and forgotten by age, and hold no content."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.ports import Store
from memgardend.core.records import Recall
from memgardend.core.records.window_recall import Marks
from memgardend.core.words import Use
from support.recalling import keep, known
from support.stores import NOW, SqliteFactory, somebody_writes

RECORD = {
    "mode": "hits",
    "query_fingerprint": "0123456789ab",
    "counts": {"candidate_pool": 3, "injected": 1},
    "injected_ids": ["m1"],
    "rejected": [{"id": "m2", "reason": "below_floor"}],
}


def marks(window: str = "event:a", at: int = NOW, **record: Any) -> Marks:
    return Marks(window=window, at=at, record={**RECORD, **record})


def recall(window: str = "event:a", at: int = NOW, **record: Any) -> Recall:
    return Recall(window=window, at=at, record={**RECORD, **record})


def test_the_newest_come_first_of_one_window_or_of_all(store: Store) -> None:
    for one in (marks(), marks("event:b", NOW + 2), marks(at=NOW + 1), marks(at=NOW + 1, dur_ms=1)):
        store.note_marks(one)
    same = [recall(at=NOW + 1, dur_ms=1), recall(at=NOW + 1)]
    assert store.recalls() == [recall("event:b", NOW + 2), *same, recall()]
    assert store.recalls("event:a") == [*same, recall()]
    assert store.recalls(limit=1) == [recall("event:b", NOW + 2)]


def test_a_record_that_comes_twice_is_one(store: Store) -> None:
    for _ in range(2):
        store.note_marks(marks())
    assert store.recalls() == [recall()]


def test_marks_without_a_record_leave_none(store: Store) -> None:
    store.note_marks(Marks(window="event:a", at=NOW, prompted=True))
    assert store.recalls() == []


def test_what_waits_in_the_spool_is_read_too_and_counts_once(factory: SqliteFactory) -> None:
    store = factory.open()
    store.note_marks(marks())
    with somebody_writes(factory.path):
        assert not store.note_marks(marks(at=NOW + 1))
        assert not store.note_marks(marks("event:b", NOW + 2))
        assert not store.note_marks(Marks(window="event:b", at=NOW + 3, prompted=True))
        waiting = store.recalls()
        assert store.recalls(limit=1) == [recall("event:b", NOW + 2)]
        assert store.recalls("event:a") == [recall(at=NOW + 1), recall()]
    assert waiting == [recall("event:b", NOW + 2), recall(at=NOW + 1), recall()]
    assert store.fold_marks() == 3
    assert store.recalls() == waiting


def test_only_the_old_ones_are_forgotten(store: Store) -> None:
    for at in (NOW, NOW + 1):
        store.note_marks(marks(at=at))
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
    keep(store, known("m1"))
    with pytest.raises(AssertionError):
        store.note_marks(
            Marks(window="event:a", at=NOW, used={Use.INJECTED: ("m1",)}, record=record)
        )
    assert store.recalls() == []
    assert store.window_recall("event:a").used == {}
