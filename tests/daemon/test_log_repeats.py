"""A failure that lasts for months fills no log."""

from __future__ import annotations

from typing import Any

import pytest
import structlog

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.daemon.log_repeats import REMEMBERED, Repeats
from support.garden import START


class Log:
    """What passes: the lines, and how many like them were left out before."""

    def __init__(self) -> None:
        self.clock = ManualClock(START)
        self.passed: list[tuple[str, int | None]] = []
        self._repeats = Repeats(self.clock)

    def say(self, error: str, level: str = "error") -> None:
        entry: dict[str, Any] = {"event": "workspace_failed", "level": level, "error": error}
        entry["timestamp"] = str(self.clock.now_ms())
        try:
            passed = self._repeats(None, level, entry)
        except structlog.DropEvent:
            return
        assert {**passed, "repeated": None} == {**entry, "repeated": None}
        self.passed.append((error, passed.get("repeated")))


def test_it_is_said_once_and_then_hourly_with_a_count() -> None:
    log = Log()
    for _ in range(150):
        log.say("the disk is full")
        log.clock.advance(MINUTE_MS)
    assert log.passed == [
        ("the disk is full", None),
        ("the disk is full", 59),
        ("the disk is full", 59),
    ]


def test_changes_are_said_at_once_and_two_that_alternate_are_both_held_back() -> None:
    log = Log()
    for error in ("full", "locked", "full", "locked", "gone"):
        log.say(error)
    assert [error for error, _ in log.passed] == ["full", "locked", "gone"]


def test_a_clock_that_was_set_back_silences_nothing() -> None:
    log = Log()
    log.say("full")
    log.clock.step(-HOUR_MS)
    log.say("full")
    assert log.passed == [("full", None), ("full", None)]


@pytest.mark.parametrize(("level", "times"), [("info", 2), ("warning", 1), ("critical", 1)])
def test_only_what_is_wrong_is_held_back(level: str, times: int) -> None:
    log = Log()
    log.say("it", level)
    log.say("it", level)
    assert len(log.passed) == times


def test_what_is_remembered_is_bounded() -> None:
    log = Log()
    for number in range(REMEMBERED + 1):
        log.say(str(number))
    log.say("1")
    log.say("0")
    assert len(log.passed) == REMEMBERED + 2
    assert log.passed[-1] == ("0", None)
