"""`memgardend run` as a real process: signals, a second daemon, the doorbell, and death by SIGKILL."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memgardend.daemon.procfs import process_start
from support.commandline import COMMAND, CommandLine

PATIENCE_SECONDS = 60
SETTINGS = "locale: en\nsources: []\ndream: {idle_minutes: 5, suppress_windows: []}\n"


@dataclass
class Daemon:
    """A running `memgardend run`, whose log is read as it comes."""

    process: subprocess.Popen[str]
    lines: list[dict[str, object]] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self.news:
                if line.startswith("{"):
                    self.lines.append(json.loads(line))
                self.news.notify_all()

    def wait_for(self, event: str, times: int = 1) -> dict[str, object]:
        """Until the event was logged so often; its last line."""

        def found() -> bool:
            return sum(line["event"] == event for line in self.lines) >= times

        with self.news:
            assert self.news.wait_for(found, PATIENCE_SECONDS), self.lines
            return [line for line in self.lines if line["event"] == event][-1]

    def end(self, number: signal.Signals) -> int:
        """Signal it, and its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def running(
    command: CommandLine, *, arguments: Sequence[str] = (), **environ: str
) -> Iterator[Daemon]:
    process = subprocess.Popen(
        [COMMAND, "run", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=command.environment() | environ,
        cwd=command.workspace,
    )
    daemon = Daemon(process)
    reader = threading.Thread(target=daemon.read)
    reader.start()
    try:
        yield daemon
    finally:
        process.kill()
        process.wait()
        reader.join()
        assert process.stderr is not None
        process.stderr.close()


@pytest.fixture
def tended(command: CommandLine) -> CommandLine:
    """A registered workspace with a conversation that has been quiet for hours."""
    command.configure(SETTINGS)
    command.ok("init", "--yes")
    return command


def slow_model(command: CommandLine, first: str = ":") -> Path:
    """A model that says where it runs, then thinks for ever; the settings name it."""
    note = command.home / "asked"
    script = command.home / "model.sh"
    script.write_text(f'#!/bin/sh\n{first}\necho "$$" >> {note}\nexec sleep 600\n', "utf-8")
    script.chmod(0o755)
    command.configure(SETTINGS + f'model: {{command: ["{script}"]}}\n')
    command.ok("config", "trust")
    return note


def test_it_reads_dreams_reloads_and_stops(tended: CommandLine) -> None:
    with running(tended) as daemon:
        daemon.wait_for("daemon_started")
        tended.push("mail", "We deploy on Fridays, never on Mondays.")  # rings
        daemon.wait_for("dream_ended")
        status = tended.ok("status", "--json").json()
        assert status["daemon"]["state"] == "running"
        assert status["daemon"]["pid"] == daemon.process.pid
        assert status["windows"][0]["state"] == "dreamed"
        second = tended.run("run")
        assert second.code == 75
        assert f"pid {daemon.process.pid}" in second.err
        tended.configure(SETTINGS + "dreem: 1\n")
        daemon.process.send_signal(signal.SIGHUP)
        assert "dreem" in str(daemon.wait_for("settings_kept")["error"])
        tended.configure(SETTINGS)
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_for("settings_reloaded", 2)
        assert daemon.end(signal.SIGTERM) == 0
    assert tended.ok("status", "--json").json()["daemon"]["state"] == "dead"


def test_killed_in_a_round_the_next_one_goes_on_and_ends_the_orphan(tended: CommandLine) -> None:
    note = slow_model(tended)
    tended.push("mail", "We deploy on Fridays, never on Mondays.")
    with running(tended) as daemon:
        daemon.wait_for("round_asked")
        wait_for_file(note)
        assert daemon.end(signal.SIGKILL) == -signal.SIGKILL
    orphan = int(note.read_text("utf-8"))
    assert process_start(orphan) is not None
    with running(tended) as daemon:
        healed = daemon.wait_for("dream_healed")
        assert healed["deaths"] == 1
        assert healed["ended_processes"] == 1
        assert process_start(orphan) is None
        daemon.wait_for("round_asked")
        assert daemon.end(signal.SIGTERM) == 0
    (dream,) = tended.ok("dreams", "--json").json()["dreams"]
    assert (dream["state"], dream["reason"]) == ("pending", "the daemon stops")


def test_a_second_term_waits_for_nobody(tended: CommandLine) -> None:
    note = slow_model(tended, first="trap '' TERM")
    tended.push("mail", "We deploy on Fridays, never on Mondays.")
    with running(tended) as daemon:
        daemon.wait_for("round_asked")
        wait_for_file(note)
        daemon.process.send_signal(signal.SIGTERM)
        daemon.wait_for("stop_ordered")
        assert daemon.end(signal.SIGTERM) == 0
    model = int(note.read_text("utf-8"))
    assert process_start(model) is None
    (dream,) = tended.ok("dreams", "--json").json()["dreams"]
    assert (dream["state"], dream["attempts"]) == ("pending", 0)


def test_systemd_hears_when_it_is_ready_how_it_is_and_that_it_stops(tended: CommandLine) -> None:
    address = tended.home / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(PATIENCE_SECONDS)
        heard: list[str] = []

        def wait_for(field: str) -> None:
            while not any(field in one for one in heard):
                heard.append(listener.recv(4096).decode())

        with running(tended, NOTIFY_SOCKET=str(address), WATCHDOG_USEC="60000000") as daemon:
            wait_for("READY=1")
            assert "EXTEND_TIMEOUT_USEC=60000000" in heard
            wait_for("WATCHDOG=1")
            wait_for("STATUS=workspaces: 1 · dreaming: 0")
            heard.clear()
            daemon.process.send_signal(signal.SIGHUP)
            wait_for("RELOADING=1\nMONOTONIC_USEC=")
            wait_for("READY=1")
            daemon.process.send_signal(signal.SIGTERM)
            wait_for("STOPPING=1")
            assert daemon.process.wait(PATIENCE_SECONDS) == 0


def test_it_serves_the_folders_that_are_named_and_no_other(tended: CommandLine) -> None:
    others = [tended.home / "other", tended.home / "third"]
    for other in others:
        other.mkdir()
        (other / "memgarden.yaml").write_text(SETTINGS, "utf-8")
    named = [word for other in others for word in ("-w", str(other))]
    with running(tended, arguments=named) as daemon:
        daemon.wait_for("daemon_started")
        opened = [one["workspace"] for one in daemon.lines if one["event"] == "workspace_opened"]
        assert opened == [str(other) for other in others]
        assert daemon.end(signal.SIGTERM) == 0
    assert tended.run("run", "--once", *named).code == 2


def test_nothing_to_serve_is_78(command: CommandLine) -> None:
    result = command.run("run")
    assert result.code == 78
    assert "no workspace is registered" in result.err


def test_pause_holds_all_dreams_and_resume_lets_them_go(tended: CommandLine) -> None:
    tended.push("mail", "We deploy on Fridays, never on Mondays.")
    paused = tended.ok("pause", "--for", "2h", "--json").json()["workspaces"][0]
    assert (paused["paused"], paused["until"]) == (True, "2026-11-30T21:00:00Z")
    once = tended.ok("run", "--once", "--json").json()
    assert (once["held"], once["next_at"]) == ({"paused": 1}, paused["until"])
    assert "is no longer paused." in tended.ok("resume", "--all").out
    assert "was not paused." in tended.ok("resume").out
    assert len(tended.ok("run", "--once", "--json").json()["dreams"]) == 1


def wait_for_file(path: Path) -> None:
    """The model was started a moment ago."""
    pause = threading.Event()
    for _ in range(PATIENCE_SECONDS * 100):
        if path.exists() and path.read_text("utf-8").endswith("\n"):
            return
        pause.wait(0.01)
    raise AssertionError(f"{path} never came")


def wait_until_blocked(pid: int) -> None:
    """It waits for a lock of another process (`->` in proc_locks(5))."""
    pause = threading.Event()
    for _ in range(PATIENCE_SECONDS * 100):
        lines = Path("/proc/locks").read_text("ascii").splitlines()
        if any("->" in line.split() and str(pid) in line.split() for line in lines):
            return
        pause.wait(0.01)
    raise AssertionError("it does not wait")


def test_one_that_waits_ends_well_and_hears_nothing_else(tended: CommandLine) -> None:
    with running(tended) as first:
        first.wait_for("daemon_started")
        with running(tended, arguments=("--wait",)) as second:
            wait_until_blocked(second.process.pid)
            second.process.send_signal(signal.SIGHUP)
            assert second.end(signal.SIGTERM) == 0
            assert second.lines == []


def test_one_that_waits_takes_over_when_the_first_ends(tended: CommandLine) -> None:
    with running(tended) as first:
        first.wait_for("daemon_started")
        with running(tended, arguments=("--wait",)) as second:
            assert first.end(signal.SIGTERM) == 0
            second.wait_for("daemon_started")
            assert second.end(signal.SIGINT) == 0
