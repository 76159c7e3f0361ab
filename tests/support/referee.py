"""What may and what must be dreamed when, judged in each minute from what happened alone (DESIGN section 4).

Nothing here asks the program: the wall clock of a zone is read for every minute, and each rule is applied as the
design says it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from support.hours import MINUTE_MS, Hours
from support.nights import Nights, Place
from support.watched import Happened

HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
BOUND_MS = MINUTE_MS
"""How long a window that may be dreamed may wait for a daemon that lives, with a free worker."""
SAMPLE, LEAST = 100, 5
"""So many past dreams say how long one takes, and at least so many."""


@dataclass
class Open:
    """A dream that was begun and has not ended. `texts`: what it must be shown, for good once a model answered.

    `overtaken`: another dream changed what this one may have been shown, so that it may ask anew, once.
    """

    dream: str
    runs: str | None = None
    texts: tuple[str, ...] = ()
    answered: set[str] = field(default_factory=set)
    overtaken: bool = False
    asks_anew: bool = False
    not_before: int = 0
    attempts: int = 0
    deaths: int = 0
    given_up: bool = False
    model_ms: int = 0


@dataclass
class Seat:
    """One workspace as the referee sees it."""

    place: Place
    hours: Hours
    news: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    last: dict[str, int] = field(default_factory=dict)
    open: dict[str, Open] = field(default_factory=dict)
    lengths: list[tuple[int, int]] = field(default_factory=list)
    dreamed: set[str] = field(default_factory=set)
    paused_until: int = 0
    waits_since: dict[str, int] = field(default_factory=dict)

    @property
    def running(self) -> int:
        return sum(one.runs is not None for one in self.open.values())

    def length_ms(self) -> int:
        """Nine of ten dreams took no longer; 0 where nothing is known."""
        latest = sorted(self.lengths, reverse=True)[:SAMPLE]
        lengths = sorted(length for _, length in latest)
        return lengths[math.ceil(0.9 * len(lengths)) - 1] if len(lengths) >= LEAST else 0

    def quiet(self, window: str, wall: int) -> bool:
        last = self.last[window]
        return wall >= last + self.place.idle_minutes * MINUTE_MS or last - wall > DAY_MS

    def overdue(self, window: str, wall: int) -> bool:
        hours = self.place.max_wait_hours
        oldest = min(self.news[window].values())
        return hours is not None and wall >= oldest + hours * HOUR_MS

    def against(self, window: str, wall: int) -> str | None:
        """Why no dream of this window may start now; None where it may."""
        dream = self.open.get(window)
        if not self.news[window] or (dream and (dream.given_up or wall < dream.not_before)):
            return "early"
        if dream and dream.runs:
            return "twice"
        if not self.quiet(window, wall) and (
            not self.overdue(window, wall) or self.last[window] - wall > DAY_MS
        ):
            return "early"
        if self.hours.suppressed(wall):
            return "suppressed"
        if self.place.avoids and self.hours.meets_peak(wall, self.length_ms()):
            return "crossing"
        return "paused" if wall < self.paused_until else None

    def expected(self, window: str, wall: int) -> tuple[str, ...]:
        """What a dream that starts now must be shown."""
        turns = list(self.news[window].items())
        if self.quiet(window, wall):
            return tuple(text for text, _ in turns)
        gaps = [
            number
            for number in range(1, len(turns))
            if turns[number][1] - turns[number - 1][1] >= 10 * MINUTE_MS
        ]
        until = gaps[-1] if gaps else max(1, len(turns) - 1)
        return tuple(text for text, _ in turns[:until])


class Referee:
    """Follows what happened, and names every fault once."""

    def __init__(self, plan: Nights) -> None:
        self.faults: dict[str, str] = {}
        self._seats = {
            one.name: Seat(one, Hours(one, plan.start, plan.minutes)) for one in plan.places
        }
        self._minutes = plan.minutes
        self._lives = self._sleeps = False
        self._offset_ms = plan.start_ms  # of the wall clock to true time

    def judge(self, happened: Iterable[Happened]) -> dict[str, str]:
        """The faults of a whole run: each with where it was met first."""
        at = 0
        for one in happened:
            self._watch(at, one.at_ms)
            at = one.at_ms
            self._offset_ms = one.wall_ms - one.at_ms
            self._take(one)
        self._watch(at, self._minutes * MINUTE_MS)
        for seat in self._seats.values():
            held = [one for one in seat.open.values() if one.given_up]
            if sum(bool(turns) for turns in seat.news.values()) > len(held):
                self._fault("missed", seat.place.name, at)
        return self.faults

    def _fault(self, word: str, where: str, at_ms: int) -> None:
        self.faults.setdefault(word, f"{where} in minute {at_ms / MINUTE_MS:.2f}")

    def _watch(self, since_ms: int, until_ms: int) -> None:
        """Each minute in between: whoever may be dreamed, and is not, waits."""
        first = (since_ms // MINUTE_MS + 1) * MINUTE_MS
        for at in (since_ms, *range(first, until_ms + 1, MINUTE_MS)):
            for seat in self._seats.values():
                self._wait(seat, at)

    def _wait(self, seat: Seat, at: int) -> None:
        if self._sleeps or not self._lives or seat.running >= seat.place.concurrent:
            seat.waits_since.clear()
            return
        for window, turns in seat.news.items():
            if not turns:
                continue
            if seat.against(window, at + self._offset_ms) is not None:
                seat.waits_since.pop(window, None)
            elif at - seat.waits_since.setdefault(window, at) > BOUND_MS:
                self._fault("late", window, at)

    def _take(self, one: Happened) -> None:
        if one.what in ("born", "stop", "crash", "gone"):
            self._live_or_die(one)
        elif one.what in ("sleep", "woke"):
            self._sleeps = one.what == "sleep"
        elif one.what == "step":
            for seat in self._seats.values():
                seat.waits_since.clear()
        elif one.what == "pause":
            self._seats[one.place].paused_until = one.wall_ms + one.minutes * MINUTE_MS
        else:
            seat = self._seats[one.place]
            take = {"speak": self._spoken, "asked": self._asked, "answered": self._answered}
            take.get(one.what, self._ended)(seat, one)

    def _live_or_die(self, one: Happened) -> None:
        self._lives = one.what == "born"
        for dream in (dream for seat in self._seats.values() for dream in seat.open.values()):
            if one.what == "born" and dream.runs is not None:
                dream.runs = None
                dream.deaths += 1
                wait_ms = 5 * MINUTE_MS << dream.deaths - 1 if dream.deaths > 1 else 0
                dream.not_before = one.wall_ms + wait_ms
                dream.given_up = dream.attempts >= 5
            elif one.what == "gone" and dream.runs is not None:
                self._put_back(dream, one.wall_ms)

    def _put_back(self, dream: Open, not_before: int) -> None:
        dream.runs, dream.not_before = None, not_before
        dream.attempts -= 1
        # All was answered and it could not commit: what it saw has changed, and its answers may be gone.
        dream.asks_anew = dream.overtaken and "topic" in dream.answered

    def _spoken(self, seat: Seat, one: Happened) -> None:
        dream = seat.open.get(one.window)
        if dream is not None and dream.given_up:
            del seat.open[one.window]
        seat.news[one.window][one.texts[0]] = one.wall_ms
        seat.last[one.window] = max(seat.last.get(one.window, one.wall_ms), one.wall_ms)

    def _asked(self, seat: Seat, one: Happened) -> None:
        dream = seat.open.get(one.window)
        if dream is None or dream.runs != one.run:
            dream = self._started(seat, one)
        if one.round in dream.answered:
            if not dream.overtaken:
                self._fault("twice", one.window or one.dream, one.at_ms)
            dream.overtaken, dream.answered = False, set()
        if one.texts != dream.texts:
            self._fault("other words", one.window or one.dream, one.at_ms)
        if seat.place.parks and seat.hours.suppressed(one.wall_ms):
            self._fault("suppressed", one.window or one.dream, one.at_ms)

    def _started(self, seat: Seat, one: Happened) -> Open:
        against = seat.against(one.window, one.wall_ms)
        if seat.dreamed & set(one.texts):
            self._fault("twice", one.window or one.dream, one.at_ms)
        if against is not None:
            self._fault(against, one.window or one.dream, one.at_ms)
        if seat.running >= seat.place.concurrent:
            self._fault("crowded", one.window or one.dream, one.at_ms)
        dream = seat.open.get(one.window)
        if dream is None or dream.dream != one.dream:
            dream = seat.open[one.window] = Open(one.dream)
        dream.runs = one.run
        dream.attempts += 1
        if dream.asks_anew and one.texts != dream.texts:
            dream.overtaken, dream.answered = False, set()
        if not dream.answered:
            dream.texts = seat.expected(one.window, one.wall_ms)
        return dream

    def _answered(self, seat: Seat, one: Happened) -> None:
        dream = seat.open[one.window]
        dream.model_ms += one.minutes * MINUTE_MS
        dream.answered.add(one.round)

    def _ended(self, seat: Seat, one: Happened) -> None:
        window = one.window or next(
            (name for name, dream in seat.open.items() if dream.dream == one.dream), ""
        )
        dream = seat.open.get(window)
        if one.what in ("applied", "empty") and dream is not None:
            seat.dreamed |= set(dream.texts)
            for text in dream.texts:
                seat.news[window].pop(text, None)
            for other in seat.open.values():
                other.overtaken = bool(other.answered) or other.runs is not None
            seat.lengths.append((one.wall_ms, dream.model_ms))
            del seat.open[window]
        elif one.what == "parked" and dream is not None:
            self._put_back(dream, seat.hours.suppressed_until(one.wall_ms))
        elif one.what == "let_go" and dream is not None:
            self._put_back(dream, one.wall_ms)
        elif one.what not in ("held", "not_started"):
            self._fault(one.what, one.window or one.dream, one.at_ms)
