"""The installed command whose output nobody can take: closed, broken and full streams."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.commandline import COMMAND, CommandLine

FULL = Path("/dev/full")


def shell(command: CommandLine, line: str) -> subprocess.CompletedProcess[str]:
    """What a line of shell does in the workspace; `$M` is the installed command."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        env={**command.environment(), "M": str(COMMAND)},
        cwd=command.workspace,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("line", ["$M status | true", "$M config schema | head -1"])
def test_a_reader_that_went_away_is_no_traceback(dreamed: CommandLine, line: str) -> None:
    assert shell(dreamed, line).stderr == ""


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_under_stdout_is_said(dreamed: CommandLine) -> None:
    done = shell(dreamed, f"$M status --json > {FULL}")
    assert done.returncode == 1
    assert '"message": "No space left on device"' in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_under_its_log_stops_no_dream(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    done = shell(registered, f"$M run --once --verbose 2> {FULL}")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "✓ event:mail applied")


def test_closed_streams_stop_nothing(dreamed: CommandLine) -> None:
    assert shell(dreamed, "$M run --once <&- >&- 2>&-").returncode == 0
