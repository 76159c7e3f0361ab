"""Nights of a machine, made by chance, and when each window had to be dreamed, worked out minute by minute.

Nothing here asks the program: the wall clock of a zone is read for every minute, and each rule is applied as
DESIGN section 4 says it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Literal
from zoneinfo import ZoneInfo

MINUTE_MS = 60_000
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WINDOWS = 5
LONGEST_STEP = 180


@dataclass(frozen=True)
class Act:
    """What happens in a minute: a turn in a window, or minutes of sleep, of no daemon, or of a clock set."""

    kind: Literal["speak", "sleep", "down", "step"]
    minutes: int = 0
    window: str = ""
    text: str = ""


@dataclass(frozen=True)
class Peak:
    """Minutes of the local day, and the days on which it starts."""

    start: int
    end: int
    days: tuple[int, ...]

    def covers(self, weekday: int, minute: int) -> bool:
        """True at this minute of the wall clock."""
        if self.start < self.end:
            return weekday in self.days and self.start <= minute < self.end
        late = weekday in self.days and minute >= self.start
        return late or ((weekday - 1) % 7 in self.days and minute < self.end)


@dataclass(frozen=True)
class Dream:
    """What was dreamed of which window, in which millisecond since the beginning."""

    window: str
    texts: tuple[str, ...]
    at_ms: int


@dataclass(frozen=True)
class Nights:
    """A stretch of time in one zone. Minutes are counted from its start, and machines that sleep count on."""

    zone: str
    start: datetime
    minutes: int
    idle_minutes: int
    lead_minutes: int
    peaks: tuple[Peak, ...]
    acts: dict[int, Act]

    @property
    def start_ms(self) -> int:
        """Epoch milliseconds."""
        return int(self.start.timestamp()) * 1000

    @property
    def yaml(self) -> str:
        """The settings. A regular look each four hours hides no exact instant that was lost."""
        windows = ", ".join(
            f'{{start: "{clock(one.start)}", end: "{clock(one.end)}",'
            f" weekdays: [{', '.join(DAYS[day] for day in one.days)}]}}"
            for one in self.peaks
        )
        return (
            "locale: en\nsources: []\n"
            f"dream: {{time_zone: {self.zone}, idle_minutes: {self.idle_minutes}, check_minutes: 240,"
            f" suppress_lead_minutes: {self.lead_minutes}, suppress_windows: [{windows}]}}\n"
        )

    @cached_property
    def shut(self) -> list[bool]:
        """For each minute of true time, and those around that a clock may show: True where nothing may start."""
        zone, first = ZoneInfo(self.zone), self.start - timedelta(minutes=self.margin)
        peak = []
        for number in range(self.minutes + 2 * self.margin + self.lead_minutes + 1):
            local = (first + timedelta(minutes=number)).astimezone(zone)
            minute, weekday = local.hour * 60 + local.minute, local.weekday()
            peak.append(any(one.covers(weekday, minute) for one in self.peaks))
        ahead = self.lead_minutes + 1
        return [any(peak[at : at + ahead]) for at in range(len(peak) - self.lead_minutes)]

    @cached_property
    def margin(self) -> int:
        """No clock is ever further from true time than this, in minutes."""
        return 1 + sum(abs(act.minutes) for act in self.acts.values() if act.kind == "step")

    def suppressed(self, wall_minute: int) -> bool:
        """True where nothing may start while the wall clock shows this many minutes since the beginning."""
        return self.shut[wall_minute + self.margin]

    def expected(self) -> list[Dream]:
        """Each dream, at the first minute in which the daemon lives and all gates are open."""
        news: dict[str, list[str]] = defaultdict(list)
        last: dict[str, int] = {}
        dreams: list[Dream] = []
        offset = lives_from = 0

        def look(minute: int) -> None:
            wall = minute + offset
            if minute < lives_from or self.suppressed(wall):
                return
            for window in [one for one in news if wall >= last[one] + self.idle_minutes]:
                dreams.append(Dream(window, tuple(news.pop(window)), minute * MINUTE_MS))

        for minute in range(self.minutes + 1):
            look(minute)
            act = self.acts.get(minute)
            if act is None:
                continue
            if act.kind == "speak":
                news[act.window].append(act.text)
                last[act.window] = max(last.get(act.window, minute + offset), minute + offset)
            elif act.kind == "step":
                offset += act.minutes
                look(minute)
            else:
                lives_from = max(lives_from, minute + act.minutes)
        return dreams


def clock(minute: int) -> str:
    """A minute of the day as settings write it."""
    return f"{minute // 60:02}:{minute % 60:02}"


def nights(zone: str, day: str, days: int, seed: int) -> Nights:
    """So many days from this one on; the same seed makes the same."""
    chance = random.Random(f"{zone} {seed}")
    minutes = days * 1440
    return Nights(
        zone=zone,
        start=datetime.fromisoformat(day).replace(tzinfo=UTC),
        minutes=minutes,
        idle_minutes=chance.choice((15, 60, 180, 240)),
        lead_minutes=chance.choice((0, 1, 15, 75)),
        peaks=tuple(peak(chance) for _ in range(chance.randint(1, 3))),
        acts=acts(chance, minutes),
    )


def peak(chance: random.Random) -> Peak:
    """Up to five hours, on some days; often around the hours in which clocks are changed."""
    start = chance.choice((0, 45, 90, 120, 150, chance.randrange(1440)))
    end = (start + chance.randint(20, 300)) % 1440
    return Peak(start, end, tuple(sorted({6, *chance.sample(range(7), chance.randint(1, 7))})))


def acts(chance: random.Random, minutes: int) -> dict[int, Act]:
    """Conversations that come in bursts, a lid that is closed, a daemon that ends, a clock that is set."""
    found: dict[int, Act] = {}
    at, set_to, last = 0, 0, minutes - 10
    while (at := at + chance.randint(10, 400)) < last:
        word = chance.choices(("burst", "sleep", "down", "step"), (12, 3, 2, 1))[0]
        if word == "burst":
            window, when = f"w{chance.randrange(WINDOWS)}", at
            for _ in range(chance.choice((1, 2, 5, 30))):
                found.setdefault(when, Act("speak", window=window, text=f"turn {when} of {window}"))
                when += chance.randint(1, 170)
        elif word == "step":
            to = chance.randint(-LONGEST_STEP, LONGEST_STEP)
            found[at] = Act("step", to - set_to)
            set_to = to
        else:
            length = chance.choice((1, 20, chance.randint(60, 700)))
            found[at] = Act(word, length)  # type: ignore[arg-type]
            at += length
    return possible({when: act for when, act in sorted(found.items()) if when < last})


def possible(found: dict[int, Act]) -> dict[int, Act]:
    """Without what cannot be: nobody speaks to a machine that sleeps, and no clock of it is set.

    The minute in which it wakes, or in which the daemon starts, is the daemon's.
    """
    awake_from = lives_from = -1
    kept = {}
    for when, act in found.items():
        if when <= awake_from or when == lives_from or (when < lives_from and act.kind != "speak"):
            continue
        kept[when] = act
        if act.kind == "sleep":
            awake_from = lives_from = when + act.minutes
        elif act.kind == "down":
            lives_from = when + act.minutes
    return kept
