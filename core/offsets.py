"""UTC offsets of a zone, as stretches of time over which they stand still."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

_STEP_MS = 2 * DAY_MS
"""No zone of tzdata 2026f changes its offset twice within six days since 1970, so no change hides in a step."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def offset_ms(zone: tzinfo, at_ms: int) -> int:
    """How far the wall clock of the zone is ahead of UTC at an instant, in milliseconds."""
    offset = datetime.fromtimestamp(at_ms // 1000, UTC).astimezone(zone).utcoffset()
    if offset is None:
        raise ValueError(f"a zone without offsets: {zone!r}")
    return round(offset.total_seconds() * 1000)


def offsets(zone: tzinfo, start_ms: int, end_ms: int) -> Iterator[tuple[int, int, int]]:
    """Stretches (start, end, offset in milliseconds) that cover [start_ms, end_ms), one after another.

    Lazy. Neighbours may have the same offset.
    """
    at, offset = start_ms, offset_ms(zone, start_ms)
    while at < end_ms:
        until = min(at + _STEP_MS, end_ms)
        following = offset_ms(zone, until)
        if following != offset:
            until = _change(zone, at, until, offset)
            following = offset_ms(zone, until)
        yield at, until, offset
        at, offset = until, following


def _change(zone: tzinfo, low_ms: int, high_ms: int, offset: int) -> int:
    """The first whole second after `low_ms` at which the offset is another one."""
    low, high = low_ms // 1000, -(-high_ms // 1000)
    while high - low > 1:
        middle = (low + high) // 2
        if offset_ms(zone, middle * 1000) == offset:
            low = middle
        else:
            high = middle
    return high * 1000
