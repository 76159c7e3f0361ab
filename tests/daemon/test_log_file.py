"""The log on disk: whole lines, bounded, private, and followed across a new beginning."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from memgardend.daemon.log_file import LogFile


def line(number: int, **fields: Any) -> str:
    return json.dumps({"event": f"event_{number}", "timestamp": "2026-12-01T00:00:00Z"} | fields)


def events(entries: Any) -> list[str]:
    return [entry["event"] for entry in entries]


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    """A log that is full after some eight lines."""
    return LogFile(tmp_path / "state" / "log.jsonl", largest_bytes=500)


def test_nothing_yet(log: LogFile) -> None:
    assert log.read()[0] == []
    assert list(log.read()[1].new()) == []


def test_only_this_user_may_read_it(log: LogFile) -> None:
    log.append(line(1))
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_it_stays_small_and_keeps_the_newest(log: LogFile) -> None:
    for number in range(100):
        log.append(line(number))
    kept = events(log.read()[0])
    assert kept == [f"event_{number}" for number in range(100 - len(kept), 100)]
    assert log.path.stat().st_size + log.older.stat().st_size < 2 * 600
    assert sorted(one.name for one in log.path.parent.iterdir()) == ["log.jsonl", "log.jsonl.1"]


def test_what_a_crash_cut_off_and_what_is_no_event_is_left_out(log: LogFile) -> None:
    log.append(line(1))
    log.append('{"event": "cut o')
    log.append("[1]")
    log.append('{"event": 7}')
    log.append(line(2))
    assert events(log.read()[0]) == ["event_1", "event_2"]


def test_a_line_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    LogFile(tmp_path / "state" / "log.jsonl").append(line(1))


def test_a_tail_sees_what_comes_after_it_once(log: LogFile) -> None:
    log.append(line(1))
    tail = log.read()[1]
    log.append(line(2))
    assert events(tail.new()) == ["event_2"]
    assert events(tail.new()) == []


def test_a_tail_waits_for_the_end_of_a_line(log: LogFile) -> None:
    log.append(line(1))
    tail = log.read()[1]
    whole = line(2)
    with log.path.open("a") as stream:
        stream.write(whole[:20])
    assert events(tail.new()) == []
    with log.path.open("a") as stream:
        stream.write(whole[20:] + "\n")
    assert events(tail.new()) == ["event_2"]


def test_a_tail_misses_nothing_when_the_file_begins_anew(log: LogFile) -> None:
    tail = log.read()[1]
    seen: list[str] = []
    for number in range(40):
        log.append(line(number))
        if number % 3 == 0:
            seen += events(tail.new())
    seen += events(tail.new())
    assert seen == [f"event_{number}" for number in range(40)]


def test_of_two_processes_that_find_it_full_one_puts_it_aside(log: LogFile) -> None:
    """The slower one still holds the file that was renamed under it."""
    for number in range(7):
        log.append(line(number))
    with log.path.open("ab") as slow:
        log.append(line(7, padding="x" * 100))
        log.append(line(8))
        log._put_aside(slow.fileno())
    assert events(log.read()[0]) == [f"event_{number}" for number in range(9)]
