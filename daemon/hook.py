"""`memgardend-hook AGENT`: what an agent runs at its events: the payload on stdin, what we add to it on stdout.

The agent waits meanwhile, so imports are few and late, and nothing takes longer than DEADLINE_S. And nothing that
goes wrong here may break it: then there is no output, the exit code is 0, and the log has one line more.
Once it is noted what is shown, the deadline is over, and the answer follows.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from _thread import RLock, allocate_lock, start_new_thread

TYPE_CHECKING = False  # as from `typing`, which is not loaded for it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import NoReturn

DEADLINE_S = 5.0
"""Half of what our settings let agents wait. Where fifty agents begin at once a hook takes three; one that hangs
takes longer."""
LARGEST_BYTES = 16 * 1024 * 1024
_OURS = "MEMGARDEND_RUN"
"""Set for the agents that dreams run; what they are asked is no conversation."""
_ending = RLock()
"""Held by who ends the process, with an answer or with a reason: nobody does both."""


def main() -> None:
    """The installed program."""
    gc.disable()  # the process ends before its garbage matters
    sys.excepthook = end_after
    start_new_thread(_end_late, ())
    _travel_light()
    if _OURS not in os.environ:
        payload = sys.stdin.buffer.read(LARGEST_BYTES + 1)
        answer = respond(sys.argv[1:], payload, _ending.acquire)
        _ending.acquire()
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    os._exit(0)  # without the tidying up of modules that nobody uses again


def respond(
    arguments: Sequence[str], payload: bytes, settle: Callable[[], object] = lambda: None
) -> bytes:
    """What the agent gets to read, mostly nothing. Whatever is raised is for the log.

    `settle` is called before anything is noted of what it gets.
    """
    if len(payload) > LARGEST_BYTES:
        raise ValueError(f"the payload is larger than {LARGEST_BYTES} bytes")
    if not arguments:
        raise ValueError("no agent is named: memgardend-hook claude-code, or codex")
    from memgardend.core.agent_events import Moment, context_answer, read_payload

    event = read_payload(arguments[0], payload)
    root = None if event is None else _workspace(event.cwd)
    if event is None or root is None:
        return b""
    if event.asks_to_dream:
        _become_dream_command(arguments[0], str(root), event.window)
    if event.moment is Moment.STOP:
        from memgardend.daemon.doorbell import ring

        ring(root)
        return b""
    from memgardend.daemon.hook_recall import recall

    text = recall(root, event, settle)
    return json.dumps(context_answer(event, text)).encode() if text else b""


def _travel_light() -> None:
    """Spare what takes long in standard modules, and what they import for others: OpenSSL, all stemmers."""
    from memgardend.daemon.plain import stand_in

    stand_in()
    from memgardend.daemon.lean import STEMMERS, hollow, spare_openssl

    hollow(STEMMERS)
    spare_openssl()


def _workspace(cwd: str) -> Path | None:
    """The registered workspace around a folder."""
    from pathlib import Path

    from memgardend.daemon.locations import REGISTRY_FILE, state_folder

    try:
        listed = json.loads((state_folder() / REGISTRY_FILE).read_bytes())["workspaces"]
    except FileNotFoundError:
        return None
    tended = {one["path"] for one in listed}
    around = Path(os.path.realpath(cwd))
    folders = (around, *around.parents) if Path(cwd).is_absolute() else ()
    return next((folder for folder in folders if str(folder) in tended), None)


def _become_dream_command(*arguments: str) -> NoReturn:
    """To claim a dream takes the whole program, which a person who asked for one waits for."""
    program = (sys.executable, "-m", "memgardend.daemon.hook_dream", *arguments)
    os.execv(sys.executable, program)  # noqa: S606 - no shell, and what runs is ours


def _end_late() -> None:
    """Waits beside the work, which may be deep in SQLite, and ends the process when it takes too long."""
    lock = allocate_lock()
    lock.acquire()
    lock.acquire(timeout=DEADLINE_S)
    _end(f"took longer than {DEADLINE_S} s")


def end_after(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """What is done with an exception that nobody caught."""
    _end(f"{kind.__name__}: {error}")


def _end(reason: str) -> NoReturn:
    """Say it in the log, where `memgardend logs` finds it, and end as if nothing were.

    Who has settled to answer gets as much time again, and no more.
    """
    _ending.acquire(timeout=DEADLINE_S)
    try:
        from memgardend.core.clean import clean
        from memgardend.core.times import rfc3339
        from memgardend.daemon.hook_recall import now_ms
        from memgardend.daemon.log_file import log_file

        line = {
            "timestamp": rfc3339(now_ms()),
            "level": "warning",
            "event": "hook_failed",
            "agent": " ".join(sys.argv[1:2]),
            "reason": clean(reason),
        }
        log_file().append(json.dumps(line, ensure_ascii=False))
    finally:
        os._exit(0)
