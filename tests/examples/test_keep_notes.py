"""The examples run as they stand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.commandline import CommandLine

SCRIPT = Path(__file__).parents[2] / "examples/keep_notes.py"


@pytest.fixture
def noting(tmp_path: Path) -> CommandLine:
    """A workspace whose model command is the example."""
    command = CommandLine(tmp_path)
    argv = f"[{sys.executable}, {SCRIPT}]"
    command.configure(f"locale: en\nsources: []\nmodel: {{command: {argv}, input: json}}\n")
    command.ok("init", "--yes")
    return command


def test_it_answers_the_test_question(noting: CommandLine) -> None:
    noting.ok("model", "test")


def test_it_keeps_what_a_person_marked_and_nothing_else(noting: CommandLine) -> None:
    noting.push(
        "mail",
        "Good morning.\nNote: the build needs port 9090 open.\nThat is all.",
        "Look at this:\n```\nNote: the build needs nothing at all.\n```",
    )
    noting.ok("run", "--once")
    (kept,) = noting.ok("memories", "--json").json()["memories"]
    assert kept["content"] == "the build needs port 9090 open."
    assert kept["evidence"][0]["quote"] == "Note: the build needs port 9090 open."
