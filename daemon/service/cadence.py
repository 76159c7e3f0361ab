"""What comes round again, and what the clocks did meanwhile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.clock import Clock

STEP_SECONDS = 5.0
"""What the wall clock may drift from the others without having been set (spec/reliability.md section 6)."""
SLEEP_SECONDS = 1.0


@dataclass(slots=True)
class Cadence:
    """Due at once, and then each `every_ms`; late or missed turns are one turn. A clock that goes back does
    not delay it."""

    every_ms: int
    last: int | None = None

    def due(self, now: int) -> bool:
        """True when its time has come."""
        return now >= self.next_at(now)

    def done(self, now: int) -> None:
        """Count from now on."""
        self.last = now

    def done_badly(self, now: int, retry_ms: int) -> None:
        """Be due again sooner than usually."""
        self.last = now - self.every_ms + retry_ms

    def next_at(self, now: int) -> int:
        """The instant at which it is due."""
        if self.last is None or now < self.last:
            return now
        return self.last + self.every_ms


class Leaps:
    """Tells from two looks at the clocks whether the machine slept, or its wall clock was set."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._before = self._look()

    def since_last(self) -> tuple[float, float]:
        """Seconds slept, and seconds by which the wall clock was set, since the last call; 0 for neither."""
        before, self._before = self._before, self._look()
        wall_ms, monotonic, boot = (
            new - old for new, old in zip(self._before, before, strict=True)
        )
        slept = boot - monotonic
        passed = self._clock.real_seconds(int(wall_ms))
        step = 0.0 if math.isinf(passed) else passed - boot
        return (
            slept if slept > SLEEP_SECONDS else 0.0,
            step if abs(step) > STEP_SECONDS else 0.0,
        )

    def _look(self) -> tuple[float, float, float]:
        return self._clock.now_ms(), self._clock.monotonic(), self._clock.boottime()
