"""Conformance: what was dreamed long ago is forgotten, and still known when it is met again."""

from __future__ import annotations

from memgardend.core.forgetting import forgotten_mark, is_forgotten
from memgardend.core.ports import Store
from memgardend.core.words import Role, RoundName
from support.stores import (
    NOW,
    asked,
    change,
    claimed,
    commit_of,
    dreamed,
    dreaming,
    memory,
    put,
    quote,
    receipt,
    said,
    stage_all,
    started,
    window,
)

LATER = NOW + 10_000


def test_only_what_a_finished_dream_was_shown_is_forgotten(store: Store) -> None:
    dreamed(store, change(None, memory(), quote()))
    put(store, said("4", "said after the dream"))
    assert store.forget(NOW, 0) == (0, 0)  # the dream ended later
    assert store.forget(LATER, 0) == (3, 0)
    events = store.events("event:a")
    assert [is_forgotten(one.text) for one in events] == [True, True, True, False]
    assert [one.role for one in events] == [Role.OWN, Role.OWN, Role.OWN, Role.HUMAN]
    assert [one.quote for one in store.evidence({"m1"})] == ["text 1"]
    assert store.window_facts("event:a")[0].new_events == 1
    assert store.violations() == []
    assert store.forget(LATER, 0) == (0, 0)


def test_a_file_that_is_read_again_and_a_copy_of_it_bring_no_news(store: Store) -> None:
    dreamed(store)
    store.forget(LATER, 0)
    again = put(store, said("1"), said("2"), said("3"), received_at=LATER)
    assert (again.accepted, again.duplicate) == (0, 3)
    copy = put(store, said("1"), said("2"), into=window("b"), received_at=LATER)
    assert (copy.accepted, copy.replays) == (2, 2)
    edited = put(store, said("1", "another text"), received_at=LATER)
    assert (edited.accepted, edited.edited) == (1, 1)


def test_events_of_a_dream_that_runs_or_was_never_finished_stay(store: Store) -> None:
    put(store, said("1"))
    claimed(store)
    started(store)
    assert store.forget(LATER, LATER) == (0, 0)
    assert store.events("event:a")[0].text == "text 1"


def test_answers_are_forgotten_and_receipts_are_not(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease)
    store.save_answer(lease, RoundName.ATOMIC, "{}", receipt())
    stage_all(store, lease)
    assert store.forget(0, LATER) == (0, 0)
    assert store.commit(commit_of(lease)).committed
    assert store.forget(0, LATER) == (0, 1)
    assert [one.answer for one in store.rounds("d1")] == [None, None, None]
    assert len(store.receipts("d1")) == 1
    assert store.violations() == []


def test_a_mark_is_no_text() -> None:
    assert is_forgotten(forgotten_mark("你好 \ud800"))
    assert not is_forgotten("forgotten sha256:")
    assert not is_forgotten(forgotten_mark("a") + " ")
