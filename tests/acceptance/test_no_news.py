"""What was dreamed costs nothing again: not after sweeps, not for our own prompts, not for a copy."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from support import agent_model
from support.commandline import CommandLine

SESSION = "3f0c2a10-0000-4000-8000-000000000001"


def turn(role: str, text: str, number: int, session: str, cwd: Path) -> str:
    """One line of a transcript, at a time long before the sweeps."""
    record = {
        "type": role,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "sessionId": session,
        "timestamp": f"2026-11-30T10:00:{number:02}.000Z",
        "cwd": str(cwd),
        "isSidechain": False,
        "message": {
            "role": role,
            "content": text if role == "user" else [{"type": "text", "text": text}],
        },
    }
    return f"{json.dumps(record)}\n"


def conversation(session: str, cwd: Path) -> str:
    """A short one, always with the same native ids."""
    return "".join(
        turn(role, text, number, session, cwd)
        for number, (role, text) in enumerate(
            [
                ("user", "The staging port is 8080, please remember that."),
                ("assistant", "Noted."),
                ("user", "Always run the linter before a commit."),
            ]
        )
    )


@pytest.fixture
def watched(command: CommandLine) -> tuple[CommandLine, Path, Path]:
    """A workspace whose model command is an agent that leaves its own transcripts where we look."""
    projects = command.home / ".claude" / "projects" / "p"
    projects.mkdir(parents=True)
    ledger = command.home / "ledger"
    ledger.touch()
    argv = [
        sys.executable,
        agent_model.__file__,
        str(projects),
        str(ledger),
        str(command.workspace),
    ]
    command.configure(
        "locale: en\nsources: [{kind: claude-code}]\n"
        f"model: {{command: {json.dumps(argv)}}}\ndream: {{suppress_windows: []}}\n"
    )
    command.ok("init", "--yes")
    (projects / f"{SESSION}.jsonl").write_text(conversation(SESSION, command.workspace), "utf-8")
    return command, projects, ledger


def calls(ledger: Path) -> int:
    return len(ledger.read_text("utf-8").splitlines())


def ten_sweeps(command: CommandLine) -> None:
    for day in range(1, 11):
        command.now = f"2026-12-{day:02}T20:00:00+08:00"
        command.ok("run", "--once")


def test_our_own_prompts_make_nothing_due(watched: tuple[CommandLine, Path, Path]) -> None:
    command, projects, ledger = watched
    command.ok("run", "--once")
    first = calls(ledger)
    assert first == 2  # atomic and topic
    assert len(list(projects.iterdir())) == 3  # the conversation, and two runs of our own
    ten_sweeps(command)
    assert calls(ledger) == first
    shown = command.ok("windows", "--all", "--json").json()["windows"]
    assert sorted(one["state"] for one in shown) == ["aside", "aside", "dreamed"]


def test_a_copied_transcript_is_not_dreamed_again(watched: tuple[CommandLine, Path, Path]) -> None:
    command, projects, ledger = watched
    command.ok("run", "--once")
    first = calls(ledger)
    fork = "3f0c2a10-0000-4000-8000-000000000002"
    copy = conversation(fork, command.workspace)
    (projects / f"{fork}.jsonl").write_text(copy, "utf-8")
    ten_sweeps(command)
    assert calls(ledger) == first
    with (projects / f"{fork}.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(
            turn("user", "And deploy from the main branch only.", 30, fork, command.workspace)
        )
    command.now = "2026-12-20T20:00:00+08:00"
    command.ok("run", "--once")
    assert calls(ledger) == first + 2  # what was said after the fork is news
