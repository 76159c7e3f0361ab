"""Zones, times and durations as people type them, and the calendar made from the settings."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memgardend.config.calendar import suppression
from memgardend.config.load import check
from memgardend.config.times import typed_duration, typed_time
from memgardend.config.zones import near_zones, tzdata_version, zone, zone_names
from memgardend.core.errors import ConfigError, UsageError
from memgardend.core.suppression import PeakCalendar, PeakWindow

SHARED = Path(__file__).parents[2] / "../shared"


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1000


NOW = at("2026-11-30T10:00:30Z")


@pytest.mark.parametrize(
    ("text", "zone_name", "instant"),
    [
        ("2026-12-24T18:00:00Z", "Asia/Shanghai", "2026-12-24T18:00:00Z"),
        ("2026-12-24T18:00+01:00", "Asia/Shanghai", "2026-12-24T17:00:00Z"),
        ("2026-12-24 18:00", "Asia/Shanghai", "2026-12-24T10:00:00Z"),
        ("2026-12-24", "Asia/Shanghai", "2026-12-23T16:00:00Z"),
        ("18:00", "UTC", "2026-11-30T18:00:00Z"),
        ("9:00", "UTC", "2026-12-01T09:00:00Z"),
        ("24:00", "UTC", "2026-12-01T00:00:00Z"),
        ("18:01", "Asia/Shanghai", "2026-11-30T10:01:00Z"),
        (" 18:00 ", "Asia/Shanghai", "2026-12-01T10:00:00Z"),
    ],
)
def test_typed_times(text: str, zone_name: str, instant: str) -> None:
    assert typed_time(text, NOW, zone(zone_name)) == at(instant)


@pytest.mark.parametrize(
    ("text", "now", "instant"),
    [
        # Berlin, 29 March 2026: 2:00 to 3:00 is left out
        ("2026-03-29 02:30", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"),
        ("2:30", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"),
        # Berlin, 25 October 2026: 2:00 to 3:00 comes twice
        ("2026-10-25 02:30", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
        ("2:30", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
        ("2:30", "2026-10-25T00:31:00Z", "2026-10-25T01:30:00Z"),
        ("2:30", "2026-10-25T01:31:00Z", "2026-10-26T01:30:00Z"),
    ],
)
def test_clock_changes(text: str, now: str, instant: str) -> None:
    assert typed_time(text, at(now), zone("Europe/Berlin")) == at(instant)


def test_now_is_the_next_such_time() -> None:
    noon = at("2026-11-30T12:00:00Z")
    assert typed_time("12:00", noon, zone("UTC")) == noon
    assert typed_time("12:00", noon + 1, zone("UTC")) == at("2026-12-01T12:00:00Z")


@pytest.mark.parametrize(
    "text", ["", "soon", "25:00", "12:60", "2026-13-01", "12", "tomorrow 3:00"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError, match="is not a time"):
        typed_time(text, NOW, zone("UTC"))


@pytest.mark.parametrize("text", ["0001-01-01", "1969-12-31T23:59Z", "9999-12-31"])
def test_years_without_a_before_or_an_after_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not in the years 1970 to 8999"):
        typed_time(text, NOW, zone("America/New_York"))


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("90s", 90_000),
        ("30m", 1_800_000),
        ("2h", 7_200_000),
        ("7d", 604_800_000),
        ("1 w", 604_800_000),
    ],
)
def test_durations(text: str, milliseconds: int) -> None:
    assert typed_duration(text) == milliseconds


@pytest.mark.parametrize("text", ["", "7", "d", "-1d", "1.5h", "7 days", "٧d"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError, match="is not a duration"):
        typed_duration(text)


@pytest.mark.parametrize(
    "name", ["", "Asia", "../etc/passwd", "/etc/localtime", "UTC+8", "asia/tokyo"]
)
def test_unknown_zones(name: str) -> None:
    with pytest.raises(ConfigError, match="unknown time zone"):
        zone(name)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("asia/shanghai", "Asia/Shanghai"),
        ("Shanghai", "Asia/Shanghai"),
        ("Los Angeles", "America/Los_Angeles"),
        ("Europe/Berln", "Europe/Berlin"),
        (" UTC ", "Etc/UTC"),
    ],
)
def test_near_zones(typed: str, meant: str) -> None:
    assert meant in near_zones(typed)


def test_zones_come_from_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONTZPATH", "/usr/share/zoneinfo")
    import zoneinfo

    assert zoneinfo.TZPATH == ()
    assert "Asia/Shanghai" in zone_names()
    assert zone("Asia/Shanghai") == ZoneInfo("Asia/Shanghai")
    assert tzdata_version().startswith("tzdata 20")


def test_the_calendar_holds_what_the_settings_say() -> None:
    config, _ = check(
        "locale: en\n"
        "dream:\n"
        "  time_zone: Europe/Berlin\n"
        "  suppress_lead_minutes: 5\n"
        '  suppress_windows: [{start: "9:30", end: "24:00", weekdays: [mon, sun]}, '
        '{start: "22:00", end: "1:00"}]\n'
    )
    assert config is not None
    assert suppression(config.dream) == PeakCalendar(
        (PeakWindow(570, 1440, frozenset({0, 6})), PeakWindow(1320, 60, None)),
        zone("Europe/Berlin"),
        300_000,
    )


def test_a_vendor_replaces_zone_and_windows() -> None:
    config, _ = check(
        "locale: en\ndream: {calendar: deepseek, time_zone: UTC, suppress_windows: []}\n"
    )
    assert config is not None
    plain, _ = check("locale: en\ndream: {calendar: deepseek}\n")
    assert plain is not None
    instants = [NOW + hour * 3_600_000 for hour in range(48)]
    assert [suppression(config.dream).suppressed(i) for i in instants] == [
        suppression(plain.dream).suppressed(i) for i in instants
    ]


def _shared_rows() -> list[dict[str, object]]:
    file = SHARED / "cases/suppression-cases.json"
    return json.loads(file.read_text("utf-8"))["cases"] if file.exists() else []


@pytest.mark.parametrize("row", _shared_rows(), ids=lambda row: str(row["id"]))
def test_settings_mean_what_the_shared_cases_say(row: dict[str, object]) -> None:
    windows = row["windows"]
    assert isinstance(windows, list)
    dream = {
        "time_zone": row["zone"],
        "suppress_windows": [{"start": start, "end": end} for start, end in windows],
        "suppress_lead_minutes": row["lead_minutes"],
    }
    config, problems = check(json.dumps({"locale": "en", "dream": dream}))
    assert problems == []
    assert config is not None
    rules = suppression(config.dream)
    instant = at(str(row["instant_utc"]))
    expected = row["next_allowed_utc"]
    assert rules.suppressed(instant) is row["suppressed"]
    assert rules.next_allowed(instant) == (at(str(expected)) if expected else None)
