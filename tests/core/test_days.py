"""Local days: where they begin and end when the clock changes."""

from __future__ import annotations

from datetime import UTC, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.config.zones import zone
from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.days import day_of
from memgardend.core.times import local, parse_time, rfc3339

DAYS = {
    "Shanghai": ("Asia/Shanghai", "2026-12-01T00:00:00Z", "2026-11-30T16:00:00Z", 24),
    "its last instant": ("Asia/Shanghai", "2026-11-30T15:59:59Z", "2026-11-29T16:00:00Z", 24),
    "its first instant": ("Asia/Shanghai", "2026-11-30T16:00:00Z", "2026-11-30T16:00:00Z", 24),
    "spring in New York": ("America/New_York", "2026-03-08T12:00:00Z", "2026-03-08T05:00:00Z", 23),
    "autumn in New York": ("America/New_York", "2026-11-01T12:00:00Z", "2026-11-01T04:00:00Z", 25),
    "half an hour of Lord Howe": (
        *("Australia/Lord_Howe", "2026-04-04T20:00:00Z", "2026-04-04T13:00:00Z"),
        24.5,
    ),
    "Beirut skips midnight": ("Asia/Beirut", "2026-03-29T12:00:00Z", "2026-03-28T22:00:00Z", 23),
    "Havana repeats midnight": (
        *("America/Havana", "2024-11-03T05:30:00Z", "2024-11-03T04:00:00Z"),
        25,
    ),
    "Apia skips a day": ("Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-29T10:00:00Z", 24),
    "and goes on with the next": (
        *("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z"),
        24,
    ),
    # At 00:01 its clock went back to 23:01: the hour is read twice, and belongs to the new day.
    "Goose Bay goes back over midnight": (
        *("America/Goose_Bay", "2010-11-07T03:30:00Z", "2010-11-07T03:00:00Z"),
        25,
    ),
}


@pytest.mark.parametrize("name", DAYS)
def test_a_day_of_a_zone(name: str) -> None:
    zone_name, at, start, hours = DAYS[name]
    found = day_of(parse_time(at, UTC), zone(zone_name))
    assert (rfc3339(found[0]), (found[1] - found[0]) / HOUR_MS) == (start, hours)


ZONES = st.sampled_from(
    ("America/New_York", "Asia/Beirut", "America/Havana", "Pacific/Apia", "Australia/Lord_Howe")
).map(zone)
INSTANTS = st.integers(946_684_800, 2_051_222_400).map(lambda seconds: seconds * 1000)
"""2000 to 2034."""


@given(INSTANTS, ZONES)
def test_days_follow_each_other_without_a_gap(at: int, place: tzinfo) -> None:
    start, end = day_of(at, place)
    assert start <= at < end
    assert day_of(start, place) == day_of(end - 1, place) == (start, end)
    assert day_of(end, place)[0] == end
    assert day_of(start - 1, place)[1] == start
    assert local(end, place).date() > local(end - MINUTE_MS, place).date()
