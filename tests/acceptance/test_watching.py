"""A person looks on: retry, logs, figures and a status that stays."""

from __future__ import annotations

import json

from support.commandline import CommandLine

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
    assert command.ok("retry").out == "No dream failed or is set aside.\n"
    none = command.run("retry", "mail", "--json")
    assert (none.code, none.error()["hint"]) == (1, "memgardend why event:mail")
    command.run("run", "--once")
    shown = command.ok("retry", "mail").out
    assert shown == "… event:mail was quarantined: it is due now\n"


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
