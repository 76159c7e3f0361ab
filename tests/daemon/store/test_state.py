"""Conformance: shared state, request keys and counts."""

from __future__ import annotations

import pytest

from memgardend.core.errors import StoreError
from memgardend.core.ports import Store
from memgardend.core.records import Cursor
from memgardend.core.words import WindowKind
from support.stores import (
    NOW,
    SqliteFactory,
    change,
    claimed,
    dreamed,
    memory,
    put,
    said,
    window,
)


def test_state_changes_only_from_what_was_read(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    assert one.state("k") is None
    assert one.set_state("k", None, "1")
    assert not two.set_state("k", None, "2")
    assert not two.set_state("k", "0", "2")
    assert two.set_state("k", "1", "2")
    assert one.state("k") == "2"
    assert not one.set_state("k", "1", None)
    assert one.set_state("k", "2", None)
    assert two.state("k") is None


def test_absent_stays_absent(store: Store) -> None:
    assert store.set_state("k", None, None)
    store.set_state("k", None, "1")
    assert not store.set_state("k", None, None)


def test_one_caller_in_the_interval_passes_the_check_gate(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    assert one.pass_check_gate(NOW, 60_000)
    assert not two.pass_check_gate(NOW, 60_000)
    assert not one.pass_check_gate(NOW + 59_999, 60_000)
    assert two.pass_check_gate(NOW + 60_000, 60_000)


def test_a_clock_that_went_back_does_not_block_the_check_gate(store: Store) -> None:
    assert store.pass_check_gate(NOW, 60_000)
    assert store.pass_check_gate(NOW - 3_600_000, 60_000)
    assert not store.pass_check_gate(NOW - 3_600_000 + 1, 60_000)


def test_a_request_key_gives_its_first_result_again(store: Store) -> None:
    assert store.remembered("key", "digest") is None
    store.remember_result("key", "digest", "one", NOW)
    store.remember_result("key", "digest", "two", NOW)
    assert store.remembered("key", "digest") == "one"


def test_a_request_key_serves_one_request(store: Store) -> None:
    store.remember_result("key", "digest", "one", NOW)
    with pytest.raises(StoreError, match="another request"):
        store.remembered("key", "other")
    with pytest.raises(StoreError, match="another request"):
        store.remember_result("key", "other", "two", NOW)


def test_counts_of_an_empty_store_name_every_word(store: Store) -> None:
    counts = store.counts()
    assert set(counts.values()) == {0}
    assert {"windows", "events", "unreadable_lines", "review"} < counts.keys()
    assert {"pending", "quarantined", "applied", "active", "stale", "archived"} < counts.keys()


def test_counts(store: Store) -> None:
    dreamed(store, change(None, memory("m1")), change(None, memory("m2")))
    put(store, said("s"), into=window("sub", kind=WindowKind.SUBAGENT))
    put(store, said("b"), into=window("b"))
    claimed(store, "d2", "event:b")
    for path, unreadable in (("/f", 2), ("/g", 3)):
        cursor = Cursor(source="event", path=path, identity="1", offset=1, unreadable=unreadable)
        assert store.save_cursor(cursor, None)
    counts = store.counts()
    expected = {"windows": 2, "events": 5, "unreadable_lines": 5, "review": 0}
    expected |= {"applied": 1, "pending": 1, "running": 0, "active": 2, "archived": 0}
    assert {word: counts[word] for word in expected} == expected
