"""A person looks on: retry, logs, figures and a status that stays."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from support.commandline import CommandLine
from support.prometheus import parse

UNUSABLE = "locale: en\nsources: []\nmodel: {command: [echo, hello]}\ndream: {max_attempts: 1}\n"


def failed(command: CommandLine) -> None:
    """A workspace whose one window was set aside."""
    command.configure(UNUSABLE)
    command.ok("init", "--yes")
    command.push("mail", "The staging port is 8080.")
    assert command.run("run", "--once").code == 1


def test_what_was_set_aside_is_tried_again(command: CommandLine) -> None:
    failed(command)
    assert command.ok("status", "--json").json()["counts"]["quarantined"] == 1
    (dream,) = command.ok("retry", "--json").json()["dreams"]
    assert (dream["was"], dream["attempts"], dream["may"]) == ("quarantined", 1, True)
    assert command.ok("retry").out == "No dream failed, was set aside or waits for later.\n"
    none = command.run("retry", "mail", "--json")
    assert (none.code, none.error()["hint"]) == (1, "memgardend why event:mail")
    command.run("run", "--once")
    shown = command.ok("retry", "mail").out
    assert shown == "… event:mail was set aside: it is due now\n"


def test_the_log_tells_what_happened(command: CommandLine) -> None:
    failed(command)
    lines = command.ok("logs", "--json", "-n", "0").json()["lines"]
    events = [one["event"] for one in lines]
    assert events.index("dream_claimed") < events.index("dream_started")
    assert events.index("round_asked") < events.index("dream_quarantined")
    assert {one["workspace"] for one in lines} == {str(command.workspace)}
    dream = command.ok("dreams", "--json").json()["dreams"][0]["id"]
    of_dream = command.ok("logs", "--json", "--dream", dream, "--window", "mail").json()["lines"]
    assert {one["dream"] for one in of_dream} == {dream}
    last = command.ok("logs", "-n", "1", "--since", "1h").out
    assert last.startswith("2026-12-01 03:00:00 info    sweep_ended ")
    assert command.ok("logs", "--since", "2026-12-01 03:01").out.startswith("No events yet.")
    mode = (command.home / "state" / "memgardend" / "log.jsonl").stat().st_mode
    assert oct(mode & 0o777) == "0o600"
    assert json.loads(command.run("logs", "--since", "soon", "--json").err)["code"] == 2


def said(running: subprocess.Popen[str]) -> str:
    """Its next line; fails where it has ended."""
    assert running.stdout is not None
    line = running.stdout.readline()
    assert line, running.communicate(timeout=60)
    return line


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "text"])
def test_a_status_that_stays_goes_on_until_it_is_interrupted(
    registered: CommandLine, as_json: bool
) -> None:
    """On a pipe: one after the other; each as a line with --json."""
    registered.push("mail", "The staging port is 8080.")
    with registered.staying("status", "--watch", "0.1", *["--json"] * as_json) as running:
        if as_json:
            both = [json.loads(said(running)) for _ in range(2)]
            assert [one["counts"]["windows"] for one in both] == [1, 1]
        else:
            heads = 0
            while heads < 2:
                heads += said(running).startswith("○ memgardend ")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, "Traceback" in err) == (130, False)
    assert "\x1b" not in out


def test_a_log_that_is_followed_shows_what_comes(registered: CommandLine) -> None:
    with registered.staying("logs", "-f", "--json") as running:
        registered.push("mail", "The staging port is 8080.")
        registered.ok("run", "--once")
        events: list[str] = []
        while "sweep_ended" not in events:
            events.append(json.loads(said(running))["event"])
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 130
    assert events.count("dream_started") == 1


@pytest.mark.parametrize(
    "line", ["status 5", "status --watch --at 18:00", "status --watch --exit-status"]
)
def test_options_that_do_not_go_together(registered: CommandLine, line: str) -> None:
    result = registered.run(*line.split())
    assert result.code == 2
    assert "try: memgardend status --watch" in result.err


def test_figures_are_printed_and_written_after_each_pass(registered: CommandLine) -> None:
    registered.configure("locale: en\nsources: []\nmetrics: {textfile: figures.prom}\n")
    registered.push("mail", "The staging port is 8080.")
    registered.ok("run", "--once")
    page = registered.ok("metrics").out
    assert page == (registered.workspace / "figures.prom").read_text("utf-8")
    found = parse(page)
    where = ("workspace", str(registered.workspace))
    assert found["memgardend_dreams", (where, ("state", "applied"))] == 1
    assert found["memgardend_events", (where,)] == 1
    first = registered.ok("metrics", "--json").json()["metrics"][0]
    assert first["name"] == "memgardend_info"
