"""Which clock drives this process: the machine's, or `MEMGARDEND_CLOCK=START[@RATE]` in tests and demos."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memgardend.core.clock import DrivenClock, SystemClock
from memgardend.core.errors import ConfigError
from memgardend.core.times import YEARS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store

VARIABLE = "MEMGARDEND_CLOCK"
FASTEST = 1_000_000.0  # a year in half a minute
CLOCK_KEY = "clock"
REAL, DRIVEN = "real", "driven"


def clock(environ: Mapping[str, str]) -> Clock:
    """The clock that the environment asks for. Raises ConfigError for a start that is no instant."""
    text = environ.get(VARIABLE)
    if not text:
        return SystemClock()
    start, _, rate = text.partition("@")
    try:
        instant = datetime.fromisoformat(start)
        speed = float(rate or "1")
    except ValueError:
        instant, speed = None, -1.0
    if (
        instant is None
        or instant.tzinfo is None
        or instant.year not in YEARS
        or not 0 <= speed <= FASTEST
    ):
        raise ConfigError(
            f"{VARIABLE}={text}: not START[@RATE] with a zone, a year from {YEARS[0]} to {YEARS[-1]} "
            f"and a rate from 0 to {FASTEST:.0f}",
            hint=f"{VARIABLE}=2026-12-01T03:00:00Z@60",
        )
    return DrivenClock(int(instant.timestamp() * 1000), speed)


def guard_clock(store: Store, running: Clock) -> None:
    """Refuse to drive the time of a store that dreamed under real time."""
    if isinstance(running, DrivenClock) and _dreamed_under_real_time(store):
        raise ConfigError(
            f"this store was dreamed under real time, and {VARIABLE} is set",
            hint=f"unset {VARIABLE}",
        )


def note_clock(store: Store, running: Clock) -> None:
    """Remember under which kind of time the store dreams; of a dream, real time is never taken back."""
    kind = DRIVEN if isinstance(running, DrivenClock) else REAL
    known = store.state(CLOCK_KEY)
    if known != kind and not _dreamed_under_real_time(store):
        store.set_state(CLOCK_KEY, known, kind)


def _dreamed_under_real_time(store: Store) -> bool:
    return store.state(CLOCK_KEY) == REAL and bool(store.dreams(1))
