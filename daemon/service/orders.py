"""What the daemon was told from outside, by signals that only set flags, and what workers read of it."""

from __future__ import annotations

import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Model, ModelCall, ModelReply

STOP_SECONDS = 15.0
"""From the order to stop to the end; below the 20 s of TimeoutStopSec."""
ROUND_SECONDS = 4.0
"""How long a running model may finish its round; then TERM, 5 s of grace, KILL, and the grace of strays."""
LATE_SECONDS = 60.0
"""So long after its deadline a call must have ended, graces included."""


@contextmanager
def told_early() -> Iterator[None]:
    """Before there is a loop that could obey: TERM and INT end the block wherever it stands, and that is no
    failure. HUP finds nothing to reload yet."""

    def end(*_: object) -> None:
        raise StoppedError("told to stop before it began")

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with suppress(StoppedError):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Orders:
    """Stop, stop at once, reload. Setting is safe in a signal handler, reading in any thread."""

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._since: float | None = None
        self.at_once = False
        self.reload = False

    def obey_signals(self) -> None:
        """TERM and INT stop, the second one at once; HUP reloads."""
        signal.signal(signal.SIGTERM, lambda *_: self.stop())
        signal.signal(signal.SIGINT, lambda *_: self.stop())
        signal.signal(signal.SIGHUP, lambda *_: self.ask_reload())

    def stop(self) -> None:
        """No new starts; the running rounds may end. The second time: now."""
        self.at_once = self._since is not None
        self._since = self._clock.monotonic() if self._since is None else self._since
        self._wake()

    def ask_reload(self) -> None:
        """Read all settings anew."""
        self.reload = True
        self._wake()

    @property
    def stopping(self) -> bool:
        """Nothing new may start."""
        return self._since is not None

    @property
    def models_must_end(self) -> bool:
        """A model that still runs is ended, and its dream waits."""
        return self._passed(ROUND_SECONDS)

    @property
    def time_is_up(self) -> bool:
        """Whoever still works is left behind."""
        return self._passed(STOP_SECONDS)

    def _passed(self, seconds: float) -> bool:
        since = self._since
        if since is None:
            return False
        return self.at_once or self._clock.monotonic() - since >= seconds


@dataclass
class WatchedModel:
    """The model of one worker: it obeys the order to stop, and shows whether a call is overdue."""

    model: Model
    orders: Orders
    clock: Clock
    limit_seconds: float
    asked_at: float | None = None

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        """As the model does. Raises StoppedError once the process must end."""
        if self.orders.stopping:
            raise StoppedError("the daemon stops")
        self.asked_at = self.clock.monotonic()
        try:
            return self.model.ask(call, lambda: self._may_go_on() and tick())
        finally:
            self.asked_at = None

    @property
    def overdue(self) -> bool:
        """True when a call should have been ended long ago: the worker hangs."""
        asked_at = self.asked_at
        if asked_at is None:
            return False
        return self.clock.monotonic() - asked_at > self.limit_seconds + LATE_SECONDS

    def _may_go_on(self) -> bool:
        if self.orders.models_must_end:
            raise StoppedError("the daemon stops")
        return True
