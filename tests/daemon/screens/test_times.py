"""Times for a person."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from memgardend.core.times import parse_time, rfc3339
from memgardend.daemon.screens.times import View, ago, exact, moment, span, wait

ZONE = ZoneInfo("Asia/Shanghai")
VIEW = View(parse_time("2026-11-30 23:30", ZONE), ZONE, None)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1 s"),
        (41_250, "41.2 s"),
        (60_000, "1 min"),
        (3_600_000, "1 h"),
        (3_660_000, "1 h 1 min"),
        (90_000_000, "1 d 1 h"),
        (8 * 86_400_000 + 1, "8 d"),
    ],
)
def test_span(milliseconds: int, text: str) -> None:
    assert span(milliseconds) == text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "now"),
        (-1, "1 min ago"),
        (-59, "59 min ago"),
        (-60, "1 h ago"),
        (-1500, "1 d ago"),
        (5, "in 5 min"),
    ],
)
def test_ago(minutes: int, text: str) -> None:
    assert ago(rfc3339(VIEW.now_ms + minutes * 60_000), VIEW) == text


@pytest.mark.parametrize(
    ("local", "text"),
    [
        ("2026-11-30 23:45", "23:45"),
        ("2026-12-01 00:15", "tomorrow 00:15"),
        ("2026-11-29 08:00", "yesterday 08:00"),
        ("2026-12-03 09:00", "2026-12-03 09:00"),
    ],
)
def test_moment_is_a_day_of_the_zone(local: str, text: str) -> None:
    assert moment(rfc3339(parse_time(local, ZONE)), VIEW) == text


def test_exact_names_the_zone() -> None:
    assert exact("2026-11-30T15:30:00Z", VIEW) == "2026-11-30 23:30:00 Asia/Shanghai"


def test_no_time_is_a_dash() -> None:
    assert (ago(None, VIEW), moment(None, VIEW), exact(None, VIEW)) == ("-", "-", "-")


def test_wait() -> None:
    assert wait(rfc3339(VIEW.now_ms + 72 * 60_000), VIEW) == "in 1 h 12 min"
    assert wait(rfc3339(VIEW.now_ms - 1), VIEW) == "now"
