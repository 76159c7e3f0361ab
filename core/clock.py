"""The one seam through which the program learns the time."""

from __future__ import annotations

import math
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
        """Seconds since some start; never goes back, and stands still while the machine sleeps."""
        ...

    def boottime(self) -> float:
        """Seconds since some start; never goes back, and goes on while the machine sleeps."""
        ...

    def real_seconds(self, milliseconds: int) -> float:
        """How many seconds of the machine so much of our time takes; infinite where time stands still."""
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

    def boottime(self) -> float:
        return _boottime()

    def real_seconds(self, milliseconds: int) -> float:
        return milliseconds / 1000

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

    def boottime(self) -> float:
        return _boottime()

    def real_seconds(self, milliseconds: int) -> float:
        return milliseconds / 1000 / self.rate if self.rate > 0 else math.inf

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / self.rate if self.rate > 0 else 0)


class ManualClock:
    """A clock that stands still until a test moves it; sleeping moves it at once."""

    def __init__(self, start_ms: int) -> None:
        self._now_ms = start_ms
        self._monotonic = 0.0
        self._slept = 0.0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def boottime(self) -> float:
        return self._monotonic + self._slept

    def real_seconds(self, milliseconds: int) -> float:
        return milliseconds / 1000

    def sleep(self, seconds: float) -> None:
        self.advance(int(seconds * 1000))

    def advance(self, milliseconds: int) -> None:
        """Let wall and monotonic time pass together."""
        self._now_ms += milliseconds
        self._monotonic += milliseconds / 1000

    def suspend(self, milliseconds: int) -> None:
        """Let the machine sleep: the wall clock goes on, monotonic time does not."""
        self._now_ms += milliseconds
        self._slept += milliseconds / 1000

    def step(self, milliseconds: int) -> None:
        """Move the wall clock alone, as a correction of the time does."""
        self._now_ms += milliseconds


def _boottime() -> float:
    """Linux counts it (clock_gettime(2)); elsewhere sleep is not told from a step of the clock."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
