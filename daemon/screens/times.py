"""Times for a person: relative in lists, exact where one thing is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.times import local, parse_time

if TYPE_CHECKING:
    from datetime import tzinfo

_WEEK_DAYS = 7


@dataclass(frozen=True, slots=True)
class View:
    """How a screen is seen: the present instant, the person's zone, the width in cells (None: a pipe).

    `here`: what a command to type must add to mean this workspace, such as ` -w DIR`.
    """

    now_ms: int
    zone: tzinfo
    width: int | None
    here: str = ""


def span(milliseconds: int) -> str:
    """A length of time, in its two largest units at most."""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if milliseconds < MINUTE_MS:
        return f"{milliseconds / 1000:.1f} s".replace(".0 s", " s")
    if milliseconds < HOUR_MS:
        return f"{milliseconds // MINUTE_MS} min"
    if milliseconds < DAY_MS:
        hours, minutes = divmod(milliseconds // MINUTE_MS, 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(milliseconds // HOUR_MS, 24)
    return f"{days} d {hours} h" if hours and days < _WEEK_DAYS else f"{days} d"


def ago(at: str | None, view: View) -> str:
    """`3 h ago`, `in 12 min`, `now`; `-` for no time. One unit: for lists."""
    if at is None:
        return "-"
    distance = view.now_ms - parse_time(at, UTC)
    if abs(distance) < MINUTE_MS:
        return "now"
    for unit, name in ((DAY_MS, "d"), (HOUR_MS, "h"), (MINUTE_MS, "min")):
        if abs(distance) >= unit:
            count = f"{abs(distance) // unit} {name}"
            break
    return f"{count} ago" if distance > 0 else f"in {count}"


def wait(at: str, view: View) -> str:
    """How long from now: `in 1 h 12 min`, or `now`."""
    distance = parse_time(at, UTC) - view.now_ms
    return f"in {span(distance)}" if distance >= MINUTE_MS else "now"


def moment(at: str | None, view: View) -> str:
    """A local time as short as it can be said: `18:00`, `tomorrow 08:45`, `2026-12-03 09:00`."""
    if at is None:
        return "-"
    when, now = local(parse_time(at, UTC), view.zone), local(view.now_ms, view.zone)
    clock = f"{when:%H:%M}"
    days = (when.date() - now.date()).days
    near = {-1: f"yesterday {clock}", 0: clock, 1: f"tomorrow {clock}"}
    return near.get(days, f"{when:%Y-%m-%d} {clock}")


def exact(at: str | None, view: View) -> str:
    """The whole local time with its zone."""
    if at is None:
        return "-"
    return f"{local(parse_time(at, UTC), view.zone):%Y-%m-%d %H:%M:%S} {view.zone}"
