"""Peak calendars of vendors: rules that hold from a date on, and never before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.suppression import Peaks, PeakWindow, weekly_between

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from memgardend.core.suppression import Interval, Suppression

DEEPSEEK_PRICING = "https://api-docs.deepseek.com/quick_start/pricing/"
"""Where the vendor publishes the rules below; as read on 2026-08-22."""

DEEPSEEK_ZONE = "Asia/Shanghai"

_PEAK_PRICES_MS = 1_786_896_000_000  # 2026-08-16T16:00Z: peak prices begin
_FREE_WEEKENDS_MS = 1_787_414_400_000  # 2026-08-22T16:00Z: weekends become off-peak
_MONDAY_TO_FRIDAY = frozenset(range(5))
_HOURS = ((9, 12), (14, 18))


@dataclass(frozen=True, slots=True)
class Rule:
    """Weekly peak windows, in force from an instant on until the next rule."""

    from_ms: int
    windows: tuple[PeakWindow, ...]


@dataclass(frozen=True, slots=True)
class DatedCalendar(Peaks):
    """Rules by their date, each ended by the next; before the first there is no peak."""

    rules: tuple[Rule, ...]
    zone: tzinfo
    lead_ms: int

    @property
    def never_allows(self) -> bool:
        """False: a vendor that has only peak prices has no peak."""
        return False

    def peaks(self, start_ms: int, end_ms: int) -> Iterator[Interval]:
        ends = (*(rule.from_ms for rule in self.rules[1:]), end_ms)
        for rule, until in zip(self.rules, ends, strict=True):
            first, last = max(start_ms, rule.from_ms), min(end_ms, until)
            yield from weekly_between(rule.windows, self.zone, first, last)


def deepseek(zone: tzinfo, lead_ms: int) -> Suppression:
    """DeepSeek's peak prices; `zone` must be the one named by `DEEPSEEK_ZONE`.

    Statutory holidays are not covered: the vendor's page does not list them, so they count as the weekdays
    they fall on. That delays a dream, and never starts one at a peak price.
    """
    daily = tuple(PeakWindow(start * 60, end * 60) for start, end in _HOURS)
    weekdays = tuple(PeakWindow(start * 60, end * 60, _MONDAY_TO_FRIDAY) for start, end in _HOURS)
    return DatedCalendar(
        (Rule(_PEAK_PRICES_MS, daily), Rule(_FREE_WEEKENDS_MS, weekdays)), zone, lead_ms
    )
