"""Workers: each task in a thread of its own, so that the work loop stays free."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Work on one workspace. It opens its own connection to the store, as each thread needs one."""

    workspace: Path
    name: str  # the dream's id, or a word
    work: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a task ended: with what it returned, or what it raised."""

    task: Task
    result: object = None
    error: Exception | None = None


class Crew(Protocol):
    """Whoever does tasks beside the work loop."""

    def start(self, task: Task) -> None:
        """Begin; returns at once."""
        ...

    def ended(self) -> list[Ended]:
        """The tasks that ended since the last call."""
        ...


class Threads:
    """A thread a task. None of them keeps the process alive."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._ended: queue.SimpleQueue[Ended] = queue.SimpleQueue()

    def start(self, task: Task) -> None:
        """Begin; `wake` is called when it ends."""
        threading.Thread(target=self._run, args=(task,), name=task.name, daemon=True).start()

    def ended(self) -> list[Ended]:
        """The tasks that ended since the last call."""
        return [self._ended.get() for _ in range(self._ended.qsize())]

    def _run(self, task: Task) -> None:
        self._ended.put(perform(task))
        self._wake()


def perform(task: Task) -> Ended:
    """Do the task here and now. What it raises is handed over, as in a thread nobody else would see it."""
    with structlog.contextvars.bound_contextvars(workspace=str(task.workspace)):
        try:
            return Ended(task, task.work())
        except Exception as error:  # noqa: BLE001 - the loop logs, counts and shows it
            return Ended(task, error=error)
