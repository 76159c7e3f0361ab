"""Nights of a machine, made by chance: what people say, what becomes of the machine, and what is configured."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MINUTES = 1440
WINDOWS = 4  # in each workspace
LONGEST_STEP = 180
FAR_STEP = 3 * DAY_MINUTES
QUIET_END = 4 * DAY_MINUTES
"""Nothing happens any more for so long: whatever was said must have been dreamed by then."""

Kind = Literal["speak", "sleep", "crash", "stop", "step", "pause"]


@dataclass(frozen=True)
class Act:
    """What happens in a minute: a turn in a window, or minutes of sleep, of no daemon, of a pause, of a clock
    set. `rings`: the daemon is told of the turn."""

    kind: Kind
    minutes: int = 0
    place: str = ""
    window: str = ""
    text: str = ""
    rings: bool = True


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
class Place:
    """A workspace and its settings."""

    name: str
    zone: str
    idle_minutes: int
    lead_minutes: int
    peaks: tuple[Peak, ...]
    deepseek: bool = False
    max_wait_hours: int | None = None
    parks: bool = False
    avoids: bool = False
    concurrent: int = 1

    @property
    def yaml(self) -> str:
        """The settings. A regular look each four hours hides no exact instant that was lost."""
        windows = ", ".join(
            f'{{start: "{clock(one.start)}", end: "{clock(one.end)}",'
            f" weekdays: [{', '.join(DAYS[day] for day in one.days)}]}}"
            for one in self.peaks
        )
        return (
            "locale: en\nsources: []\nmodel: {preset: offline, timeout_minutes: 60}\ndream:\n"
            f"  time_zone: {self.zone}\n  suppress_windows: [{windows}]\n"
            f"  suppress_lead_minutes: {self.lead_minutes}\n  idle_minutes: {self.idle_minutes}\n"
            f"  calendar: {'deepseek' if self.deepseek else 'null'}\n"
            f"  max_wait_hours: {self.max_wait_hours or 'null'}\n"
            f"  park_at_peak: {str(self.parks).lower()}\n"
            f"  avoid_crossing: {str(self.avoids).lower()}\n"
            f"  max_concurrent: {self.concurrent}\n  check_minutes: 240\n"
        )


@dataclass(frozen=True)
class Nights:
    """A stretch of time. Minutes are counted from its start, and a machine that sleeps counts on."""

    start: datetime
    minutes: int
    places: tuple[Place, ...]
    acts: dict[int, Act]
    seed: str
    model_minutes: tuple[int, ...] = (0, 0, 1, 4, 15, 45)  # one of them for each call

    @property
    def start_ms(self) -> int:
        """Epoch milliseconds."""
        return int(self.start.timestamp()) * 1000


def clock(minute: int) -> str:
    """A minute of the day as settings write it."""
    return f"{minute // 60:02}:{minute % 60:02}"


def nights(zone: str, day: str, days: int, seed: int) -> Nights:
    """So many days from this one on, the last of them quiet; the same seed makes the same."""
    chance = random.Random(f"{zone} {seed}")
    minutes = days * DAY_MINUTES
    return Nights(
        start=datetime.fromisoformat(day).replace(tzinfo=UTC),
        minutes=minutes,
        places=(_place(chance, "home", zone), _place(chance, "work", zone)),
        acts=_acts(chance, minutes - QUIET_END),
        seed=f"{zone} {seed}",
    )


def _place(chance: random.Random, name: str, zone: str) -> Place:
    return Place(
        name=name,
        zone=zone,
        idle_minutes=chance.choice((15, 60, 180, 240)),
        lead_minutes=chance.choice((0, 1, 15, 75)),
        peaks=tuple(_peak(chance) for _ in range(chance.randint(1, 3))),
        deepseek=name == "work" and chance.random() < 0.3,
        max_wait_hours=chance.choice((None, 5, 12)),
        parks=chance.random() < 0.5,
        avoids=chance.random() < 0.5,
        concurrent=chance.choice((1, 1, 2)),
    )


def _peak(chance: random.Random) -> Peak:
    """Up to five hours, on some days; often around the hours in which clocks are changed."""
    start = chance.choice((0, 45, 90, 120, 150, chance.randrange(DAY_MINUTES)))
    end = (start + chance.randint(20, 300)) % DAY_MINUTES
    return Peak(start, end, tuple(sorted({6, *chance.sample(range(7), chance.randint(1, 7))})))


def _acts(chance: random.Random, minutes: int) -> dict[int, Act]:
    """Conversations that come in bursts, some without an end; a lid that is closed, a daemon that ends, a clock
    that is set, a person who wants quiet."""
    found: dict[int, Act] = {}
    at, set_to, last = 0, 0, minutes - 10
    while (at := at + chance.randint(10, 2000)) < last:
        kinds: tuple[Kind, ...] = ("speak", "sleep", "crash", "stop", "step", "pause")
        kind = chance.choices(kinds, (16, 3, 2, 1, 1, 1))[0]
        if kind == "speak":
            place, window = chance.choice(("home", "work")), f"w{chance.randrange(WINDOWS)}"
            when, longest = at, chance.choice((5, 30, 170))
            for _ in range(chance.choice((1, 2, 5, 30, 60))):
                text = f"turn {when} of {place} {window}"
                rings = chance.random() < 0.7
                found.setdefault(when, Act("speak", 0, place, f"{place}-{window}", text, rings))
                when += chance.randint(1, longest)
        elif kind == "step":
            furthest = FAR_STEP if chance.random() < 0.1 else LONGEST_STEP
            to = chance.randint(-furthest, furthest)
            found[at] = Act("step", to - set_to)
            set_to = to
        else:
            length = chance.choice((1, 20, chance.randint(60, 700)))
            found[at] = Act(kind, length, place=chance.choice(("home", "work")))
            at += length if kind != "pause" else 0
    return _possible({when: act for when, act in sorted(found.items()) if when < last})


def _possible(found: dict[int, Act]) -> dict[int, Act]:
    """Without what cannot be: nobody speaks to a machine that sleeps, and no daemon ends that does not live."""
    awake_from = lives_from = -1
    kept = {}
    for when, act in found.items():
        if when <= awake_from or (when <= lives_from and act.kind not in ("speak", "step")):
            continue
        kept[when] = act
        if act.kind == "sleep":
            awake_from = when + act.minutes
        elif act.kind in ("crash", "stop"):
            lives_from = when + act.minutes
    return kept
