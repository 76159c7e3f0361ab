"""The one seam through which the program learns the time."""

from __future__ import annotations

import time
from typing import Protocol

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


class Clock(Protocol):
    """What time it is, and how to wait."""

    def now_ms(self) -> int:
        """The current time in epoch milliseconds, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds since some start; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return once the seconds have passed."""
        ...


class SystemClock:
    """The machine's own time."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class DrivenClock:
    """A clock that starts at a chosen instant and runs `rate` times as fast as the machine's."""

    def __init__(self, start_ms: int, rate: float = 1.0) -> None:
        self.start_ms = start_ms
        self.rate = rate
        self._origin = time.monotonic()

    def now_ms(self) -> int:
        return self.start_ms + int((time.monotonic() - self._origin) * 1000 * self.rate)

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / self.rate if self.rate > 0 else 0)


class ManualClock:
    """A clock that stands still until a test moves it; sleeping moves it at once."""

    def __init__(self, start_ms: int) -> None:
        self._now_ms = start_ms
        self._monotonic = 0.0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def sleep(self, seconds: float) -> None:
        self.advance(int(seconds * 1000))

    def advance(self, milliseconds: int) -> None:
        """Let wall and monotonic time pass together."""
        self._now_ms += milliseconds
        self._monotonic += milliseconds / 1000

    def step(self, milliseconds: int) -> None:
        """Move the wall clock alone, as a correction of the time does."""
        self._now_ms += milliseconds
