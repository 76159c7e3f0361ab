"""Every expected failure: two lines and no traceback, its exit code, and the same under --json."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from importlib import metadata

import pytest

from support.commandline import COMMAND, CommandLine, Result


def said(result: Result, code: int, message: str) -> None:
    """The command ended with the code, an error and a way out."""
    assert result.code == code, result
    assert result.out == ""
    lines = result.err.splitlines()
    assert lines[0].startswith("error: "), result.err
    assert message in lines[0]
    assert lines[-1].startswith("try: "), result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("stats", "Did you mean 'status'"),
        ("status --jsn", "No such option"),
        ("dreams -n many", "-n"),
        ("dream", "name one WINDOW"),
        ("why nothing", "no window or memory"),
        ("show nothing", "no dream"),
        ("skip nothing", "no window"),
        ("status --at tonight", "not a time"),
        ("memories --layer facts", "'--layer': 'facts' is not one of"),
        ("restore backup.db", "backup.db does not exist"),
    ],
)
def test_wrong_usage_is_2(dreamed: CommandLine, line: str, message: str) -> None:
    said(dreamed.run(*line.split()), 2, message)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("import text", "import text"),
        ("dreams -n many", "dreams"),
        ("stats", ""),
        ("windows --archive", "windows"),
        ("config explain -w", "config explain"),
    ],
)
def test_the_help_that_is_named_is_that_of_the_command(
    dreamed: CommandLine, line: str, command: str
) -> None:
    way_out = dreamed.run(*line.split()).err.splitlines()[-1]
    assert way_out == " ".join(["try: memgardend", *command.split(), "--help"])


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("dream --since 7d", "dream --backlog --since 7d"),
        ("config explain sources.kind", "config explain 'sources[].kind'"),
    ],
)
def test_what_was_meant_can_be_typed(dreamed: CommandLine, line: str, hint: str) -> None:
    assert dreamed.run(*line.split()).err.splitlines()[-1] == f"try: memgardend {hint}"


def test_an_ambiguous_id_names_its_candidates(dreamed: CommandLine) -> None:
    result = dreamed.run("why", "mail")
    said(result, 2, "is the start of 2 ids: event:mail-1, event:mail-2")


def test_an_error_under_json_is_one_object_on_stderr(dreamed: CommandLine) -> None:
    result = dreamed.run("show", "nothing", "--json")
    assert (result.code, result.out) == (2, "")
    error = result.error()
    assert (error["type"], error["code"], error["hint"]) == ("error", 2, "memgardend dreams")
    assert error["schema"] == 1
    usage = dreamed.run("stats", "--json").error()
    assert (usage["type"], usage["code"]) == ("error", 2)


def test_what_to_type_next_names_the_workspace_that_was_named(dreamed: CommandLine) -> None:
    dreamed.home.joinpath("elsewhere").mkdir()
    away = partial(dreamed.run, cwd=dreamed.home / "elsewhere")
    wrong = away("show", "nothing", "-w", "../work")
    assert wrong.err.splitlines()[-1] == "try: memgardend dreams -w ../work"
    for looks in ("dreams", "windows", "memories"):
        assert away(looks, "-w", "../work").out.splitlines()[-1].endswith(" -w ../work"), looks
    assert "-w" not in dreamed.run("dreams", "-w", ".").out


def test_no_workspace_is_78(command: CommandLine) -> None:
    said(command.run("status"), 78, "no memgarden.yaml in")


def test_a_current_folder_that_is_gone_is_said_and_needs_no_other(registered: CommandLine) -> None:
    gone = registered.home / "gone"
    script = f"mkdir {gone} && cd {gone} && rmdir {gone} && {COMMAND}"

    def from_there(line: str) -> Result:
        done = subprocess.run(
            ["/bin/sh", "-c", f"{script} {line}"],
            capture_output=True,
            text=True,
            env=registered.environment(),
        )
        return Result(done.returncode, done.stdout, done.stderr)

    said(from_there("status"), 78, "the current folder is gone")
    assert from_there(f"status -w {registered.workspace}").code == 0
    wrong = from_there(f"show nothing -w {registered.workspace}")
    assert wrong.err.splitlines()[-1] == f"try: memgardend dreams -w {registered.workspace}"


@pytest.mark.parametrize("line", ["status", "doctor", "config check", "config prompts", "init"])
def test_links_in_a_circle_are_no_workspace(command: CommandLine, line: str) -> None:
    command.home.joinpath("circle").symlink_to("circle")
    result = command.run(*line.split(), "-w", str(command.home / "circle"))
    assert "Traceback" not in result.err
    assert result.code != 0
    assert result.err.splitlines()[-1].startswith("try: ")


def test_a_folder_with_a_hostile_name_drives_no_terminal(command: CommandLine) -> None:
    hostile = command.home / "a\x1b[31mred\nerror: all is lost"
    hostile.mkdir()
    result = command.run("status", "-w", str(hostile))
    said(result, 78, "a?[31mred error: all is lost")
    assert len(result.err.splitlines()) == 2


def test_broken_settings_are_78_wherever_they_are_read(registered: CommandLine) -> None:
    registered.configure("locale: en\ndreem: {}\n")
    said(registered.run("status"), 78, "memgarden.yaml:2:1: unknown setting `dreem`")
    check = registered.run("config", "check")
    assert check.code == 78
    assert "did you mean `dream`?" in check.out


def test_an_unregistered_workspace_looks_but_runs_nothing(command: CommandLine) -> None:
    command.configure("locale: en\nsources: []\n")
    assert command.ok("status", "--json").json()["windows"] == []
    for line in ("run --once", "dream --due", "ingest", "event"):
        said(command.run(*line.split()), 78, "is not registered")
    assert not (command.workspace / ".memgarden").exists()
    command.ok("run", "--once", "-w", str(command.workspace))


def test_a_changed_model_command_needs_trust(registered: CommandLine) -> None:
    registered.configure("locale: en\nmodel: {command: [cat]}\n")
    registered.push("mail", "I prefer tea to coffee.")  # no event is lost meanwhile
    registered.ok("ingest")
    said(registered.run("run", "--once"), 78, "have changed since you agreed")
    assert registered.ok("dreams", "--json").json()["dreams"] == []
    waits = registered.run("status", "--exit-status")
    assert (waits.code, "changed since you agreed to them" in waits.out) == (1, True)
    registered.ok("config", "trust")
    assert registered.ok("status", "--json").json()["model_agreed"] is True
    assert registered.run("run", "--once", "--json").json()["dreams"] != []


def test_time_is_not_driven_where_dreams_were_real(registered: CommandLine) -> None:
    registered.extra["MEMGARDEND_CLOCK"] = ""  # real time
    registered.ok("run", "--once")
    registered.push("mail", "I prefer tea to coffee.")
    del registered.extra["MEMGARDEND_CLOCK"]
    registered.ok("status")  # events and empty sweeps under real time bind nobody
    registered.extra["MEMGARDEND_CLOCK"] = ""
    registered.ok("dream", "mail")
    del registered.extra["MEMGARDEND_CLOCK"]
    for line in ("status", "run --once", "event"):
        said(registered.run(*line.split()), 78, "was dreamed under real time")


def test_a_model_that_cannot_be_run_is_69(registered: CommandLine) -> None:
    registered.configure("locale: en\nmodel: {command: [no-such-model]}\n")
    registered.ok("config", "trust")
    registered.push("mail", "I prefer tea to coffee.")
    result = registered.run("run", "--once")
    assert result.code == 69
    assert "model_unavailable" in result.out
    assert registered.run("model", "test").code == 69
    status = registered.run("status", "--exit-status", "--json")
    assert (status.code, status.json()["windows"][0]["state"]) == (1, "failed")


def test_not_now_is_75(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    registered.ok("dream", "mail")
    said(registered.run("dream", "mail"), 75, "nothing_new")


def test_no_daemon_is_3_only_when_asked(dreamed: CommandLine) -> None:
    assert dreamed.run("status").code == 0
    assert dreamed.run("status", "--exit-status").code == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_is_130_and_the_dream_goes_on_later(
    registered: CommandLine, number: signal.Signals
) -> None:
    slow = [sys.executable, "-c", "import time; time.sleep(60)"]
    registered.configure(f"locale: en\nmodel: {{command: {slow!r}}}\n".replace("'", '"'))
    registered.ok("config", "trust")
    registered.push("mail", "I prefer tea to coffee.")
    with subprocess.Popen(
        [COMMAND, "dream", "mail"],
        env=registered.environment(),
        cwd=registered.workspace,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, number, signal.SIG_DFL),  # nohup and `&` ignore some
    ) as running:
        assert running.stderr is not None
        assert "Dreaming" in running.stderr.readline()
        running.send_signal(number)
        _, error = running.communicate(timeout=30)
    assert running.returncode == 130, error
    assert "Traceback" not in error
    registered.configure("locale: en\n")
    registered.ok("config", "trust")
    ran = registered.ok("run", "--once", "--json").json()
    assert [dream["ending"] for dream in ran["dreams"]] == ["applied"]


def test_a_line_that_never_ends_is_rejected_and_the_next_is_taken(registered: CommandLine) -> None:
    good = {"window": "w", "id": "1", "at": "2026-11-30T12:00:00Z", "role": "human", "text": "Hi."}
    result = registered.run("event", "--json", stdin="x" * (20 << 20) + f"\n{json.dumps(good)}\n")
    assert result.code == 1
    document = result.json()
    assert (document["accepted"], [one["line"] for one in document["rejected"]]) == (1, [1])


def test_the_version_is_told_as_everywhere(command: CommandLine) -> None:
    assert command.ok("--version").out == f"memgardend {metadata.version('memgardend')}\n"
