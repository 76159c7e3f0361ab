"""The budget: what counts at an instant, and the very instant at which there is room again."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.budget import Call, Limits, Spending
from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.times import parse_time
from memgardend.core.words import BudgetKind

NEW_YORK = ZoneInfo("America/New_York")


def at(text: str) -> int:
    return parse_time(text, UTC)


NOON = at("2026-12-01T12:00:00Z")
MIDNIGHT = at("2026-12-02T00:00:00Z")


def spending(*calls: Call, zone: Any = UTC, **limits: Any) -> Spending:
    return Spending(Limits(zone=zone, **limits), calls)


def ago(*minutes: int) -> list[Call]:
    return [Call(NOON - one * MINUTE_MS) for one in minutes]


CNY = {"money_per_day": Decimal("0.5"), "currency": "CNY"}
ROOM: dict[str, tuple[Spending, int | None]] = {
    "nothing is limited": (spending(*ago(*range(99))), NOON),
    "below the limit": (spending(*ago(1), calls_per_day=2), NOON),
    "a limit of nothing": (spending(calls_per_hour=0), None),
    "the day is spent": (spending(*ago(1, 2), calls_per_day=2), MIDNIGHT),
    "yesterday does not count": (spending(*ago(12 * 60 + 1), calls_per_day=1), NOON),
    "the first instant of the day does": (spending(*ago(12 * 60), calls_per_day=1), MIDNIGHT),
    "the hour is spent": (spending(*ago(50, 20), calls_per_hour=2), NOON + 10 * MINUTE_MS),
    "the hour is overspent": (
        spending(*ago(50, 40, 20), calls_per_hour=2),
        NOON + 20 * MINUTE_MS,
    ),
    "an hour ago is over": (spending(*ago(60), calls_per_hour=1), NOON),
    "a moment less is not": (spending(Call(NOON - HOUR_MS + 1), calls_per_hour=1), NOON + 1),
    "the clock was set back": (spending(*ago(-30), calls_per_hour=1), NOON + 90 * MINUTE_MS),
    "a clock that was far ahead": (spending(*ago(-61), calls_per_hour=1), NOON),
    "both, the later counts": (
        spending(*ago(1), calls_per_day=1, calls_per_hour=1),
        MIDNIGHT,
    ),
    "room at midnight, but not in the hour": (
        spending(Call(MIDNIGHT - MINUTE_MS), calls_per_day=1, calls_per_hour=1),
        MIDNIGHT + 59 * MINUTE_MS,
    ),
    "tokens below": (spending(Call(NOON, 99), tokens_per_day=100), NOON),
    "tokens at the limit": (spending(Call(NOON, 60), Call(NOON, 40), tokens_per_day=100), MIDNIGHT),
    "money below": (spending(Call(NOON, 0, Decimal("0.49"), "CNY"), **CNY), NOON),
    "money at the limit": (
        spending(*[Call(NOON, 0, Decimal("0.25"), "CNY")] * 2, **CNY),
        MIDNIGHT,
    ),
    "another currency is not added": (spending(Call(NOON, 0, Decimal(9), "USD"), **CNY), NOON),
    "an unknown cost is not added": (spending(Call(NOON, 9), **CNY), NOON),
}


@pytest.mark.parametrize("name", ROOM)
def test_when_there_is_room(name: str) -> None:
    given_, expected = ROOM[name]
    assert given_.opens(NOON) == expected


@pytest.mark.parametrize(
    ("day", "ends"),
    [
        ("2026-03-08T17:00:00Z", "2026-03-09T04:00:00Z"),
        ("2026-11-01T17:00:00Z", "2026-11-02T05:00:00Z"),
    ],
    ids=["23 hours", "25 hours"],
)
def test_a_day_ends_with_the_zone(day: str, ends: str) -> None:
    spent = spending(Call(at(day)), zone=NEW_YORK, calls_per_day=1)
    assert spent.opens(at(day)) == at(ends)


def test_what_stands_is_said_in_words() -> None:
    spent = spending(
        *[Call(NOON, 1200, Decimal("0.250000"), "CNY")] * 2,
        calls_per_hour=2,
        calls_per_day=60,
        tokens_per_day=5000,
        money_per_day=Decimal("5"),
        currency="CNY",
    )
    assert spent.text(NOON) == "2 of 2 calls within an hour"
    assert spent.text(NOON + HOUR_MS) == (
        "0 of 2 calls within an hour, 2 of 60 calls today, 2400 of 5000 tokens today, 0.5 of 5 CNY today"
    )
    opens = {one.kind: one.opens_at for one in spent.standings(NOON)}
    assert opens == {
        BudgetKind.CALLS_PER_HOUR: NOON + HOUR_MS,
        BudgetKind.CALLS_PER_DAY: NOON,
        BudgetKind.TOKENS_PER_DAY: NOON,
        BudgetKind.MONEY_PER_DAY: NOON,
    }


CALLS = st.lists(
    st.builds(
        Call,
        st.integers(-50 * 60, 50 * 60).map(lambda minutes: NOON + minutes * MINUTE_MS),
        st.integers(0, 20),
        st.none() | st.integers(0, 30).map(lambda cents: Decimal(cents) / 100),
        st.sampled_from((None, "CNY", "USD")),
    ),
    max_size=12,
).map(tuple)
LIMITS = st.builds(
    Limits,
    zone=st.sampled_from((UTC, NEW_YORK)),
    calls_per_hour=st.none() | st.integers(1, 3),
    calls_per_day=st.none() | st.integers(1, 5),
    tokens_per_day=st.none() | st.integers(1, 60),
    money_per_day=st.none() | st.integers(1, 60).map(lambda cents: Decimal(cents) / 100),
    currency=st.just("CNY"),
)


@settings(deadline=None)
@given(st.builds(Spending, LIMITS, CALLS), st.integers(0, DAY_MS // MINUTE_MS))
def test_it_opens_at_the_first_minute_at_which_nothing_is_full(spent: Spending, late: int) -> None:
    """Held against a search minute by minute; calls here lie on whole minutes."""
    now = NOON + late * MINUTE_MS
    opens = spent.opens(now)
    assert opens is not None
    moment = now
    while any(one.full for one in spent.standings(moment)):
        moment += MINUTE_MS
    assert opens == moment


@given(st.builds(Spending, LIMITS, CALLS), st.integers(0, DAY_MS // MINUTE_MS))
def test_what_came_before_since_changes_nothing(spent: Spending, late: int) -> None:
    now = NOON + late * MINUTE_MS
    since = spent.limits.since(now)
    kept = Spending(spent.limits, tuple(call for call in spent.calls if call.at >= since))
    assert kept.standings(now) == spent.standings(now)
    assert kept.opens(now) == spent.opens(now)
