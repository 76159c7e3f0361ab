"""Pushed events: good lines go in whatever stands between them."""

from __future__ import annotations

import json
from datetime import UTC

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.core.records import Project
from memgardend.jobs.push import BATCH_EVENTS, PushReport, Rejection, push_events


def _line(window: str, number: int, text: str = "hello", **more: str) -> str:
    at = f"2026-11-01T00:00:00.{number % 1000:03}Z"
    event = {"window": window, "id": f"{window}-{number}", "at": at, "role": "human", "text": text}
    return json.dumps(event | more)


def _push(store: Store, clock: ManualClock, *lines: str) -> PushReport:
    return push_events(
        store,
        lines,
        clock=clock,
        key=b"k" * 32,
        zone=UTC,
        resolve_project=lambda cwd: Project(id="p1", name="x", root=cwd) if cwd else None,
    )


def test_bad_lines_are_named_and_later_good_ones_go_in(store: Store, clock: ManualClock) -> None:
    report = _push(store, clock, _line("w", 1), "", "{", _line("w", 2, role="boss"), _line("w", 3))
    assert (report.accepted, report.duplicate) == (2, 0)
    assert report.rejected == [
        Rejection(3, "no JSON object"),
        Rejection(4, "role is 'boss': must be one of human, assistant, tool, system, script"),
    ]
    assert [event.native_id for event in store.events("event:w")] == ["w-1", "w-3"]


def test_the_same_lines_again_are_duplicates(store: Store, clock: ManualClock) -> None:
    lines = [_line("w", 1), _line("w", 2)]
    _push(store, clock, *lines)
    assert _push(store, clock, *lines, lines[0]).duplicate == 3


def test_windows_may_be_mixed_and_old(store: Store, clock: ManualClock) -> None:
    lines = [_line("v", 1, cwd="/srv/x", title="First"), _line("w", 2), _line("v", 3, title="Last")]
    assert _push(store, clock, *lines).accepted == 3
    window = store.window("event:v")
    assert window is not None
    assert (window.cwd, window.title, window.project, window.baseline) == (
        "/srv/x",
        "Last",
        "p1",
        None,
    )
    assert [event.seq for event in store.events("event:v")] == [1, 2]


def test_a_long_push_is_written_in_batches(store: Store, clock: ManualClock) -> None:
    report = _push(store, clock, *(_line("w", n, f"turn {n}") for n in range(BATCH_EVENTS + 5)))
    assert report.accepted == BATCH_EVENTS + 5
    assert len(store.events("event:w")) == BATCH_EVENTS + 5


def test_windows_that_take_turns_cost_a_transaction_each_not_a_turn(
    store: Store, clock: ManualClock
) -> None:
    lines = [_line(window, n, f"turn {n}") for n in range(50) for window in ("a", "b")]
    assert _push(store, clock, *lines).accepted == 100
    for name in ("a", "b"):
        window = store.window(f"event:{name}")
        assert window is not None
        assert window.rev == 1
        assert [e.text for e in store.events(window.id)] == [f"turn {n}" for n in range(50)]


def test_a_future_time_is_that_of_receipt(store: Store, clock: ManualClock) -> None:
    _push(store, clock, _line("w", 1, at="2030-01-01T00:00:00Z"))
    (event,) = store.events("event:w")
    assert event.at == clock.now_ms()
