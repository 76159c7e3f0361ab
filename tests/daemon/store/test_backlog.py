"""Conformance: the backlog of a window that was old at adoption."""

from __future__ import annotations

from memgardend.core.ports import Store
from memgardend.core.records import IngestBatch, IngestResult, NewEvent
from memgardend.core.words import Role
from support.stores import NOW, claimed, dreaming, put, rev, said, window


def old(store: Store, *, woken: bool = False) -> None:
    """A window registered without events; with `woken` somebody spoke in it since."""
    put(store, old=True, into=window(last_event_at=NOW - 9, last_speech_at=NOW - 9))
    if woken:
        put(store, said("9", "after"))


def give(store: Store, *events: NewEvent) -> IngestResult:
    return store.ingest_backlog(IngestBatch(window=window(), events=events, received_at=NOW))


def test_earlier_events_end_at_zero_and_are_due(store: Store) -> None:
    old(store)
    before = rev(store)
    assert give(store, said("1"), said("2", role=Role.TOOL), said("3")).accepted == 3
    assert [event.seq for event in store.events("event:a", -9)] == [-2, -1, 0]
    [facts] = store.window_facts()
    assert (facts.window.baseline, facts.window.dreamed_seq) == (-3, -3)
    assert facts.new_events == 2
    assert facts.window.rev > before
    assert store.windows_with_news() == ["event:a"]
    assert list(store.violations()) == []


def test_a_woken_window_keeps_what_came_after(store: Store) -> None:
    old(store, woken=True)
    result = give(store, said("1"), said("9", "after"))
    assert (result.accepted, result.duplicate) == (1, 1)
    assert [(e.seq, e.text) for e in store.events("event:a", -9)] == [(0, "text 1"), (1, "after")]
    [facts] = store.window_facts()
    assert (facts.new_events, facts.window.last_seq, facts.window.last_speech_seq) == (2, 1, 1)


def test_an_earlier_wording_of_a_later_event_is_no_earlier_event(store: Store) -> None:
    old(store, woken=True)
    assert give(store, said("1"), said("9", "before it was edited")).accepted == 1
    assert [event.text for event in store.events("event:a", -9)] == ["text 1", "after"]


def test_edits_within_the_backlog_find_their_original(store: Store) -> None:
    old(store)
    give(store, said("1", "one"), said("2"), said("1", "two"))
    events = store.events("event:a", -9)
    assert [(e.seq, e.replaces, e.replaced) for e in events] == [
        (-2, None, True),
        (-1, None, False),
        (0, -2, False),
    ]


def test_copies_of_another_window_stay_replays(store: Store) -> None:
    put(store, said("1"), into=window("b"))
    old(store)
    assert give(store, said("1"), said("2")).replays == 1
    assert [facts.new_events for facts in store.window_facts()] == [1, 1]


def test_it_is_given_once_and_only_to_old_windows_without_a_dream(store: Store) -> None:
    put(store, said("1"))
    assert give(store, said("0")).stale
    assert len(store.events("event:a", -9)) == 1


def test_a_second_backlog_is_refused(store: Store) -> None:
    old(store)
    give(store, said("1"))
    assert give(store, said("2")).stale
    assert give(store).stale


def test_a_window_with_a_dream_keeps_its_baseline(store: Store) -> None:
    old(store, woken=True)
    claimed(store)
    assert give(store, said("1")).stale


def test_nothing_earlier_changes_nothing(store: Store) -> None:
    old(store)
    before = store.window("event:a")
    assert give(store).accepted == 0
    assert store.window("event:a") == before


def test_a_running_dream_is_cancelled_only_on_request(store: Store) -> None:
    lease = dreaming(store)
    assert not store.cancel(lease.dream, NOW, "by_person")
    assert store.cancel(lease.dream, NOW, "by_person", running=True)
    assert not store.cancel(lease.dream, NOW, "by_person", running=True)
    assert list(store.violations()) == []
