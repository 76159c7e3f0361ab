"""Times and durations as a person types them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

from memgardend.config.values import minute_of_day
from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.errors import UsageError
from memgardend.core.times import YEARS, local, parse_time

_DURATION = re.compile(r"(?P<count>[0-9]{1,9})\s*(?P<unit>[smhdw])", re.ASCII)
_UNIT_MS = {"s": 1000, "m": MINUTE_MS, "h": HOUR_MS, "d": DAY_MS, "w": 7 * DAY_MS}
_EXAMPLES = "such as 2026-12-24T18:00Z, 2026-12-24 18:00, or 18:00"


def typed_time(text: str, now_ms: int, zone: tzinfo) -> int:
    """The instant that a person means, in epoch ms. Raises UsageError for what is no time.

    A time with an offset is exact; without one it is meant in `zone`; `H:MM` alone is the next such time, now
    included. Where clocks go back and a time comes twice, the first is meant (for `H:MM`: the next to come);
    where they go forward and it is left out, the instant as many minutes after the change.
    """
    typed = text.strip()
    try:
        return _next(minute_of_day(typed), now_ms, zone)
    except ValueError:  # not H:MM
        pass
    try:
        at = parse_time(typed, zone)
    except ValueError:
        raise UsageError(f"{text!r} is not a time", hint=_EXAMPLES) from None
    if local(at, UTC).year not in YEARS:
        raise UsageError(f"{text!r} is not in the years {YEARS[0]} to {YEARS[-1]}", hint=_EXAMPLES)
    return at


def typed_duration(text: str) -> int:
    """Milliseconds of `90s`, `30m`, `2h`, `7d` or `1w`. Raises UsageError for anything else."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text!r} is not a duration", hint="30m, 2h or 7d")
    return int(found["count"]) * _UNIT_MS[found["unit"]]


def _next(minute: int, now_ms: int, zone: tzinfo) -> int:
    """The first instant from now on at which the local clock shows this minute of the day."""
    today = local(now_ms, zone).date()
    instants = []
    for days in range(-1, 3):  # 24:00 of yesterday is 0:00 of today
        wall = datetime.combine(today + timedelta(days), time()) + timedelta(minutes=minute)
        for fold in (0, 1):
            at = wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)
            shown = at.astimezone(zone).replace(tzinfo=None)
            if shown == wall or (fold == 0 and shown > wall):  # the latter: left out that day
                instants.append(int(at.timestamp()) * 1000)
    return min(at for at in instants if at >= now_ms)
