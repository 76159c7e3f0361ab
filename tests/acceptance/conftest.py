"""A fresh command line for each test, and one workspace with a dream for those that only look."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commandline import CommandLine

SAID = (
    "Always use British English in your answers.",
    "The staging database runs on port 9090 now.",
    "We decided to use Postgres 17 for staging.",
)


@pytest.fixture
def command(tmp_path: Path) -> CommandLine:
    """A home without anything in it."""
    return CommandLine(tmp_path)


@pytest.fixture
def registered(command: CommandLine) -> CommandLine:
    """A workspace after `init`."""
    command.ok("init", "--locale", "en")
    return command


@pytest.fixture(scope="session")
def dreamed(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A workspace with one applied dream. Only to look at."""
    command = CommandLine(tmp_path_factory.mktemp("dreamed"))
    command.ok("init", "--locale", "en")
    command.push("mail-1", *SAID)
    command.push("mail-2", "What time is it?", at="2026-11-30T18:59:00Z")
    command.ok("run", "--once")
    return command
