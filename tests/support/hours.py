"""When settings forbid dreams, read off the wall clock of a zone minute by minute, without asking the program."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from support.nights import Peak, Place

MINUTE_MS = 60_000
ZONE_OF_DEEPSEEK = "Asia/Shanghai"
DEEPSEEK = (Peak(540, 720, tuple(range(7))), Peak(840, 1080, tuple(range(7))))
DEEPSEEK_FROM = datetime(2026, 8, 16, 16, tzinfo=UTC)
DEEPSEEK_FREE_WEEKENDS_FROM = datetime(2026, 8, 22, 16, tzinfo=UTC)


@dataclass(frozen=True)
class Hours:
    """When the settings of one place forbid dreams, by the minutes of the wall clock."""

    place: Place
    start: datetime
    minutes: int
    margin: int = 5 * 1440  # no clock is further from true time, and no dream longer

    @cached_property
    def until_peak(self) -> list[int]:
        """For each minute how many it is until a peak; 0 within one."""
        name = ZONE_OF_DEEPSEEK if self.place.deepseek else self.place.zone
        zone, first = ZoneInfo(name), self.start - timedelta(minutes=self.margin)
        number = self.minutes + 2 * self.margin
        ahead = [number] * (number + 1)
        for minute in reversed(range(number)):
            at = first + timedelta(minutes=minute)
            ahead[minute] = 0 if self._in_peak(at, at.astimezone(zone)) else ahead[minute + 1] + 1
        return ahead[:number]

    def _in_peak(self, at: datetime, local: datetime) -> bool:
        weekday, minute = local.weekday(), local.hour * 60 + local.minute
        if not self.place.deepseek:
            return any(one.covers(weekday, minute) for one in self.place.peaks)
        if at < DEEPSEEK_FROM or (at >= DEEPSEEK_FREE_WEEKENDS_FROM and weekday > 4):
            return False
        return any(one.covers(weekday, minute) for one in DEEPSEEK)

    def _minute(self, wall_ms: int) -> int:
        return (wall_ms - int(self.start.timestamp()) * 1000) // MINUTE_MS + self.margin

    def suppressed(self, wall_ms: int) -> bool:
        """In a peak, or less than the lead before one."""
        return self.until_peak[self._minute(wall_ms)] <= self.place.lead_minutes

    def suppressed_until(self, wall_ms: int) -> int:
        """The end of what suppresses now."""
        while self.suppressed(wall_ms):
            wall_ms = (wall_ms // MINUTE_MS + 1) * MINUTE_MS
        return wall_ms

    def meets_peak(self, wall_ms: int, length_ms: int) -> bool:
        """True when something of this length that starts now is not over before the next peak."""
        minutes = self.until_peak[self._minute(wall_ms)]
        return (wall_ms // MINUTE_MS + minutes) * MINUTE_MS < wall_ms + length_ms
