"""Every gate by itself: what shuts it, what it says, and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest

from memgardend.core.budget import Call, Limits, Spending
from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.gates import (
    GateSettings,
    SharedState,
    Verdict,
    judge,
    waited_too_long,
    window_state,
)
from memgardend.core.records import Dream, Window, WindowFacts
from memgardend.core.retry import Breaker
from memgardend.core.suppression import PeakCalendar, PeakWindow
from memgardend.core.words import DreamState, GateName, WindowKind, WindowState

NOW = 1_796_083_200_000  # 2026-12-01T00:00Z
IDLE_MS = 3 * HOUR_MS
SETTINGS = GateSettings(idle_ms=IDLE_MS)
OPEN = SharedState(breaker=Breaker())
FREE = PeakCalendar((), UTC, 0)
NEVER = PeakCalendar((PeakWindow(0, 1440),), UTC, 0)
QUIET = Window(
    id="claude-code:w1",
    source="claude-code",
    native_id="w1",
    last_event_at=NOW - DAY_MS,
    last_speech_at=NOW - DAY_MS,
    last_seq=9,
    last_speech_seq=8,
    dreamed_seq=0,
)
DUE = WindowFacts(window=QUIET, new_events=8, oldest_new_at=NOW - 2 * DAY_MS)


def peak_from(start_ms: int, hours: int, lead_ms: int = 0) -> PeakCalendar:
    """One peak that starts `start_ms` after NOW (midnight) and lasts some hours, each day."""
    start = start_ms // MINUTE_MS
    return PeakCalendar((PeakWindow(start % 1440, (start + hours * 60) % 1440),), UTC, lead_ms)


def facts(window: dict[str, Any] | None = None, **changes: Any) -> WindowFacts:
    return replace(DUE, window=replace(QUIET, **(window or {})), **changes)


def dream(state: DreamState, **changes: Any) -> Dream:
    return replace(Dream(id="d1", window=QUIET.id, state=state), **changes)


def shut_names(verdict: Verdict) -> list[str]:
    return [gate.name.value for gate in verdict.holds]


def test_a_quiet_window_with_news_may_dream() -> None:
    verdict = judge(DUE, NOW, SETTINGS, OPEN, FREE)
    assert verdict.may
    assert verdict.next_at == NOW
    assert verdict.holds == ()
    assert [gate.name for gate in verdict.gates] == list(GateName)
    assert all(gate.value and gate.want for gate in verdict.gates)


# facts, settings, state, calendar -> the one gate that is shut, and until when
SHUT: dict[
    str, tuple[WindowFacts, GateSettings, SharedState, PeakCalendar, GateName, int | None]
] = {
    "sub-agent": (facts({"kind": WindowKind.SUBAGENT}), SETTINGS, OPEN, FREE, GateName.KIND, None),
    "our-own-run": (facts({"kind": WindowKind.OWN}), SETTINGS, OPEN, FREE, GateName.KIND, None),
    "archived": (facts({"archived": True}), SETTINGS, OPEN, FREE, GateName.ARCHIVED, None),
    "skipped": (facts({"skip": True}), SETTINGS, OPEN, FREE, GateName.SKIPPED, None),
    "nothing-new": (facts(new_events=0), SETTINGS, OPEN, FREE, GateName.NOTHING_NEW, None),
    "active": (
        facts({"last_event_at": NOW - HOUR_MS}),
        SETTINGS,
        OPEN,
        FREE,
        GateName.ACTIVE,
        NOW + 2 * HOUR_MS,
    ),
    "active-a-moment-ahead-of-the-clock": (
        facts({"last_event_at": NOW + 5_000}),
        SETTINGS,
        OPEN,
        FREE,
        GateName.ACTIVE,
        NOW + 5_000 + IDLE_MS,
    ),
    "quarantined": (
        facts(open_dream=dream(DreamState.QUARANTINED, attempts=5, reason="unusable")),
        SETTINGS,
        OPEN,
        FREE,
        GateName.QUARANTINED,
        None,
    ),
    "failed": (
        facts(open_dream=dream(DreamState.FAILED, failures=2, next_attempt_at=NOW + MINUTE_MS)),
        SETTINGS,
        OPEN,
        FREE,
        GateName.BACKOFF,
        NOW + MINUTE_MS,
    ),
    "running": (
        facts(open_dream=dream(DreamState.RUNNING, lease_until=NOW + MINUTE_MS)),
        SETTINGS,
        OPEN,
        FREE,
        GateName.CLAIMED,
        NOW + MINUTE_MS,
    ),
    "pending-for-later": (
        facts(open_dream=dream(DreamState.PENDING, next_attempt_at=NOW + HOUR_MS, reason="parked")),
        SETTINGS,
        OPEN,
        FREE,
        GateName.CLAIMED,
        NOW + HOUR_MS,
    ),
    "peak": (DUE, SETTINGS, OPEN, peak_from(0, 4), GateName.PEAK, NOW + 4 * HOUR_MS),
    "lead": (
        DUE,
        SETTINGS,
        OPEN,
        peak_from(10 * MINUTE_MS, 4, 15 * MINUTE_MS),
        GateName.PEAK,
        NOW + 4 * HOUR_MS + 10 * MINUTE_MS,
    ),
    "never-off-peak": (DUE, SETTINGS, OPEN, NEVER, GateName.PEAK, None),
    "would-run-into-a-peak": (
        DUE,
        replace(SETTINGS, avoid_crossing=True),
        replace(OPEN, p90_ms=HOUR_MS),
        peak_from(59 * MINUTE_MS, 4),
        GateName.PEAK,
        NOW + 4 * HOUR_MS + 59 * MINUTE_MS,
    ),
    "no-stretch-is-long-enough": (
        DUE,
        replace(SETTINGS, avoid_crossing=True),
        replace(OPEN, p90_ms=21 * HOUR_MS),
        peak_from(HOUR_MS, 4),
        GateName.PEAK,
        None,
    ),
    "budget": (
        DUE,
        SETTINGS,
        replace(OPEN, budget=Spending(Limits(zone=UTC, calls_per_hour=1), (Call(NOW),))),
        FREE,
        GateName.BUDGET,
        NOW + HOUR_MS,
    ),
    "breaker": (
        DUE,
        SETTINGS,
        replace(OPEN, breaker=Breaker(3, NOW + MINUTE_MS)),
        FREE,
        GateName.BREAKER,
        NOW + MINUTE_MS,
    ),
    "breaker-with-a-probe": (
        DUE,
        SETTINGS,
        replace(OPEN, breaker=Breaker(3, NOW + MINUTE_MS, "d9")),
        FREE,
        GateName.BREAKER,
        NOW + MINUTE_MS,
    ),
    "paused": (DUE, SETTINGS, replace(OPEN, paused=True), FREE, GateName.PAUSED, None),
    "paused-for-an-hour": (
        DUE,
        SETTINGS,
        replace(OPEN, paused=True, paused_until=NOW + HOUR_MS),
        FREE,
        GateName.PAUSED,
        NOW + HOUR_MS,
    ),
    "turned-off": (DUE, replace(SETTINGS, enabled=False), OPEN, FREE, GateName.PAUSED, None),
}


@pytest.mark.parametrize(
    ("given", "settings", "state", "calendar", "name", "until"), SHUT.values(), ids=SHUT
)
def test_what_shuts_each_gate(
    given: WindowFacts,
    settings: GateSettings,
    state: SharedState,
    calendar: PeakCalendar,
    name: GateName,
    until: int | None,
) -> None:
    verdict = judge(given, NOW, settings, state, calendar)
    assert shut_names(verdict) == [name]
    assert not verdict.may
    assert verdict.next_at == until
    gate = verdict.gate(name)
    assert gate.until == until
    assert gate.reason
    assert gate.value != gate.want
    if until is not None:
        assert judge(given, until, settings, state, calendar).may
        assert not judge(given, until - 1, settings, state, calendar).may


def test_the_reason_for_being_turned_off_names_the_setting() -> None:
    verdict = judge(DUE, NOW, replace(SETTINGS, enabled=False), OPEN, FREE)
    assert "dream.enabled" in verdict.gate(GateName.PAUSED).reason


def test_since_is_told_where_it_is_known() -> None:
    spoken = judge(facts({"last_event_at": NOW - HOUR_MS}), NOW, SETTINGS, OPEN, FREE)
    assert spoken.gate(GateName.ACTIVE).since == NOW - HOUR_MS
    peak = judge(DUE, NOW + 2 * HOUR_MS, SETTINGS, OPEN, peak_from(HOUR_MS, 4, 15 * MINUTE_MS))
    assert peak.gate(GateName.PEAK).since == NOW + 45 * MINUTE_MS


OPEN_ROWS = {
    "idle-to-the-millisecond": facts({"last_event_at": NOW - IDLE_MS}),
    "a-clock-that-was-years-ahead": facts({"last_event_at": NOW + 900 * DAY_MS}),
    "no-activity-known": facts({"last_event_at": None}),
    "failed-and-its-instant-has-come": facts(
        open_dream=dream(DreamState.FAILED, failures=1, next_attempt_at=NOW)
    ),
    "pending": facts(open_dream=dream(DreamState.PENDING)),
    "a-lease-that-ended": facts(open_dream=dream(DreamState.RUNNING, lease_until=NOW)),
    "woken-after-its-baseline": facts({"baseline": 0, "last_speech_seq": 1, "last_seq": 1}),
    "backlog-read": facts(
        {"baseline": -40, "dreamed_seq": -40, "last_speech_seq": -1, "last_seq": -1}
    ),
    "quiet-for-months": facts({"last_event_at": NOW - 100 * DAY_MS}),
}


@pytest.mark.parametrize("given", OPEN_ROWS.values(), ids=OPEN_ROWS)
def test_what_does_not_hold_a_window(given: WindowFacts) -> None:
    assert shut_names(judge(given, NOW, SETTINGS, OPEN, FREE)) == []


def test_what_ended_before_adoption_is_old() -> None:
    old = facts(
        {"baseline": 0, "last_seq": 0, "last_speech_seq": 0}, new_events=0, oldest_new_at=None
    )
    verdict = judge(old, NOW, SETTINGS, OPEN, FREE)
    assert shut_names(verdict) == ["nothing_new", "old"]
    assert verdict.holds[0].reason == "nothing was said since this workspace was first read"
    assert window_state(old, verdict, NOW) is WindowState.OLD


def test_next_at_waits_for_the_latest_gate_and_then_for_the_end_of_the_peak() -> None:
    spoken = facts({"last_event_at": NOW})  # quiet at 03:00, in the middle of a peak
    verdict = judge(spoken, NOW, SETTINGS, OPEN, peak_from(2 * HOUR_MS, 3))
    assert shut_names(verdict) == ["active"]
    assert verdict.gate(GateName.ACTIVE).until == NOW + 3 * HOUR_MS
    assert verdict.next_at == NOW + 5 * HOUR_MS


def test_a_gate_that_time_does_not_open_leaves_no_next_instant() -> None:
    verdict = judge(facts({"skip": True, "last_event_at": NOW}), NOW, SETTINGS, OPEN, FREE)
    assert shut_names(verdict) == ["skipped", "active"]
    assert verdict.next_at is None


def test_max_wait_opens_a_window_that_never_goes_quiet() -> None:
    busy = facts({"last_event_at": NOW}, oldest_new_at=NOW - 23 * HOUR_MS)
    patient = replace(SETTINGS, max_wait_ms=24 * HOUR_MS)
    verdict = judge(busy, NOW, patient, OPEN, FREE)
    assert verdict.next_at == NOW + HOUR_MS
    assert not waited_too_long(busy, NOW, patient)

    later = NOW + HOUR_MS
    opened = judge(busy, later, patient, OPEN, FREE)
    assert opened.may
    assert "24 h old" in opened.gate(GateName.ACTIVE).value
    assert waited_too_long(busy, later, patient)
    assert not waited_too_long(busy, NOW + IDLE_MS, patient)  # quiet by then: nothing is cut
    assert not waited_too_long(busy, later, SETTINGS)


def test_crossing_matters_only_when_it_is_asked_for_and_the_length_is_known() -> None:
    calendar = peak_from(59 * MINUTE_MS, 4)
    known = replace(OPEN, p90_ms=HOUR_MS)
    assert judge(DUE, NOW, SETTINGS, known, calendar).may
    assert judge(DUE, NOW, replace(SETTINGS, avoid_crossing=True), OPEN, calendar).may
    just_fits = replace(OPEN, p90_ms=59 * MINUTE_MS)
    assert judge(DUE, NOW, replace(SETTINGS, avoid_crossing=True), just_fits, calendar).may


def test_a_manual_dream_overrides_skip_idle_and_peak_and_says_so() -> None:
    busy = facts({"skip": True, "last_event_at": NOW})
    verdict = judge(busy, NOW, SETTINGS, OPEN, NEVER, manual=True)
    assert verdict.may
    assert verdict.overrode == (GateName.SKIPPED, GateName.ACTIVE, GateName.PEAK)
    assert verdict.holds == ()


def test_a_manual_dream_that_overrides_nothing_says_nothing() -> None:
    assert judge(DUE, NOW, SETTINGS, OPEN, FREE, manual=True).overrode == ()


NOT_OVERRIDDEN = [
    name
    for name, row in SHUT.items()
    if row[4] not in (GateName.SKIPPED, GateName.ACTIVE, GateName.PEAK) and name != "turned-off"
]


@pytest.mark.parametrize("name", NOT_OVERRIDDEN)
def test_a_manual_dream_obeys_every_other_gate(name: str) -> None:
    given, settings, state, calendar, gate, _ = SHUT[name]
    verdict = judge(given, NOW, settings, state, calendar, manual=True)
    assert not verdict.may
    assert shut_names(verdict) == [gate]


def test_a_manual_dream_runs_where_automatic_ones_are_turned_off() -> None:
    assert judge(DUE, NOW, replace(SETTINGS, enabled=False), OPEN, FREE, manual=True).may


@pytest.mark.parametrize("state", [DreamState.FAILED, DreamState.PENDING, DreamState.RUNNING])
def test_a_dream_being_started_does_not_hold_itself(state: DreamState) -> None:
    later = NOW + HOUR_MS
    held = facts(open_dream=dream(state, next_attempt_at=later, lease_until=later))
    assert not judge(held, NOW, SETTINGS, OPEN, FREE).may
    assert judge(held, NOW, SETTINGS, OPEN, FREE, ignore_open_dream="d1").may
    assert not judge(held, NOW, SETTINGS, OPEN, FREE, ignore_open_dream="another").may


def test_the_probe_of_a_breaker_passes_it() -> None:
    probed = replace(OPEN, breaker=Breaker(3, NOW + MINUTE_MS, "d1"))
    assert judge(DUE, NOW, SETTINGS, probed, FREE, ignore_open_dream="d1").may


def test_an_open_dream_that_a_person_asked_for_keeps_its_freedom() -> None:
    asked = facts(
        {"skip": True, "last_event_at": NOW}, open_dream=dream(DreamState.PENDING, manual=True)
    )
    verdict = judge(asked, NOW, SETTINGS, OPEN, NEVER)
    assert verdict.may
    assert verdict.overrode == (GateName.SKIPPED, GateName.ACTIVE, GateName.PEAK)
    assert window_state(asked, verdict, NOW) is WindowState.DUE


DREAMED = facts({"dreamed_seq": 8}, new_events=0, oldest_new_at=None)
STATES: dict[str, tuple[WindowFacts, WindowState]] = {
    "due": (DUE, WindowState.DUE),
    "active": (facts({"last_event_at": NOW}), WindowState.ACTIVE),
    "dreamed": (DREAMED, WindowState.DREAMED),
    "dreamed-and-active-without-speech": (
        replace(DREAMED, window=replace(DREAMED.window, last_event_at=NOW)),
        WindowState.DREAMED,
    ),
    "nothing-said-yet": (facts(new_events=0), WindowState.WAITING),
    "skipped": (facts({"skip": True}), WindowState.SKIPPED),
    "archived": (facts({"archived": True, "skip": True}), WindowState.ARCHIVED),
    "aside": (facts({"kind": WindowKind.SUBAGENT, "archived": True}), WindowState.ASIDE),
    "dreaming": (
        facts(open_dream=dream(DreamState.RUNNING, lease_until=NOW + MINUTE_MS)),
        WindowState.DREAMING,
    ),
    "its-owner-is-gone": (
        facts(open_dream=dream(DreamState.RUNNING, lease_until=NOW - MINUTE_MS)),
        WindowState.DUE,
    ),
    "pending-and-open": (facts(open_dream=dream(DreamState.PENDING)), WindowState.DUE),
    "pending-and-held": (
        facts(open_dream=dream(DreamState.PENDING, next_attempt_at=NOW + MINUTE_MS)),
        WindowState.WAITING,
    ),
    "failed": (
        facts(open_dream=dream(DreamState.FAILED, next_attempt_at=NOW + MINUTE_MS)),
        WindowState.FAILED,
    ),
    "quarantined": (facts(open_dream=dream(DreamState.QUARANTINED)), WindowState.QUARANTINED),
    "review-outlives-new-speech": (facts({"last_event_at": NOW}, review=2), WindowState.REVIEW),
    "review-after-its-dream": (replace(DREAMED, review=1), WindowState.REVIEW),
}


@pytest.mark.parametrize(("given", "expected"), STATES.values(), ids=STATES)
def test_the_state_of_a_window(given: WindowFacts, expected: WindowState) -> None:
    verdict = judge(given, NOW, SETTINGS, OPEN, FREE)
    assert window_state(given, verdict, NOW) is expected


def test_a_window_held_by_a_shared_gate_waits() -> None:
    verdict = judge(DUE, NOW, SETTINGS, replace(OPEN, paused=True), FREE)
    assert window_state(DUE, verdict, NOW) is WindowState.WAITING
    pending = facts(open_dream=dream(DreamState.PENDING))
    held = judge(pending, NOW, SETTINGS, OPEN, peak_from(0, 4))
    assert window_state(pending, held, NOW) is WindowState.WAITING
    assert shut_names(held) == ["peak"]
    assert held.next_at == NOW + 4 * HOUR_MS
