"""A year of the daemon on the driven clock, against an oracle that reads the wall clock of every minute."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from memgardend.config.calendar import suppression
from memgardend.core.clock import MINUTE_MS, ManualClock
from memgardend.daemon.service import dreaming
from memgardend.daemon.service.dreaming import Dreaming
from memgardend.jobs.context import Garden
from memgardend.jobs.dream import run_dream
from support.conversation import say
from support.garden import Answer, ScriptedModel, config_of, nothing
from support.nights import Act, Dream, Nights, Peak, nights
from support.serving import Serving

TICK_MS = MINUTE_MS
"""How long the daemon may take to notice."""
NOTICED_MS = 30_000
"""The loop looks at the clocks so often: a sleep and a clock that was set are noticed by then."""
ZONES = (
    "Asia/Shanghai",
    "America/New_York",
    "Australia/Lord_Howe",
    "Europe/London",
    "Africa/Cairo",
    "America/St_Johns",
)
SLICES = [  # each over a change of the clocks
    ("America/New_York", "2026-03-05", 0),
    ("Australia/Lord_Howe", "2026-04-01", 4),
    ("Africa/Cairo", "2026-10-27", 2),
]
SLICE_DAYS = 5


@pytest.fixture(autouse=True)
def no_log() -> Iterator[None]:
    """A year of log lines takes longer than the year."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.configure(**before)


class Watched:
    """A daemon that lives through these nights, and what its model was shown."""

    def __init__(self, folder: Path, plan: Nights) -> None:
        self.plan = plan
        self.dreams: list[Dream] = []
        self.clock = ManualClock(plan.start_ms)
        self.serving = Serving(folder, self.clock, ScriptedModel(self._dream))
        self.root = self.serving.workspace(yaml=plan.yaml)
        self.lives = False
        self._start()

    @property
    def at_ms(self) -> int:
        """True time since the beginning."""
        return round(self.clock.boottime() * 1000)

    def live(self) -> list[Dream]:
        """To the end of these nights."""
        starts_at = 0
        for minute, act in [*self.plan.acts.items(), (self.plan.minutes, None)]:
            if not self.lives and minute >= starts_at:
                self._pass_to(starts_at)
                self._start()
            self._pass_to(minute)
            if act is not None and act.kind == "down":
                self.lives, starts_at = False, minute + act.minutes
            elif act is not None:
                self._do(act)
        return self.dreams

    def _start(self) -> None:
        old = self.serving
        self.serving = replace(old, told=[], troubles=[])  # another process, on the same store
        self.serving.service.open()
        self.serving.turn()
        self.lives = True

    def _pass_to(self, minute: int) -> None:
        left = minute * MINUTE_MS - self.at_ms
        if left > 0 and self.lives:
            self.serving.pass_time(left)
        elif left > 0:
            self.clock.advance(left)

    def _do(self, act: Act) -> None:
        if act.kind == "speak":
            say(self.serving.stores[self.root], act.window, act.text, at=self.clock.now_ms())
            if self.lives:
                self.serving.tended().look_again()
            return
        if act.kind == "step":
            self.clock.step(act.minutes * MINUTE_MS)
        else:
            self.clock.suspend(act.minutes * MINUTE_MS)
        self.clock.advance(NOTICED_MS)

    def _dream(self, request: dict[str, Any]) -> Answer:
        if request["round"] == "atomic":
            shown = tuple(one["text"] for one in request["events"] if one["shown"])
            window = self.serving.model.calls[-1].window.partition(":")[2]
            self.dreams.append(Dream(window, shown, self.at_ms))
        return nothing(request)


def faults(plan: Nights, dreams: list[Dream]) -> set[str]:
    """What the oracle says about these dreams; nothing where all is well."""
    found = set()
    expected = plan.expected()
    due = {text: dream for dream in expected for text in dream.texts}
    counted = Counter(text for dream in dreams for text in dream.texts)
    found |= {"missed" for text in due if text not in counted}
    found |= {"twice" for number in counted.values() if number > 1}
    for dream in dreams:
        if plan.suppressed(wall_minute(plan, dream.at_ms)):
            found.add("suppressed")
        want = due.get(dream.texts[0])
        if want is None or dream.at_ms < want.at_ms:
            found.add("early")
        elif dream.at_ms > want.at_ms + TICK_MS:
            found.add("late")
    if not found and Counter(map(key, dreams)) != Counter(map(key, expected)):
        found.add("other words")
    return found


def key(dream: Dream) -> tuple[str, tuple[str, ...]]:
    return dream.window, dream.texts


def wall_minute(plan: Nights, at_ms: int) -> int:
    """What the clock of the machine showed, in minutes since the beginning."""
    minute = at_ms // MINUTE_MS
    steps = (
        act.minutes for when, act in plan.acts.items() if act.kind == "step" and when <= minute
    )
    return minute + sum(steps)


@pytest.mark.parametrize(("zone", "day", "seed"), SLICES)
def test_some_nights_over_a_change_of_the_clocks(
    zone: str, day: str, seed: int, tmp_path: Path
) -> None:
    plan = nights(zone, day, SLICE_DAYS, seed)
    dreams = Watched(tmp_path, plan).live()
    assert faults(plan, dreams) == set()
    assert {act.kind for act in plan.acts.values()} == {"speak", "sleep", "down", "step"}
    assert len(dreams) > 5


@pytest.mark.sweep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("zone", ZONES)
def test_a_year(zone: str, tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - a seed replays the run
    plan = nights(zone, "2026-01-01", 365, seed)
    watched = Watched(tmp_path, plan)
    assert faults(plan, watched.live()) == set()
    assert list(watched.serving.stores[watched.root].violations()) == []


def blind_to_peaks(folder: Path, plan: Nights, patch: pytest.MonkeyPatch) -> Watched:
    """A daemon that knows of no peaks."""
    never = suppression(config_of().dream)
    watched = Watched(folder, plan)
    watched.serving.opened = lambda garden: replace(garden, suppression=never)
    watched.serving.service.reload()
    return watched


def deaf(folder: Path, plan: Nights, patch: pytest.MonkeyPatch) -> Watched:
    """A daemon that forgets the instant for which it was to be woken."""

    def forget(self: Dreaming, garden: Garden, *, moved_on: bool) -> None:
        self.sweep_at = None

    patch.setattr(Dreaming, "_plan", forget)
    return Watched(folder, plan)


def sweeping_twice(folder: Path, plan: Nights, patch: pytest.MonkeyPatch) -> Watched:
    """A daemon whose first dream leaves the window as due as it was."""
    dreamed: list[str] = []

    def leave_due(garden: Garden, dream_id: str) -> object:
        report = run_dream(garden, dream_id)
        if not dreamed:
            with garden.store._database.write() as transaction:  # type: ignore[attr-defined]
                transaction.execute("UPDATE windows SET dreamed_seq = 0")
        dreamed.append(dream_id)
        return report

    patch.setattr(dreaming, "run_dream", leave_due)
    return Watched(folder, plan)


def losing_a_window(folder: Path, plan: Nights, patch: pytest.MonkeyPatch) -> Watched:
    """A daemon that takes what was said before it started for old."""
    watched = Watched(folder, plan)
    real_start = watched._start

    def start() -> None:
        store = watched.serving.stores[watched.root]
        with store._database.write() as transaction:  # type: ignore[attr-defined]
            transaction.execute("UPDATE windows SET dreamed_seq = last_seq")
        real_start()

    patch.setattr(watched, "_start", start)
    return watched


Mutant = Callable[[Path, Nights, pytest.MonkeyPatch], Watched]
MUTANTS: dict[str, Mutant] = {
    "suppressed": blind_to_peaks,
    "late": deaf,
    "twice": sweeping_twice,
    "missed": losing_a_window,
}


@pytest.mark.parametrize("fault", MUTANTS)
def test_the_oracle_catches_a_daemon_that_errs(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = nights("Europe/London", "2026-03-27", 4, 10)
    assert fault in faults(plan, MUTANTS[fault](tmp_path, plan, monkeypatch).live())


def test_the_oracle_knows_the_gap_the_fold_and_the_lead() -> None:
    """Worked out by hand: London springs at 01:00 on 29 March, and 01:00 to 02:00 does not exist."""
    base = nights("Europe/London", "2026-03-29", 1, 0)
    gap = replace(base, peaks=(Peak(60, 120, (6,)),), lead_minutes=0)
    assert not any(gap.suppressed(minute) for minute in range(1440))
    after = replace(base, peaks=(Peak(120, 150, (6,)),), lead_minutes=15)
    assert [minute for minute in range(1440) if after.suppressed(minute)] == list(range(45, 90))
    fold = replace(
        base,
        start=base.start.replace(month=10, day=25),
        peaks=(Peak(60, 90, (6,)),),
        lead_minutes=0,
    )
    shut = [minute for minute in range(1440) if fold.suppressed(minute)]
    assert shut == [*range(30), *range(60, 90)]
