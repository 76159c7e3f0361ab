"""Peak suppression: when dreams may not start, as exact intervals of epoch milliseconds.

An instant is in a peak when the wall clock of the zone reads a time inside a window. It is suppressed when
a peak covers some instant of [at, at + lead]; so the suppressed set is the union of [start - lead, end)
over all peaks. The lead is elapsed time, not wall time: a peak that begins at a clock change has its lead
whether or not the wall clock shows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from memgardend.core.clock import DAY_MS, MINUTE_MS
from memgardend.core.offsets import offsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

Interval = tuple[int, int]
"""Half-open: start inclusive, end exclusive; epoch milliseconds."""

HORIZON_MS = 400 * DAY_MS
"""How far to look ahead. Windows repeat each week and clock changes each year: what a year and a month do
not bring is said never to come."""

LOOK_BACK_MS = 32 * DAY_MS

DAY_MINUTES = 1440
WEEK_MINUTES = 7 * DAY_MINUTES
_EPOCH_WEEKDAY = 3  # 1970-01-01 was a Thursday; Monday is 0


class Suppression(Protocol):
    """When dreams may not start. A value: equal ones give equal answers, so that answers may be kept."""

    def __hash__(self) -> int: ...

    @property
    def never_allows(self) -> bool:
        """True when an ordinary week, without a clock change, has no free instant."""
        ...

    def in_peak(self, at_ms: int) -> bool:
        """True inside a peak itself, without the lead: the price phase of a call."""
        ...

    def suppressed(self, at_ms: int) -> bool:
        """True inside a peak or in the lead before it."""
        ...

    def next_allowed(self, at_ms: int) -> int | None:
        """The earliest instant from `at_ms` on that is not suppressed; None when there is none."""
        ...

    def next_change(self, at_ms: int) -> int | None:
        """The earliest instant after `at_ms` at which `suppressed` changes; None when it never does."""
        ...

    def next_peak(self, at_ms: int) -> Interval | None:
        """The next peak, without its lead, or what is left of the one that covers `at_ms`."""
        ...

    def suppressed_since(self, at_ms: int) -> int | None:
        """Since when it has been suppressed at `at_ms`; None when it is not, or has been for a month."""
        ...


@dataclass(frozen=True, slots=True)
class PeakWindow:
    """A stretch of wall-clock time, in minutes of the day: start inclusive, end exclusive.

    An end of 1440 is 24:00; an end before the start lies on the next day. `weekdays` names the local days on
    which it starts (Monday is 0); None is every day. Raises ValueError for what is no such stretch.
    """

    start_minute: int
    end_minute: int
    weekdays: frozenset[int] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start_minute < DAY_MINUTES or not 0 <= self.end_minute <= DAY_MINUTES:
            raise ValueError("a peak window starts in 00:00 to 23:59 and ends in 00:00 to 24:00")
        if self.start_minute == self.end_minute:
            raise ValueError("a peak window must not end when it starts")
        if self.weekdays is not None and not self.weekdays <= frozenset(range(7)):
            raise ValueError("weekdays are 0 (Monday) to 6 (Sunday)")

    def in_week(self) -> Iterator[Interval]:
        """Its stretches in minutes of a week that starts on Monday; a part may lie in the week after."""
        length = (self.end_minute - self.start_minute) % DAY_MINUTES or DAY_MINUTES
        for weekday in range(7) if self.weekdays is None else sorted(self.weekdays):
            start = weekday * DAY_MINUTES + self.start_minute
            yield start, start + length


class Peaks(ABC):
    """Suppression by peaks; subclasses say when the peaks are."""

    lead_ms: int

    @property
    @abstractmethod
    def never_allows(self) -> bool:
        """True when an ordinary week has no free instant."""

    @abstractmethod
    def peaks(self, start_ms: int, end_ms: int) -> Iterator[Interval]:
        """The peaks in [start_ms, end_ms), cut to it, by time; neighbours may touch. Lazy."""

    def in_peak(self, at_ms: int) -> bool:
        return any(True for _ in self.peaks(at_ms, at_ms + 1))

    def suppressed(self, at_ms: int) -> bool:
        return any(True for _ in self.peaks(at_ms, at_ms + self.lead_ms + 1))

    def next_allowed(self, at_ms: int) -> int | None:
        allowed = at_ms
        # A peak just past the horizon counts too: its lead may cover the last gap within.
        for start, end in self.peaks(at_ms, at_ms + HORIZON_MS + self.lead_ms + 1):
            if start - self.lead_ms > allowed:
                return allowed
            allowed = end
        return allowed if allowed < at_ms + HORIZON_MS else None

    def next_change(self, at_ms: int) -> int | None:
        if self.suppressed(at_ms):
            return self.next_allowed(at_ms)
        peak = next(self.peaks(at_ms, at_ms + HORIZON_MS), None)
        return None if peak is None else peak[0] - self.lead_ms

    def next_peak(self, at_ms: int) -> Interval | None:
        return next(_joined(self.peaks(at_ms, at_ms + HORIZON_MS)), None)

    def suppressed_since(self, at_ms: int) -> int | None:
        if not self.suppressed(at_ms):
            return None
        look_back_ms = DAY_MS
        while look_back_ms <= LOOK_BACK_MS:
            first = at_ms - look_back_ms
            since = self._since(first, at_ms)
            if since > first:
                return since
            look_back_ms *= 2
        return None

    def _since(self, first_ms: int, at_ms: int) -> int:
        """The start of the suppressed stretch that covers `at_ms`, or `first_ms` when it reaches back so far."""
        since = free = first_ms
        for start, end in self.peaks(first_ms, at_ms + self.lead_ms + 1):
            if start - self.lead_ms > free:
                since = start - self.lead_ms
            free = end
        return since


@dataclass(frozen=True, slots=True)
class PeakCalendar(Peaks):
    """Peak windows that repeat each week on the wall clock of one zone, and the lead before each."""

    windows: tuple[PeakWindow, ...]
    zone: tzinfo
    lead_ms: int

    @property
    def never_allows(self) -> bool:
        week = weekly_peaks(self.windows)
        if not week:
            return False
        following = [*week[1:], (week[0][0] + WEEK_MINUTES, 0)]
        gaps = (after[0] - end for (_, end), after in zip(week, following, strict=True))
        return all(gap * MINUTE_MS <= self.lead_ms for gap in gaps)

    def peaks(self, start_ms: int, end_ms: int) -> Iterator[Interval]:
        return weekly_between(self.windows, self.zone, start_ms, end_ms)


def weekly_between(
    windows: tuple[PeakWindow, ...], zone: tzinfo, start_ms: int, end_ms: int
) -> Iterator[Interval]:
    """The peaks of weekly windows in [start_ms, end_ms), cut to it and to each stretch of one UTC offset."""
    week = weekly_peaks(windows)
    if not week:
        return
    for low, high, offset in offsets(zone, start_ms, end_ms):
        monday = _monday_before(low + offset)
        while monday < high + offset:
            for start_minute, end_minute in week:
                start = max(monday + start_minute * MINUTE_MS - offset, low)
                end = min(monday + end_minute * MINUTE_MS - offset, high)
                if start < end:
                    yield start, end
            monday += WEEK_MINUTES * MINUTE_MS


@lru_cache(maxsize=64)
def weekly_peaks(windows: tuple[PeakWindow, ...]) -> tuple[Interval, ...]:
    """The peaks of a week in minutes from Monday 00:00, joined, by time, none beyond the week."""
    parts: list[Interval] = []
    for start, end in (part for window in windows for part in window.in_week()):
        parts.append((start, min(end, WEEK_MINUTES)))
        if end > WEEK_MINUTES:  # Sunday night goes on in Monday morning
            parts.append((0, end - WEEK_MINUTES))
    return tuple(_joined(iter(sorted(parts))))


def _joined(intervals: Iterable[Interval]) -> Iterator[Interval]:
    """Sorted intervals with those that overlap or touch made one."""
    current: Interval | None = None
    for start, end in intervals:
        if current is None:
            current = (start, end)
        elif start <= current[1]:
            current = (current[0], max(current[1], end))
        else:
            yield current
            current = (start, end)
    if current is not None:
        yield current


def _monday_before(local_ms: int) -> int:
    """The last Monday 00:00 up to a local time, both in milliseconds of the wall clock."""
    day = local_ms // DAY_MS
    return (day - (day + _EPOCH_WEEKDAY) % 7) * DAY_MS
