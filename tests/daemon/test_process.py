"""Programs of every bad manner, run through the one seam with the real clock."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from memgardend.core.clock import SystemClock
from memgardend.core.records import Owner
from memgardend.core.words import Outcome
from memgardend.daemon import procfs
from memgardend.daemon.process import RUN_MARK, end_marked, run
from memgardend.daemon.process_result import ProcessResult
from memgardend.daemon.procfs import boot_id, is_running, marked_pids, pid_namespace, process_start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

needs_proc = pytest.mark.skipif(not procfs.PROC.is_dir(), reason="reads /proc")
ENV = {"PATH": os.environ["PATH"]}


def sh(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


def call(argv: list[str], cwd: Path, stdin: bytes = b"", **changed: Any) -> ProcessResult:
    options: dict[str, Any] = {"env": ENV, "total_seconds": 20.0, "grace_seconds": 0.2}
    return run(argv, stdin, cwd=cwd, clock=SystemClock(), **(options | changed))


@pytest.fixture
def mark() -> Iterator[str]:
    """A run of our own; whatever carries its mark when the test fails is ended."""
    name = f"test-{os.getpid()}-{os.urandom(4).hex()}"
    yield name
    for pid in marked_pids(RUN_MARK, name):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


IGNORES_TERM = "trap '' TERM; sleep 60 & wait; sleep 60"

ENDINGS: dict[str, tuple[list[str], dict[str, Any], Outcome, str]] = {
    "answers": (sh("cat; echo done"), {}, Outcome.OK, ""),
    "fails": (sh("echo no >&2; exit 3"), {}, Outcome.EXIT, "exit code 3"),
    "fails after speaking": (sh("echo half; exit 1"), {}, Outcome.EXIT, "exit code 1"),
    "dies by signal": (sh("kill -9 $$"), {}, Outcome.SIGNAL, "signal 9"),
    "says nothing": (sh("exit 0"), {}, Outcome.EMPTY, "said nothing"),
    "says only blanks": (sh("printf ' \\n\\t'"), {}, Outcome.EMPTY, "said nothing"),
    "half a character": (sh("printf 'caf\\303'"), {}, Outcome.NOT_UTF8, "not UTF-8"),
    "hangs": (sh("sleep 60"), {"total_seconds": 0.2}, Outcome.TIMEOUT, "deadline"),
    "hangs, deaf to TERM": (
        sh(IGNORES_TERM),
        {"total_seconds": 0.2},
        Outcome.TIMEOUT,
        "deadline",
    ),
    "falls silent": (
        sh("echo one; sleep 60"),
        {"silent_seconds": 0.2},
        Outcome.SILENT,
        "too long",
    ),
    "floods": (sh("yes"), {"cap_bytes": 100_000}, Outcome.TOO_LARGE, "more than we take"),
    "floods stderr": (sh("yes error | head -c 300000 >&2; echo fine"), {}, Outcome.OK, ""),
    "closes stdin": (sh("exec <&-; echo fine"), {}, Outcome.OK, ""),
    "closes stdout and ends later": (sh("echo a; exec >&-; sleep 0.3"), {}, Outcome.OK, ""),
    "closes both and lives on": (
        sh("echo a; exec >&- 2>&-; sleep 60"),
        {"total_seconds": 0.3},
        Outcome.TIMEOUT,
        "deadline",
    ),
    "a child keeps stdout open": (sh("echo a; sleep 60 & exit 0"), {}, Outcome.OK, ""),
    "shell finds no program": (
        sh("exec no-such-program-here"),
        {},
        Outcome.NOT_FOUND,
        "127",
    ),
    "shell may not run it": (sh("exec /"), {}, Outcome.NOT_EXECUTABLE, "126"),
    "no such program": (
        ["no-such-program-here"],
        {},
        Outcome.NOT_FOUND,
        "no such program",
    ),
    "a folder": (["/"], {}, Outcome.NOT_EXECUTABLE, "Permission denied"),
    "too many arguments": (
        ["/bin/true", "x" * 3_000_000],
        {},
        Outcome.NOT_EXECUTABLE,
        "larger than the system allows",
    ),
    "a NUL in an argument": (["/bin/true", "\0"], {}, Outcome.NOT_EXECUTABLE, "null byte"),
    "we say stop": (sh("sleep 60"), {"tick": lambda: False}, Outcome.CANCELLED, "by us"),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_each_ending_has_its_word(name: str, tmp_path: Path) -> None:
    argv, options, outcome, detail = ENDINGS[name]

    result = call(argv, tmp_path, b"prompt\n", **options)

    assert (result.outcome, detail in result.detail) == (outcome, True), result.detail


def test_a_script_without_a_first_line_is_told_to_have_one(tmp_path: Path) -> None:
    script = tmp_path / "model"
    script.write_text("echo hello\n", encoding="ascii")
    script.chmod(0o755)

    result = call([str(script)], tmp_path)

    assert result.outcome is Outcome.NOT_EXECUTABLE
    assert "#!/bin/sh" in result.detail


def test_a_prompt_larger_than_a_pipe_crosses_an_equally_large_answer(tmp_path: Path) -> None:
    prompt = b"0123456789abcdef" * 250_000

    result = call(["cat"], tmp_path, prompt, cap_bytes=len(prompt))

    assert result.outcome is Outcome.OK
    assert result.stdout.encode() == prompt


def test_who_does_not_read_the_prompt_may_still_answer(tmp_path: Path) -> None:
    result = call(sh("exec <&-; echo fine"), tmp_path, b"x" * 1_000_000)

    assert (result.outcome, result.stdout) == (Outcome.OK, "fine\n")


def test_output_up_to_the_cap_is_kept(tmp_path: Path) -> None:
    assert call(sh("printf 12345"), tmp_path, cap_bytes=5).stdout == "12345"
    assert call(sh("printf 123456"), tmp_path, cap_bytes=5).outcome is Outcome.TOO_LARGE


def test_stderr_is_a_readable_tail_without_secrets(tmp_path: Path) -> None:
    secret = "sk-ant-" + "Zq9" * 12
    script = (
        "import sys; e = sys.stderr.write; [e(f'line {n}\\n') for n in range(20_000)];"
        f"e('\\x1b[31mred\\x1b[0m \\x07key {secret}\\n'); print('x')"
    )

    stderr = call(python(script), tmp_path).stderr

    assert secret not in stderr
    assert "red key" in stderr
    assert stderr.startswith("line ")
    assert "line 0\n" not in stderr
    assert len(stderr) <= 64 * 1024


def test_the_program_sees_the_given_environment_and_folder_only(tmp_path: Path) -> None:
    result = call(sh("pwd; env"), tmp_path, env=ENV | {"ONE": "1"})

    lines = result.stdout.splitlines()
    assert lines[0] == str(tmp_path)
    assert "ONE=1" in lines
    assert not [line for line in lines if line.startswith(("HOME=", "USER="))]


def test_what_tick_raises_passes_through_and_the_program_is_ended(
    tmp_path: Path, mark: str
) -> None:
    def fenced() -> bool:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        call(sh("sleep 60"), tmp_path, env=ENV | {RUN_MARK: mark}, tick=fenced)
    assert not list(marked_pids(RUN_MARK, mark))


def test_tick_is_asked_again_while_the_program_is_quiet(tmp_path: Path) -> None:
    answers = iter([True, True, True, False])

    result = call(sh("sleep 60"), tmp_path, tick=lambda: next(answers))

    assert result.outcome is Outcome.CANCELLED
    assert list(answers) == []


LEFT_BEHIND = {
    "a child in the group, after success": (sh("sleep 60 & echo a"), Outcome.OK),
    "a child with its own pipes": (sh("sleep 60 >/dev/null 2>&1 & echo a"), Outcome.OK),
    "a child deaf to TERM": (
        sh("(trap '' TERM; sleep 60; sleep 60) >/dev/null 2>&1 & echo a"),
        Outcome.OK,
    ),
    "a grandchild in its own session": (
        sh("setsid sleep 60 >/dev/null 2>&1 & sleep 0.2; echo a"),
        Outcome.OK,
    ),
    "a deaf grandchild in its own session": (
        sh("setsid sh -c \"trap '' TERM; sleep 60; sleep 60\" >/dev/null 2>&1 & sleep 0.2; echo a"),
        Outcome.OK,
    ),
    "all of a program that hangs": (sh("setsid sleep 60 & sleep 60 & sleep 60"), Outcome.TIMEOUT),
}


@needs_proc
@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_nothing_of_a_run_is_left_behind(name: str, tmp_path: Path, mark: str) -> None:
    argv, outcome = LEFT_BEHIND[name]

    result = call(argv, tmp_path, env=ENV | {RUN_MARK: mark}, total_seconds=1.5)

    assert result.outcome is outcome
    assert not list(marked_pids(RUN_MARK, mark))


@needs_proc
def test_only_processes_of_this_very_run_are_ended(tmp_path: Path, mark: str) -> None:
    other = mark + "-other"
    survivors: list[int] = []

    def tick() -> bool:
        end_marked(mark, clock=SystemClock(), grace_seconds=0.1)
        survivors.extend(marked_pids(RUN_MARK, other))
        return len(survivors) < 3

    result = call(sh("sleep 60"), tmp_path, env=ENV | {RUN_MARK: other}, tick=tick)

    assert result.outcome is Outcome.CANCELLED
    assert len(survivors) >= 3
    assert end_marked(mark, clock=SystemClock()) == 0


def this_owner() -> Owner:
    return Owner(
        host="here",
        boot_id=boot_id(),
        pid_namespace=pid_namespace(),
        pid=os.getpid(),
        process_start=process_start(os.getpid()) or "",
    )


@needs_proc
def test_an_owner_is_gone_only_when_that_can_be_proved() -> None:
    owner = this_owner()
    absent = 2**22 + 1  # above the largest pid_max of Linux

    assert is_running(owner)
    assert not is_running(replace(owner, process_start="1"))
    assert not is_running(replace(owner, pid=absent))
    assert is_running(replace(owner, pid=absent, boot_id="another boot"))
    assert is_running(replace(owner, pid=absent, pid_namespace="pid:[1]"))


@needs_proc
def test_a_zombie_runs_no_more(tmp_path: Path) -> None:
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], ENV)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    try:
        assert process_start(pid) is None
    finally:
        os.waitpid(pid, 0)


def test_without_proc_nothing_is_provably_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owner = this_owner()
    monkeypatch.setattr(procfs, "PROC", tmp_path)

    assert boot_id() == ""
    assert pid_namespace() == ""
    assert is_running(replace(owner, pid=1, process_start="1"))
    assert list(marked_pids(RUN_MARK, "x")) == []
