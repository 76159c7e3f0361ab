"""The installed command, killed by SIGKILL, and run again as if nothing had happened."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from support import paid_model
from support.commandline import CommandLine

SAID = (
    "Always run the linter before a commit.",
    "The staging server listens on port 8080.",
)
PLACES = (
    "claim.after",
    "round.atomic.asked",
    "round.atomic.answered",
    "round.topic.staged",
    "commit.inside",
    "commit.after",
)


def prepared(command: CommandLine) -> Path:
    """A workspace with one window that is due, and a model that counts what it is paid for."""
    ledger = command.home / "ledger"
    ledger.touch()
    argv = [sys.executable, paid_model.__file__, str(ledger)]
    command.configure(
        f"locale: en\nsources: []\nmodel: {{command: {json.dumps(argv)}, input: json}}\n"
        "dream: {suppress_windows: []}\n"
    )
    command.ok("init", "--yes")
    command.push("mail", *SAID)
    return ledger


def remembered(command: CommandLine) -> list[dict[str, Any]]:
    """The memories, without the ids and times that differ from run to run."""
    memories = command.ok("memories", "--json").json()["memories"]
    kept = ("layer", "status", "content", "keywords", "importance", "as_of", "evidence")
    return sorted(({key: one[key] for key in kept} for one in memories), key=str)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], str]:
    command = CommandLine(tmp_path_factory.mktemp("unbroken"))
    ledger = prepared(command)
    command.ok("run", "--once")
    return remembered(command), ledger.read_text("utf-8")


@pytest.mark.parametrize("place", PLACES)
def test_a_killed_run_is_finished_by_the_next(
    place: str, command: CommandLine, unbroken: tuple[list[dict[str, Any]], str]
) -> None:
    memories, calls = unbroken
    ledger = prepared(command)
    command.extra["MEMGARDEND_FAILPOINT"] = f"{place}=kill"
    assert command.run("run", "--once").code == -signal.SIGKILL
    del command.extra["MEMGARDEND_FAILPOINT"]
    command.ok("run", "--once")
    assert remembered(command) == memories
    assert ledger.read_text("utf-8") == calls
    command.ok("doctor")
    assert len(command.ok("dreams", "--json").json()["dreams"]) == 1


def test_killed_while_it_reads_nothing_is_lost_or_doubled(command: CommandLine) -> None:
    prepared(command)
    command.extra["MEMGARDEND_FAILPOINT"] = "ingest.inside=kill"
    line = json.dumps(
        {
            "window": "more",
            "id": "1",
            "at": "2026-11-30T12:00:00Z",
            "role": "human",
            "text": "Once.",
        }
    )
    assert command.run("event", stdin=line).code == -signal.SIGKILL
    del command.extra["MEMGARDEND_FAILPOINT"]
    again = json.loads(command.ok("event", "--json", stdin=line).out)
    assert (again["accepted"], again["duplicate"]) == (1, 0)


def test_a_failpoint_that_does_not_exist_is_an_error(command: CommandLine) -> None:
    prepared(command)
    command.extra["MEMGARDEND_FAILPOINT"] = "commit.sideways=kill"
    result = command.run("run", "--once")
    assert result.code == 78
    assert "try: memgardend doctor --failpoints" in result.err
