"""The one seam through which programs are run and ended.

A program gets its own session, its prompt on stdin and two deadlines. Whatever it left behind in its
process group, or carrying our mark in its environment, is ended with it.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.mask import mask
from memgardend.core.words import Outcome
from memgardend.daemon.pipes import Pipes
from memgardend.daemon.procfs import (
    boot_id,
    is_running,
    marked_pids,
    pid_namespace,
    process_start,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memgardend.core.clock import Clock

__all__ = [
    "RUN_MARK",
    "ProcessResult",
    "boot_id",
    "end_marked",
    "is_running",
    "pid_namespace",
    "process_start",
    "run",
]

RUN_MARK = "MEMGARDEND_RUN"
"""The environment variable that names the run a model process belongs to."""

DRAIN_SECONDS = 1.0  # how long a pipe may stay open after the program has ended
_TICK_SECONDS = 0.25
_LOOK_SECONDS = 0.02  # between looks at a group that was told to end
_REDRAWN = re.compile(r"\r\n?|\x1b\[\d*[ABGHJK]")  # how a progress display begins its line anew
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SHELL_WORDS = {  # POSIX 2.8.2, "Exit Status for Commands"
    126: Outcome.NOT_EXECUTABLE,
    127: Outcome.NOT_FOUND,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessResult:
    """How a program ended. `stdout` is what it said in any case, an answer only when the outcome is OK."""

    outcome: Outcome
    stdout: str = ""
    stderr: str = ""  # the tail, without control characters and secrets
    returncode: int | None = None
    detail: str = ""  # how it ended, for a person; what it said itself is in stderr and stdout
    duration_ms: int = 0


def run(
    argv: Sequence[str],
    stdin: bytes = b"",
    *,
    env: Mapping[str, str],
    cwd: Path,
    total_seconds: float,
    silent_seconds: float | None = None,
    cap_bytes: int = 8 * 1024 * 1024,
    grace_seconds: float = 5.0,
    clock: Clock,
    tick: Callable[[], bool] = lambda: True,
) -> ProcessResult:
    """Run a program to its end or to ours; raises nothing for whatever the program does.

    `tick` is called at least each second; False ends the program as `cancelled`, and what it raises passes
    through once the program is ended. With RUN_MARK in `env`, processes that left the group are found too.
    """
    started = clock.monotonic()
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return _not_started(error)
    assert child.stdin and child.stdout and child.stderr
    with child, Pipes(child.stdin, child.stdout, child.stderr, stdin, cap_bytes) as pipes:
        try:
            ended = _watch(child, pipes, total_seconds, silent_seconds, clock, tick)
        finally:
            _end_group(child, clock, grace_seconds)
            if run_id := env.get(RUN_MARK):
                end_marked(run_id, clock=clock, grace_seconds=grace_seconds)
        duration_ms = int((clock.monotonic() - started) * 1000)
        return _result(child.returncode, ended, pipes, duration_ms)


def end_marked(run_id: str, *, clock: Clock, grace_seconds: float = 5.0) -> int:
    """End our user's processes that carry the mark of this run; returns how many there were."""
    found = _signal_marked(run_id, signal.SIGTERM)
    deadline = clock.monotonic() + grace_seconds
    while any(marked_pids(RUN_MARK, run_id)) and clock.monotonic() < deadline:
        clock.sleep(_LOOK_SECONDS)
    deadline = clock.monotonic() + grace_seconds
    # again and again: one that is dying may have forked meanwhile
    while _signal_marked(run_id, signal.SIGKILL) and clock.monotonic() < deadline:
        clock.sleep(_LOOK_SECONDS)
    return found


def _signal_marked(run_id: str, number: signal.Signals) -> int:
    count = 0
    for pid in marked_pids(RUN_MARK, run_id):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
            count += 1
    return count


def _watch(
    child: subprocess.Popen[bytes],
    pipes: Pipes,
    total_seconds: float,
    silent_seconds: float | None,
    clock: Clock,
    tick: Callable[[], bool],
) -> Outcome | None:
    """Serve the program until it ends (None) or we have a reason to end it."""
    start = heard = next_tick = clock.monotonic()
    drain_end: float | None = None
    while True:
        now = clock.monotonic()
        if now >= next_tick:
            if not tick():
                return Outcome.CANCELLED
            next_tick = now + _TICK_SECONDS
        if pipes.open():
            if pipes.move(_TICK_SECONDS):
                heard = clock.monotonic()
        else:
            with suppress(subprocess.TimeoutExpired):
                child.wait(_TICK_SECONDS)
        now = clock.monotonic()
        if pipes.too_large:
            return Outcome.TOO_LARGE
        if child.poll() is not None:
            drain_end = now + DRAIN_SECONDS if drain_end is None else drain_end
            if not pipes.open() or now >= drain_end:
                return None
        elif now - start >= total_seconds:
            return Outcome.TIMEOUT
        elif silent_seconds is not None and now - heard >= silent_seconds:
            return Outcome.SILENT


def _end_group(child: subprocess.Popen[bytes], clock: Clock, grace_seconds: float) -> None:
    """TERM, grace, KILL to whatever is left of the program's group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not _signal_group(child, number):
            break
        deadline = clock.monotonic() + grace_seconds
        while _signal_group(child, 0) and clock.monotonic() < deadline:
            clock.sleep(_LOOK_SECONDS)
    child.wait()


def _signal_group(child: subprocess.Popen[bytes], number: int) -> bool:
    """Signal the group (0: only look); False when nobody is left in it."""
    child.poll()  # reap first: a zombie leader still counts as a member
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):  # macOS: the latter when only zombies are left
        return False
    return True


def _not_started(error: OSError | ValueError) -> ProcessResult:
    missing = isinstance(error, FileNotFoundError)
    if missing:
        reason = "no such program"
    elif isinstance(error, OSError) and error.errno == errno.E2BIG:
        reason = "its arguments and environment are larger than the system allows"
    elif isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        reason = "not a program the system can run: a script needs a first line like #!/bin/sh"
    else:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
    return ProcessResult(
        outcome=Outcome.NOT_FOUND if missing else Outcome.NOT_EXECUTABLE,
        detail=reason,
    )


def _result(
    returncode: int, ended: Outcome | None, pipes: Pipes, duration_ms: int
) -> ProcessResult:
    raw = bytes(pipes.stdout)
    outcome = ended or _outcome(returncode, raw)
    stderr = _clean(bytes(pipes.stderr), cut=pipes.stderr_cut)
    return ProcessResult(
        outcome=outcome,
        stdout=raw.decode("utf-8", errors="replace"),
        stderr=stderr,
        returncode=returncode,
        detail=_detail(outcome, returncode),
        duration_ms=duration_ms,
    )


def _outcome(returncode: int, stdout: bytes) -> Outcome:
    if returncode < 0:
        return Outcome.SIGNAL
    if returncode:
        return _SHELL_WORDS.get(returncode, Outcome.EXIT)
    if not stdout.strip():
        return Outcome.EMPTY
    try:
        stdout.decode("utf-8")
    except UnicodeDecodeError:
        return Outcome.NOT_UTF8
    return Outcome.OK


_SAID = {
    Outcome.TIMEOUT: "did not end before its deadline",
    Outcome.SILENT: "said nothing for too long",
    Outcome.TOO_LARGE: "said more than we take",
    Outcome.CANCELLED: "was ended by us",
    Outcome.EMPTY: "ended well but said nothing",
    Outcome.NOT_UTF8: "answered in something that is not UTF-8",
}


def _detail(outcome: Outcome, returncode: int) -> str:
    if outcome is Outcome.OK:
        return ""
    if outcome is Outcome.SIGNAL:
        return f"was ended by signal {-returncode}"
    return _SAID.get(outcome, f"ended with exit code {returncode}")


def _clean(tail: bytes, *, cut: bool) -> str:
    if cut:  # what is left of the first line may be half a secret
        tail = tail.partition(b"\n")[2]
    text = _REDRAWN.sub("\n", tail.decode("utf-8", errors="replace"))
    return mask(_CONTROL.sub("", text))
