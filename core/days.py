"""Days of a zone, from one local midnight to the next: 23 to 25 hours, rarely more or less."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS
from memgardend.core.offsets import offset_ms, offsets

if TYPE_CHECKING:
    from datetime import tzinfo

_AROUND_MS = 3 * DAY_MS
"""Two days of any zone, and its largest offset besides."""


@lru_cache(maxsize=256)
def day_of(at_ms: int, zone: tzinfo) -> tuple[int, int]:
    """The local day of an instant: start inclusive, end exclusive; epoch milliseconds.

    A day starts when its date is first read off the wall clock. Where the clock skips midnight that is later
    than 00:00; where it goes back over midnight the repeated minutes of the evening belong to the new day.
    Kept, because all windows of a store ask for the same instant.
    """
    number = (at_ms + offset_ms(zone, at_ms)) // DAY_MS
    after = _first_instant(number + 1, at_ms, zone)
    if after <= at_ms:
        return after, _first_instant(number + 2, at_ms, zone)
    return _first_instant(number, at_ms, zone), after


def _first_instant(number: int, near_ms: int, zone: tzinfo) -> int:
    """When the wall clock first reads this day (1970-01-01 is 0) or a later one."""
    for start, end, offset in offsets(zone, near_ms - _AROUND_MS, near_ms + _AROUND_MS):
        at = max(start, number * DAY_MS - offset)
        if at < end:
            return at
    raise ValueError(f"day {number} is not near {near_ms}")
