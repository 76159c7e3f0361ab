"""Vendors' dated rules: in force from an instant on, on the vendor's own calendar."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memgardend.core.clock import MINUTE_MS
from memgardend.core.suppression import PeakWindow, Suppression
from memgardend.core.vendor_calendar import DEEPSEEK_ZONE, DatedCalendar, Rule, deepseek

VECTORS = Path(__file__).parents[2] / "../shared/cases/peak-vectors.json"
ZONE = ZoneInfo(DEEPSEEK_ZONE)


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def iso(instant: int | None) -> str | None:
    return None if instant is None else datetime.fromtimestamp(instant / 1000, UTC).isoformat()


ROWS = {
    "before-peak-prices": ("2026-08-14T02:00Z", False),
    "the-first-peak-of-all": ("2026-08-17T01:00Z", True),
    "a-weekend-before-it-was-free": ("2026-08-22T01:30Z", True),
    "the-first-free-weekend": ("2026-08-23T01:30Z", False),
    "monday-morning": ("2026-08-24T01:00Z", True),
    "monday-noon": ("2026-08-24T04:00Z", False),
    "a-holiday-is-not-covered": ("2026-10-01T02:00Z", True),
    "a-saturday-years-later": ("2029-03-03T02:00Z", False),
}


@pytest.mark.parametrize(("at", "expected"), ROWS.values(), ids=ROWS)
def test_deepseek_by_date(at: str, expected: bool) -> None:
    assert deepseek(ZONE, 0).suppressed(ms(at)) is expected


def test_no_peak_is_awaited_before_the_rules_began() -> None:
    calendar = deepseek(ZONE, 15 * MINUTE_MS)
    at = ms("2026-08-01T00:00Z")
    assert calendar.next_allowed(at) == at
    assert iso(calendar.next_change(at)) == "2026-08-17T00:45:00+00:00"
    assert not calendar.never_allows


def test_the_lead_holds_before_each_peak() -> None:
    calendar = deepseek(ZONE, 15 * MINUTE_MS)
    assert calendar.suppressed(ms("2026-08-24T00:45Z"))
    assert not calendar.suppressed(ms("2026-08-24T00:44:59Z"))
    assert not calendar.in_peak(ms("2026-08-24T00:45Z"))
    assert iso(calendar.next_allowed(ms("2026-08-24T00:45Z"))) == "2026-08-24T04:00:00+00:00"
    assert iso(calendar.suppressed_since(ms("2026-08-24T02:00Z"))) == "2026-08-24T00:45:00+00:00"


def schedule(vectors: dict[str, Any], name: str) -> Suppression:
    """A schedule of the vectors: every day at first, and on its weekdays from its date on."""
    if name.startswith("deepseek"):
        return deepseek(ZONE, 0)
    given = vectors["schedules"][name]
    weekdays = frozenset(day - 1 for day in given["peak_weekdays"])
    daily, weekly = (
        tuple(
            PeakWindow((int(start[:2]) + 8) % 24 * 60, (int(end[:2]) + 8) % 24 * 60, days)
            for start, end in given["peak_windows_utc"]
        )
        for days in (None, weekdays)
    )
    free = ms(given["weekend_offpeak_effective_utc"])
    return DatedCalendar((Rule(0, daily), Rule(free, weekly)), ZONE, 0)


_VECTORS: dict[str, Any] = (
    json.loads(VECTORS.read_text("utf-8"))
    if VECTORS.exists()
    else {"vectors": [], "next_boundary_vectors": []}
)
needs_vectors = pytest.mark.skipif(not VECTORS.exists(), reason="the shared vectors are not here")


@needs_vectors
@pytest.mark.parametrize(
    "vector", _VECTORS["vectors"], ids=lambda v: f"{v['schedule']}-{v['at_utc']}"
)
def test_shared_vectors(vector: dict[str, str]) -> None:
    calendar = schedule(_VECTORS, vector["schedule"])
    assert calendar.in_peak(ms(vector["at_utc"])) is (vector["expect"] == "peak")


@needs_vectors
@pytest.mark.parametrize(
    "vector", _VECTORS["next_boundary_vectors"], ids=lambda v: str(v["from_utc"])
)
def test_shared_boundaries(vector: dict[str, str]) -> None:
    calendar = schedule(_VECTORS, vector["schedule"])
    change = calendar.next_change(ms(vector["from_utc"]))
    assert change == ms(vector["expect_next_change_utc"])
    assert calendar.in_peak(change) is (vector["expect_next_phase"] == "peak")
