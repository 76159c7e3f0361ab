"""Peak suppression: exact rows, the shared cases, and a minute-by-minute oracle around clock changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgardend.core.clock import DAY_MS, MINUTE_MS
from memgardend.core.suppression import PeakCalendar, PeakWindow

SHARED = Path(__file__).parents[2] / "../shared/cases"
OFFICE = (("09:00", "12:00"), ("14:00", "18:00"))
MONDAY_TO_FRIDAY = frozenset(range(5))


def minute(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def iso(instant: int | None) -> str | None:
    return (
        None
        if instant is None
        else datetime.fromtimestamp(instant / 1000, UTC).strftime("%m-%dT%H:%M:%SZ")
    )


def calendar(
    windows: Any,
    zone: str = "Asia/Shanghai",
    lead_minutes: int = 15,
    weekdays: frozenset[int] | None = None,
) -> PeakCalendar:
    return PeakCalendar(
        tuple(PeakWindow(minute(start), minute(end), weekdays) for start, end in windows),
        ZoneInfo(zone),
        lead_minutes * MINUTE_MS,
    )


# zone, windows, lead in minutes, instant, next allowed (None: never)
ROWS = {
    "free-well-before": ("Asia/Shanghai", OFFICE, 15, "2026-11-30T00:30:00Z", "11-30T00:30:00Z"),
    "a-second-before-the-lead": (
        "Asia/Shanghai",
        OFFICE,
        15,
        "2026-11-30T00:44:59Z",
        "11-30T00:44:59Z",
    ),
    "lead-start-is-inside": (
        "Asia/Shanghai",
        OFFICE,
        15,
        "2026-11-30T00:45:00Z",
        "11-30T04:00:00Z",
    ),
    "end-is-outside": ("Asia/Shanghai", OFFICE, 15, "2026-11-30T04:00:00Z", "11-30T04:00:00Z"),
    "gap-as-long-as-the-lead": (
        "Asia/Shanghai",
        OFFICE,
        120,
        "2026-11-30T04:00:00Z",
        "11-30T10:00:00Z",
    ),
    "gap-a-minute-longer": (
        "Asia/Shanghai",
        OFFICE,
        119,
        "2026-11-30T03:30:00Z",
        "11-30T04:00:00Z",
    ),
    "windows-that-touch": (
        "UTC",
        (("09:00", "12:00"), ("12:00", "14:00")),
        0,
        "2026-11-30T10:00:00Z",
        "11-30T14:00:00Z",
    ),
    "across-midnight": (
        "UTC",
        (("22:00", "06:00"),),
        15,
        "2026-11-30T21:45:00Z",
        "12-01T06:00:00Z",
    ),
    "until-24-00": ("UTC", (("20:00", "24:00"),), 15, "2026-11-30T23:59:59Z", "12-01T00:00:00Z"),
    "lead-across-midnight": (
        "UTC",
        (("00:05", "01:00"),),
        15,
        "2026-11-30T23:50:00Z",
        "12-01T01:00:00Z",
    ),
    "never": ("UTC", (("00:10", "24:00"),), 15, "2026-11-30T05:00:00Z", None),
    "whole-day": ("UTC", (("00:00", "24:00"),), 0, "2026-11-30T05:00:00Z", None),
    "no-windows": ("UTC", (), 15, "2026-11-30T05:00:00Z", "11-30T05:00:00Z"),
    "gap-hides-a-window": (
        "America/New_York",
        (("02:15", "02:45"),),
        15,
        "2026-03-08T07:00:00Z",
        "03-08T07:00:00Z",
    ),
    "lead-is-elapsed-time": (
        "America/New_York",
        (("03:00", "04:00"),),
        15,
        "2026-03-08T06:45:00Z",
        "03-08T08:00:00Z",
    ),
    "fold-repeats-a-window": (
        "America/New_York",
        (("01:15", "01:45"),),
        15,
        "2026-11-01T06:00:00Z",
        "11-01T06:45:00Z",
    ),
    "fold-lengthens-a-night": (
        "America/New_York",
        (("22:00", "06:00"),),
        15,
        "2026-11-01T02:00:00Z",
        "11-01T11:00:00Z",
    ),
    "half-an-hour-of-gap": (
        "Australia/Lord_Howe",
        (("02:15", "03:00"),),
        15,
        "2026-10-03T15:15:00Z",
        "10-03T16:00:00Z",
    ),
    "zone-of-45-minutes": ("Asia/Kathmandu", OFFICE, 15, "2026-11-30T03:00:00Z", "11-30T06:15:00Z"),
    "two-hours-of-gap": (
        "Antarctica/Troll",
        (("02:30", "04:00"),),
        0,
        "2026-03-29T01:00:00Z",
        "03-29T02:00:00Z",
    ),
    "a-day-that-was-left-out": (
        "Pacific/Apia",
        (("09:00", "12:00"),),
        15,
        "2011-12-30T19:00:00Z",
        "12-30T22:00:00Z",
    ),
    # Half an hour is free each day and swallowed by the lead; the repeated half-hour of autumn doubles it.
    "free-at-a-clock-change-only": (
        "Australia/Lord_Howe",
        (("02:00", "01:30"),),
        30,
        "2026-03-01T00:00:00Z",
        "04-04T14:30:00Z",
    ),
}


@pytest.mark.parametrize(("zone", "windows", "lead", "at", "allowed"), ROWS.values(), ids=ROWS)
def test_next_allowed_is_exact(
    zone: str, windows: Any, lead: int, at: str, allowed: str | None
) -> None:
    peaks = calendar(windows, zone, lead)
    assert iso(peaks.next_allowed(ms(at))) == allowed
    assert peaks.suppressed(ms(at)) is (iso(ms(at)) != allowed)


WEEKDAY_ROWS = {
    "friday-is-a-peak": ("2026-12-04T09:00:00Z", True),
    "saturday-is-not": ("2026-12-05T09:00:00Z", False),
    "friday-night-reaches-into-saturday": ("2026-12-05T05:59:59Z", True),
    "friday-night-ends": ("2026-12-05T06:00:00Z", False),
    "sunday-night-does-not-start": ("2026-12-06T23:00:00Z", False),
    "monday-morning-belongs-to-sunday": ("2026-12-07T05:00:00Z", False),
}


@pytest.mark.parametrize(("at", "expected"), WEEKDAY_ROWS.values(), ids=WEEKDAY_ROWS)
def test_a_weekday_is_the_local_day_on_which_the_window_starts(at: str, expected: bool) -> None:
    peaks = calendar((*OFFICE, ("22:00", "06:00")), "UTC", 0, MONDAY_TO_FRIDAY)
    assert peaks.suppressed(ms(at)) is expected


def test_a_weekday_is_read_in_the_zone_and_not_in_utc() -> None:
    peaks = calendar((("00:00", "06:00"),), "Asia/Shanghai", 0, MONDAY_TO_FRIDAY)
    assert peaks.suppressed(ms("2026-11-29T16:30:00Z"))  # Monday 00:30 there
    assert not peaks.suppressed(ms("2026-11-27T16:30:00Z"))  # Saturday 00:30 there


def test_sunday_night_goes_on_in_the_week_after() -> None:
    peaks = calendar((("22:00", "06:00"),), "UTC", 0, frozenset({6}))
    assert iso(peaks.next_allowed(ms("2026-11-29T22:00:00Z"))) == "11-30T06:00:00Z"


def test_next_change_skips_edges_where_nothing_changes() -> None:
    peaks = calendar(OFFICE, "Asia/Shanghai", 0, MONDAY_TO_FRIDAY)
    assert iso(peaks.next_change(ms("2026-12-04T10:30:00Z"))) == "12-07T01:00:00Z"
    joined = calendar((("09:00", "12:00"), ("12:10", "13:00")), "UTC", 15)
    assert iso(joined.next_change(ms("2026-12-04T11:00:00Z"))) == "12-04T13:00:00Z"


def test_next_change_of_what_never_changes_is_none() -> None:
    assert calendar(()).next_change(0) is None
    assert calendar((("00:00", "24:00"),)).next_change(0) is None


def test_the_lead_is_suppressed_but_no_peak() -> None:
    peaks = calendar(OFFICE, "UTC", 15)
    at = ms("2026-11-30T08:50:00Z")
    assert peaks.suppressed(at)
    assert not peaks.in_peak(at)
    assert peaks.next_peak(at) == (at + 10 * MINUTE_MS, at + 190 * MINUTE_MS)
    assert peaks.in_peak(at + 10 * MINUTE_MS)


def test_suppressed_since_is_the_start_of_the_whole_stretch() -> None:
    peaks = calendar((*OFFICE, ("12:10", "14:00")), "UTC", 15)
    assert iso(peaks.suppressed_since(ms("2026-11-30T17:00:00Z"))) == "11-30T08:45:00Z"
    assert peaks.suppressed_since(ms("2026-11-30T18:00:00Z")) is None
    weekdays = calendar((("00:00", "24:00"),), "UTC", 0, MONDAY_TO_FRIDAY)
    assert iso(weekdays.suppressed_since(ms("2026-12-04T23:00:00Z"))) == "11-30T00:00:00Z"
    assert calendar((("00:00", "24:00"),)).suppressed_since(ms("2026-12-04T23:00:00Z")) is None


NEVER_ROWS = {
    "all-day": ((("00:00", "24:00"),), 0, True),
    "the-lead-takes-the-rest": ((("00:10", "24:00"),), 15, True),
    "a-minute-is-left": ((("00:16", "24:00"),), 15, False),
    "two-halves": ((("00:00", "12:00"), ("12:00", "24:00")), 0, True),
    "the-lead-takes-the-last-gap-before-the-horizon": (
        (("00:00", "06:30"), ("08:00", "00:30")),
        90,
        True,
    ),
    "office": (OFFICE, 15, False),
    "nothing": ((), 15, False),
}


@pytest.mark.parametrize(("windows", "lead", "expected"), NEVER_ROWS.values(), ids=NEVER_ROWS)
def test_never_allows(windows: Any, lead: int, expected: bool) -> None:
    peaks = calendar(windows, "UTC", lead)
    assert peaks.never_allows is expected
    for hour in range(24):  # wherever in a day the horizon falls
        assert (peaks.next_allowed(hour * 60 * MINUTE_MS) is None) is expected


@pytest.mark.parametrize(
    ("start", "end", "weekdays"),
    [(540, 540, None), (1440, 60, None), (-1, 60, None), (0, 1441, None), (0, 60, frozenset({7}))],
    ids=["empty", "starts-at-24-00", "negative", "past-24-00", "an-eighth-day"],
)
def test_what_is_no_window_is_refused(
    start: int, end: int, weekdays: frozenset[int] | None
) -> None:
    with pytest.raises(ValueError, match=r"peak window|weekdays"):
        PeakWindow(start, end, weekdays)


def shared(name: str) -> Any:
    path = SHARED / name
    return json.loads(path.read_text("utf-8")) if path.exists() else None


_SHARED_CASES = shared("suppression-cases.json")
_MEOW_CASES = shared("meow-cases.json")


@pytest.mark.skipif(_SHARED_CASES is None, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", (_SHARED_CASES or {"cases": ()})["cases"], ids=lambda case: str(case["id"])
)
def test_shared_suppression_cases(case: dict[str, Any]) -> None:
    peaks = calendar(case["windows"], case["zone"], case["lead_minutes"])
    at, allowed = ms(case["instant_utc"]), case["next_allowed_utc"]
    assert peaks.suppressed(at) is case["suppressed"]
    assert peaks.next_allowed(at) == (None if allowed is None else ms(allowed))


@pytest.mark.skipif(_MEOW_CASES is None, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case",
    [c for c in _MEOW_CASES or () if c["id"].startswith("SUP") and c["ours"] == "same"],
    ids=lambda case: str(case["id"]),
)
def test_shared_ancestor_cases(case: dict[str, Any]) -> None:
    given = case["input"]
    peaks = calendar(given["windows"], given["timeZone"], given["leadMinutes"])
    local, offset = given["localTime"].split()
    assert peaks.suppressed(ms(f"2026-11-30T{local}:00{offset}")) is case["expected"]


# An instant close to a clock change of each zone, and one far from any.
INSTANTS = {
    "America/New_York": ("2026-03-08T07:00Z", "2026-11-01T06:00Z", "2026-07-01T00:00Z"),
    "Europe/Berlin": ("2026-03-29T01:00Z", "2026-10-25T01:00Z"),
    "Australia/Lord_Howe": ("2026-10-03T15:30Z", "2026-04-04T15:00Z"),
    "Africa/Cairo": ("2026-04-23T22:00Z", "2026-10-29T21:00Z"),
    "Africa/Casablanca": ("2026-02-15T02:00Z", "2026-03-22T02:00Z"),
    "Antarctica/Troll": ("2026-03-29T01:00Z", "2026-10-25T01:00Z"),
    "America/Havana": ("2026-03-08T05:00Z", "2026-11-01T05:00Z"),
    "Pacific/Apia": ("2011-12-30T10:00Z",),
    "Pacific/Chatham": ("2026-04-04T14:00Z", "2026-09-26T14:00Z"),
    "Asia/Kathmandu": ("2026-11-30T00:00Z",),
    "Asia/Shanghai": ("2026-11-30T00:00Z",),
}
PLACES = [(zone, instant) for zone, instants in INSTANTS.items() for instant in instants]
DAYS = 3


def wall_clock_peak(windows: tuple[PeakWindow, ...], zone: ZoneInfo, at_ms: int) -> bool:
    """The oracle: read the wall clock, and look whether a window holds that time."""
    local = datetime.fromtimestamp(at_ms / 1000, zone)
    now, today = local.hour * 60 + local.minute, local.weekday()
    yesterday = (local.date() - timedelta(days=1)).weekday()
    for window in windows:
        on_today = window.weekdays is None or today in window.weekdays
        on_yesterday = window.weekdays is None or yesterday in window.weekdays
        if window.start_minute < window.end_minute:
            if on_today and window.start_minute <= now < window.end_minute:
                return True
        elif (on_today and now >= window.start_minute) or (
            on_yesterday and now < window.end_minute
        ):
            return True
    return False


windows_strategy = st.builds(
    PeakWindow,
    st.integers(0, 143).map(lambda tens: tens * 10),
    st.integers(0, 144).map(lambda tens: tens * 10 + 5).filter(lambda m: m <= 1440) | st.just(1440),
    st.none() | st.frozensets(st.integers(0, 6), min_size=1),
)


@settings(max_examples=150, deadline=None)
@given(
    place=st.sampled_from(PLACES),
    shift=st.integers(-36 * 60, 12 * 60),
    windows=st.lists(windows_strategy, max_size=3).map(tuple),
    lead=st.sampled_from((0, 1, 5, 15, 30, 90)),
)
@example(
    place=("Australia/Lord_Howe", "2026-04-04T15:00Z"),
    shift=-60,
    windows=(PeakWindow(120, 90),),
    lead=30,
)
def test_intervals_agree_with_the_wall_clock_minute_by_minute(
    place: tuple[str, str], shift: int, windows: tuple[PeakWindow, ...], lead: int
) -> None:
    zone = ZoneInfo(place[0])
    at = ms(place[1]) + shift * MINUTE_MS
    count = DAYS * 1440
    in_peak = [wall_clock_peak(windows, zone, at + i * MINUTE_MS) for i in range(count + lead + 1)]
    suppressed = [any(in_peak[i : i + lead + 1]) for i in range(count)]
    peaks = PeakCalendar(windows, zone, lead * MINUTE_MS)

    assert peaks.suppressed(at) is suppressed[0]
    assert peaks.in_peak(at) is in_peak[0]
    end = at + count * MINUTE_MS

    allowed = peaks.next_allowed(at)
    if False in suppressed:
        assert allowed == at + suppressed.index(False) * MINUTE_MS
    else:
        assert allowed is None or allowed >= end

    change = peaks.next_change(at)
    if (not suppressed[0]) in suppressed:
        assert change == at + suppressed.index(not suppressed[0]) * MINUTE_MS
    else:
        assert change is None or change >= end


@settings(max_examples=100, deadline=None)
@given(
    place=st.sampled_from(PLACES),
    shift_ms=st.integers(-2 * DAY_MS, 2 * DAY_MS),
    windows=st.lists(windows_strategy, max_size=3).map(tuple),
    lead=st.sampled_from((0, 15, 90)),
)
def test_the_answers_agree_with_each_other(
    place: tuple[str, str], shift_ms: int, windows: tuple[PeakWindow, ...], lead: int
) -> None:
    peaks = PeakCalendar(windows, ZoneInfo(place[0]), lead * MINUTE_MS)
    at = ms(place[1]) + shift_ms
    allowed, change, since = (
        peaks.next_allowed(at),
        peaks.next_change(at),
        peaks.suppressed_since(at),
    )
    if allowed is not None:
        assert not peaks.suppressed(allowed)
        assert allowed == at or peaks.suppressed(allowed - 1)
    if change is not None:
        assert peaks.suppressed(change) is not peaks.suppressed(at)
        assert peaks.suppressed(change - 1) is peaks.suppressed(at)
    if since is not None:
        assert peaks.suppressed(since)
        assert not peaks.suppressed(since - 1)
        assert peaks.next_allowed(since) == allowed
    following = peaks.next_peak(at)
    if following is not None:
        start, end = following
        assert peaks.in_peak(start) and peaks.in_peak(end - 1)
        assert not peaks.in_peak(end) or end - at > 399 * DAY_MS
        assert start == at or not peaks.in_peak(start - 1)
        assert start == at or not peaks.in_peak(at)
