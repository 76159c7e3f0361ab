"""What was predicted is what happens: every wait has the earliest instant at which it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.budget import Call, Limits, Spending
from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.gates import (
    OVERRIDABLE,
    GateSettings,
    SharedState,
    judge,
    rest_of,
    window_state,
)
from memgardend.core.records import Dream, Window, WindowFacts
from memgardend.core.retry import Breaker
from memgardend.core.suppression import PeakCalendar, PeakWindow
from memgardend.core.words import DreamState, GateName, WindowKind

NOW = 1_793_491_200_000  # 2026-11-01T00:00Z, a day on which New York repeats an hour
SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"

near = st.integers(-2 * DAY_MS, 2 * DAY_MS).map(lambda ms: NOW + ms)

windows = st.builds(
    Window,
    id=st.just("claude-code:w1"),
    source=st.just("claude-code"),
    native_id=st.just("w1"),
    kind=st.sampled_from((WindowKind.MAIN,) * 9 + (WindowKind.SUBAGENT,)),
    last_event_at=st.none() | near | near.map(lambda at: at + 5 * DAY_MS),
    last_speech_seq=st.integers(0, 9),
    dreamed_seq=st.integers(0, 9),
    baseline=st.none() | st.just(0),
    skip=st.sampled_from((False,) * 9 + (True,)),
    archived=st.sampled_from((False,) * 9 + (True,)),
)
dreams = st.builds(
    Dream,
    id=st.just("d1"),
    window=st.just("claude-code:w1"),
    state=st.sampled_from(
        (DreamState.PENDING, DreamState.RUNNING, DreamState.FAILED) * 3 + (DreamState.QUARANTINED,)
    ),
    lease_until=near,
    next_attempt_at=st.none() | near,
)
facts_strategy = st.builds(
    WindowFacts,
    window=windows,
    new_events=st.sampled_from((0, 1, 7, 7, 7)),
    oldest_new_at=st.none() | near,
    open_dream=st.none() | dreams,
    ended=st.booleans(),
)
settings_strategy = st.builds(
    GateSettings,
    idle_ms=st.sampled_from((0, 30 * MINUTE_MS, 3 * HOUR_MS)),
    enabled=st.sampled_from((True,) * 9 + (False,)),
    max_wait_ms=st.none() | st.just(24 * HOUR_MS),
    avoid_crossing=st.booleans(),
)
states = st.builds(
    SharedState,
    breaker=st.just(Breaker())
    | st.builds(Breaker, failures=st.just(3), open_until=near, probe=st.none() | st.just("d9")),
    paused=st.booleans(),
    paused_until=near,
    budget=st.none()
    | st.builds(
        Spending,
        st.builds(
            Limits,
            zone=st.just(ZoneInfo("America/New_York")),
            calls_per_hour=st.none() | st.integers(0, 3),
            calls_per_day=st.none() | st.integers(1, 4),
            tokens_per_day=st.none() | st.integers(1, 40),
        ),
        st.lists(st.builds(Call, near, st.integers(0, 20)), max_size=8).map(tuple),
    ),
    p90_ms=st.none() | st.sampled_from((10 * MINUTE_MS, 2 * HOUR_MS, 9 * HOUR_MS)),
)
calendars = st.builds(
    PeakCalendar,
    st.lists(
        st.builds(
            PeakWindow,
            st.integers(0, 23).map(lambda hour: hour * 60),
            st.integers(0, 23).map(lambda hour: hour * 60 + 30),
            st.none() | st.frozensets(st.integers(0, 6), min_size=1),
        ),
        max_size=3,
    ).map(tuple),
    st.sampled_from(("America/New_York", "Asia/Shanghai", "Australia/Lord_Howe")).map(ZoneInfo),
    st.sampled_from((0, 15 * MINUTE_MS, 90 * MINUTE_MS)),
)


@settings(max_examples=300, deadline=None)
@given(
    facts=facts_strategy,
    rules=settings_strategy,
    state=states,
    calendar=calendars,
    manual=st.booleans(),
    moments=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=8),
)
def test_predicted_is_actual(
    facts: WindowFacts,
    rules: GateSettings,
    state: SharedState,
    calendar: PeakCalendar,
    manual: bool,
    moments: list[float],
) -> None:
    verdict = judge(facts, NOW, rules, state, calendar, manual=manual)
    assert verdict.may is (verdict.next_at == NOW)
    assert verdict.may is (verdict.holds == ())
    end = NOW + 7 * DAY_MS if verdict.next_at is None else verdict.next_at
    if verdict.next_at is not None:
        assert judge(facts, verdict.next_at, rules, state, calendar, manual=manual).may
    for moment in moments:
        at = NOW + int((end - NOW) * moment)
        if at < end:
            assert not judge(facts, at, rules, state, calendar, manual=manual).may
    if end > NOW:
        assert not judge(facts, end - 1, rules, state, calendar, manual=manual).may


@settings(max_examples=300, deadline=None)
@given(
    first=facts_strategy,
    second=facts_strategy,
    idle_ms=st.sampled_from((0, HOUR_MS)),
    state=states,
    calendar=calendars,
)
def test_windows_that_rest_alike_have_one_verdict(
    first: WindowFacts,
    second: WindowFacts,
    idle_ms: int,
    state: SharedState,
    calendar: PeakCalendar,
) -> None:
    rules = GateSettings(idle_ms=idle_ms, max_wait_ms=HOUR_MS)
    at_rest = [replace(one, new_events=0, open_dream=None) for one in (first, second)]
    rests = [rest_of(facts, NOW, rules) for facts in at_rest]
    if rests[0] is not None and rests[0] == rests[1]:
        one, other = (judge(facts, NOW, rules, state, calendar) for facts in at_rest)
        assert one == other
        assert window_state(at_rest[0], one, NOW) == window_state(at_rest[1], other, NOW)


@pytest.mark.parametrize(
    "stirs",
    [
        {"new_events": 1},
        {"review": 1},
        {"open_dream": Dream(id="d1", window="w1", state=DreamState.PENDING)},
    ],
)
def test_what_waits_does_not_rest(stirs: dict[str, Any]) -> None:
    window = Window(id="event:w1", source="event", native_id="w1", last_event_at=NOW - DAY_MS)
    rules = GateSettings(idle_ms=HOUR_MS)
    assert rest_of(WindowFacts(window=window), NOW, rules) is not None
    assert rest_of(WindowFacts(window=window, **stirs), NOW, rules) is None
    awake = replace(window, last_event_at=NOW - HOUR_MS + 1)
    assert rest_of(WindowFacts(window=awake), NOW, rules) is None


@settings(max_examples=200, deadline=None)
@given(facts=facts_strategy, rules=settings_strategy, state=states, calendar=calendars)
def test_every_hold_has_a_reason_and_ends_when_it_says(
    facts: WindowFacts, rules: GateSettings, state: SharedState, calendar: PeakCalendar
) -> None:
    verdict = judge(facts, NOW, rules, state, calendar)
    assert [gate.name for gate in verdict.gates] == list(GateName)
    for gate in verdict.holds:
        assert gate.reason
        if gate.until is not None:
            assert gate.until > NOW
            assert judge(facts, gate.until, rules, state, calendar).gate(gate.name).open
            assert not judge(facts, gate.until - 1, rules, state, calendar).gate(gate.name).open


@settings(max_examples=200, deadline=None)
@given(facts=facts_strategy, rules=settings_strategy, state=states, calendar=calendars)
def test_a_person_never_waits_longer_than_the_sweep(
    facts: WindowFacts, rules: GateSettings, state: SharedState, calendar: PeakCalendar
) -> None:
    automatic = judge(facts, NOW, rules, state, calendar)
    manual = judge(facts, NOW, rules, state, calendar, manual=True)
    if automatic.next_at is not None:
        assert manual.next_at is not None
        assert manual.next_at <= automatic.next_at
    assert set(manual.overrode) <= set(OVERRIDABLE)
    assert not set(manual.overrode) & {gate.name for gate in manual.holds}


_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", [c for c in _CASES if c["id"].startswith("NEED")], ids=lambda case: str(case["id"])
)
def test_shared_need_cases(case: dict[str, Any]) -> None:
    """The ancestor's need for a dream is our gates `nothing_new` and `old`; it dated news, we count it."""
    given = case["input"]
    last, dreamed = given["last_event_time"], given["last_dream_time"] or 0
    news = last > dreamed
    window = Window(
        id="claude-code:w1",
        source="claude-code",
        native_id="w1",
        last_event_at=last or None,
        last_seq=2,
        last_speech_seq=2,
        dreamed_seq=2 if dreamed else 0,
    )
    facts = WindowFacts(window=window, new_events=int(news), oldest_new_at=last if news else None)
    verdict = judge(
        facts,
        given["now"],
        GateSettings(idle_ms=0),
        SharedState(breaker=Breaker()),
        PeakCalendar((), ZoneInfo("UTC"), 0),
    )
    needs = verdict.gate(GateName.NOTHING_NEW).open and verdict.gate(GateName.OLD).open
    if case["ours"] == "same":
        assert needs is case["expected"]
    elif case["id"] == "NEED03":
        assert needs, case["ours_must"]
        assert verdict.may
    else:
        assert needs is news, case["ours_must"]


def test_need07_has_no_cool_down() -> None:
    """Dreamed a moment ago, spoken to since, and quiet for as long as asked: due again."""
    window = Window(
        id="claude-code:w1",
        source="claude-code",
        native_id="w1",
        last_event_at=NOW - 3 * HOUR_MS,
        last_speech_seq=9,
        dreamed_seq=4,
    )
    facts = WindowFacts(window=window, new_events=2, oldest_new_at=NOW - 3 * HOUR_MS, ended=True)
    verdict = judge(
        facts,
        NOW,
        GateSettings(idle_ms=3 * HOUR_MS),
        SharedState(breaker=Breaker()),
        PeakCalendar((), ZoneInfo("UTC"), 0),
    )
    assert verdict.may
