"""What a terminal shows and a pipe does not: colour, width; and what neither may show."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import termios

import pytest
from rich.cells import cell_len

from support.commandline import COMMAND, CommandLine


def seen(command: CommandLine, *arguments: str, columns: int = 80, **extra: str) -> str:
    """What a command writes to a terminal of this width."""
    ours, theirs = pty.openpty()
    environment = command.environment() | {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    with subprocess.Popen(
        [COMMAND, *arguments],
        env=environment | extra,
        cwd=command.workspace,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        found = b""
        while chunk := _read(ours):
            found += chunk
    os.close(ours)
    assert running.returncode == 0, found
    return found.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_shows_what_is_recalled_without_markers_and_a_pipe_with_them(
    registered: CommandLine,
) -> None:
    registered.ok("remember", "The billing service listens on port 9090.", "--project", "global")
    asked = ("recall", "Which port does billing have?")
    shown, piped = seen(registered, *asked), registered.ok(*asked).out
    assert piped.count("[memgardend-own ") == 2
    assert shown.splitlines() == piped.splitlines()[1:-1]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says so when the other side has closed
        return b""


def test_a_no_is_no_interruption(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    registered.ok("backup", "copy.db")
    code, shown = answered(registered, "n", "restore", "copy.db")
    assert code == 1
    assert shown.endswith("[y/N]: nothing was done\r\n")


def answered(command: CommandLine, said: str, *arguments: str) -> tuple[int, str]:
    """How a command ends that asks on a terminal, and what it shows there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments],
        env=command.environment() | {"TERM": "dumb"},
        cwd=command.workspace,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        os.write(ours, f"{said}\n".encode())
        found = b""
        while chunk := _read(ours):
            found += chunk
    os.close(ours)
    return running.returncode, found.decode("utf-8")


def test_a_changed_model_command_is_asked_about_and_cannot_hide(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    registered.configure('locale: en\nmodel: {command: [cat, "\\e[2K\\e[1Aharmless"]}\n')
    code, shown = answered(registered, "n", "run", "--once")
    assert code == 78
    assert "\x1b[2K" not in shown
    assert "cat '?[2K?[1Aharmless'. May dreams run it? [y/N]" in shown
    assert "have changed since you agreed" in " ".join(shown.split())
    registered.configure("locale: en\nmodel: {command: ['true']}\n")
    code, shown = answered(registered, "y", "run", "--once")
    assert code == 69, shown
    assert registered.run("run", "--once").code == 0  # agreed to, and waiting for another try


def test_a_memory_is_purged_by_who_types_its_id(registered: CommandLine) -> None:
    kept = registered.ok("remember", "The surprise is at the lake.", "--json").json()["memory"][
        "id"
    ]
    code, shown = answered(registered, kept[:6], "purge", kept)
    assert (code, "nothing was deleted" in shown) == (2, True), shown
    code, shown = answered(registered, kept[:13], "purge", kept)
    assert (code, "The surprise is at the lake." in shown) == (0, True), shown
    assert registered.run("why", kept).code == 2


@pytest.mark.parametrize(
    ("name", "told"),
    [("mcp", "try: claude mcp add"), ("serve", "waits for requests")],
    ids=["mcp", "serve"],
)
def test_what_waits_for_a_program_says_so_to_a_person(
    registered: CommandLine, name: str, told: str
) -> None:
    code, shown = answered(registered, "\x04", name)
    assert (code, told in shown) == (0, True), shown
    assert told not in registered.ok(name).err


def test_colour_is_for_terminals_that_want_it(dreamed: CommandLine) -> None:
    assert "\x1b[32m✓" in seen(dreamed, "dreams")
    assert "\x1b[32m" not in seen(dreamed, "dreams", NO_COLOR="1")
    assert "\x1b" not in seen(dreamed, "dreams", TERM="dumb")
    assert "\x1b" not in dreamed.ok("dreams").out


def test_a_screen_fits_its_terminal(dreamed: CommandLine) -> None:
    for line in ("status", "memories", "why mail-2"):
        shown = seen(dreamed, *line.split(), columns=40, TERM="dumb")
        assert [row for row in shown.splitlines() if cell_len(row) > 40] == []


def test_a_reader_that_stops_early_gets_no_traceback(dreamed: CommandLine) -> None:
    with subprocess.Popen(
        [COMMAND, "memories", "--all"],
        env=dreamed.environment(),
        cwd=dreamed.workspace,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""


def test_hostile_memory_text_drives_no_terminal(registered: CommandLine) -> None:
    registered.push(
        "mail", "I prefer \u202etea\x1b[31m to \x1b]0;owned\x07coffee, [bold]always[/]."
    )
    registered.ok("dream", "mail")
    shown = seen(registered, "memories", TERM="dumb")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]always[/]" in shown


def test_a_stream_that_cannot_say_a_tick_gets_a_question_mark(dreamed: CommandLine) -> None:
    dreamed.extra["PYTHONIOENCODING"] = "ascii"
    try:
        assert "? " in dreamed.installed("dreams").out
    finally:
        dreamed.extra.clear()


def test_a_status_that_stays_is_drawn_in_place_and_cut_to_the_screen(dreamed: CommandLine) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (8, 60))
    environment = dreamed.environment() | {"TERM": "xterm-256color"}
    with subprocess.Popen(
        [COMMAND, "status", "--watch", "0.1"],
        env=environment,
        cwd=dreamed.workspace,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        found = b""
        while found.count(b"\x1b[J") < 2:
            chunk = _read(ours)
            assert chunk, found
            found += chunk
        running.send_signal(signal.SIGINT)
        while _read(ours):
            pass
    os.close(ours)
    assert running.returncode == 130
    page = found.decode("utf-8").split("\x1b[H")[1]
    lines = page.removesuffix("\x1b[J").split("\r\n")[:-1]
    assert len(lines) == 7
    assert all(line.endswith("\x1b[K") for line in lines)
    assert re.fullmatch(r"… \d+ more lines\x1b\[K", lines[-1])
