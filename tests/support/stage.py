"""Threads that take turns, one at a time, on a clock that only the stage moves: the same each time."""

from __future__ import annotations

import threading
from collections.abc import Callable

from memgardend.core.clock import ManualClock


class Killed(BaseException):
    """What a SIGKILL is to a thread here: it gets no word in."""


class Actor:
    """One thread. It runs until it waits, and goes on when the stage says so."""

    def __init__(self, stage: Stage, name: str, work: Callable[[], object]) -> None:
        self.name = name
        self.wakes_at = stage.now_ms
        self.over = self.killed = False
        self._stage = stage
        self._work = work
        self._mine = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def go_on(self) -> None:
        """Until it waits again, or ends."""
        self._mine.release()
        self._stage.turn.acquire()
        if self.over:
            self._thread.join()

    def wait(self, milliseconds: int) -> None:
        """Called by the thread itself: let this much of monotonic time pass."""
        self.wakes_at = self._stage.now_ms + milliseconds
        self._stage.turn.release()
        self._mine.acquire()
        if self.killed:
            raise Killed

    def _run(self) -> None:
        self._mine.acquire()
        try:
            if not self.killed:
                self._work()
        except Killed:
            pass
        finally:
            self.over = True
            self._stage.turn.release()


class Stage:
    """All actors of one machine."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.turn = threading.Semaphore(0)
        self.actors: list[Actor] = []

    @property
    def now_ms(self) -> int:
        """Monotonic time."""
        return round(self.clock.monotonic() * 1000)

    def enter(self, name: str, work: Callable[[], object]) -> Actor:
        """One more actor, whose turn comes at once but not before the others wait."""
        actor = Actor(self, name, work)
        self.actors.append(actor)
        return actor

    def play(self, until_ms: int) -> None:
        """Let monotonic time pass until then: whoever wakes first goes on, of two the one that entered first.

        Whoever wakes at the very end goes on too.
        """
        while True:
            first = min(self.actors, key=lambda one: one.wakes_at, default=None)
            if first is None or first.wakes_at > until_ms:
                break
            self.clock.advance(max(0, first.wakes_at - self.now_ms))
            first.go_on()
            self.actors = [one for one in self.actors if not one.over]
        self.clock.advance(max(0, until_ms - self.now_ms))

    def kill(self) -> None:
        """All actors end at once, wherever they are."""
        for one in self.actors:
            one.killed = True
            one.go_on()
        self.actors = []
