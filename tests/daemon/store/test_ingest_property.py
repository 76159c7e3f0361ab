"""Ingest is idempotent: however events are cut into batches and repeated, the rows are the same."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.ports import Store
from memgardend.core.records import Event, NewEvent, Window
from memgardend.core.words import Role
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.migrations import initialise
from memgardend.daemon.store.sqlite import SqliteGarden
from support.stores import NOW, put, window

EVENTS = st.lists(
    st.builds(
        NewEvent,
        native_id=st.sampled_from("abcdef"),
        at=st.none() | st.integers(NOW - 1000, NOW + 1000),
        role=st.sampled_from(Role),
        text=st.sampled_from(["one", "two", "three"]),
    ),
    max_size=12,
)
CUTS = st.lists(st.integers(0, 12), max_size=4)


def in_memory() -> Store:
    database = Database.open(None)
    initialise(database, NoFailpoints())
    return SqliteGarden(database, "garden", NoFailpoints())


def contents(store: Store) -> tuple[list[Event], list[Event], Window | None]:
    found = (list(store.events("event:a")), list(store.events("event:b")), store.window("event:a"))
    assert store.violations() == []
    return found


@settings(max_examples=60, deadline=None)
@given(elsewhere=EVENTS, events=EVENTS, cuts=CUTS, again=st.lists(st.integers(0, 12), max_size=3))
def test_any_cut_and_any_repetition_gives_the_same_rows(
    elsewhere: list[NewEvent], events: list[NewEvent], cuts: list[int], again: list[int]
) -> None:
    whole, cut = in_memory(), in_memory()
    for store in (whole, cut):
        put(store, *elsewhere, into=window("b"))
    accepted = put(whole, *events).accepted
    edges = [0, *sorted(min(one, len(events)) for one in cuts), len(events)]
    total = 0
    for start, end in pairwise(edges):
        total += put(cut, *events[start:end]).accepted
        put(cut, *events[: min(end, *again)] if again else ())
    put(cut, *events)
    put(cut, *elsewhere, into=window("b"))
    assert total == accepted
    events_a, events_b, window_a = contents(cut)
    expected_a, expected_b, expected_window = contents(whole)
    assert (events_a, events_b) == (expected_a, expected_b)
    if window_a is not None and expected_window is not None:
        assert window_a.rev >= expected_window.rev
        for name in (
            "last_seq",
            "last_speech_seq",
            "last_event_at",
            "last_speech_at",
            "first_event_at",
        ):
            assert getattr(window_a, name) == getattr(expected_window, name)
    whole.close()
    cut.close()
