"""The one seam through which programs are run and ended.

A program gets its own session, its prompt on stdin and two deadlines. Whatever it left behind in its
process group, or carrying our mark in its environment, is ended with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from memgardend.core.words import Outcome
from memgardend.daemon.pipes import Pipes
from memgardend.daemon.process_result import not_started, result_of
from memgardend.daemon.procfs import marked_pids

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.daemon.process_result import ProcessResult

RUN_MARK = "MEMGARDEND_RUN"
"""The environment variable that names the run a model process belongs to."""

DRAIN_SECONDS = 1.0  # how long a pipe may stay open after the program has ended
_TICK_SECONDS = 0.25
_LOOK_SECONDS = 0.02  # between looks at a group that was told to end


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
        return not_started(error)
    assert child.stdin and child.stdout and child.stderr
    with child, Pipes(child.stdin, child.stdout, child.stderr, stdin, cap_bytes) as pipes:
        try:
            ended = _watch(child, pipes, total_seconds, silent_seconds, clock, tick)
        finally:
            _end_group(child, clock, grace_seconds)
            if run_id := env.get(RUN_MARK):
                end_marked(run_id, clock=clock, grace_seconds=grace_seconds)
        duration_ms = int((clock.monotonic() - started) * 1000)
        return result_of(child.returncode, ended, pipes, duration_ms)


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
