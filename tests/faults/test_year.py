"""A year of the daemon on the driven clock, against a referee that reads the wall clock of every minute."""

from __future__ import annotations

import logging
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import structlog

from memgardend.core.suppression import PeakCalendar
from memgardend.daemon.service import dreaming
from memgardend.daemon.service.dreaming import Dreaming
from memgardend.jobs import planning
from memgardend.jobs.context import Garden
from memgardend.jobs.dream import run_dream
from support.hours import Hours
from support.nights import Act, Nights, Peak, Place, nights
from support.referee import Referee
from support.watched import Watched

ZONES = (
    "Asia/Shanghai",
    "America/New_York",
    "Australia/Lord_Howe",
    "Europe/London",
    "Africa/Cairo",
    "America/St_Johns",
)
SLICES = [  # each over a change of the clocks; the last four days of each are quiet
    ("America/New_York", "2026-03-05", 0),
    ("Australia/Lord_Howe", "2026-04-01", 4),
    ("Africa/Cairo", "2026-10-27", 2),
]
SLICE_DAYS = 9
MEMORY_DISK = Path("/dev/shm")


@pytest.fixture(autouse=True)
def no_log() -> Iterator[None]:
    """A year of log lines takes longer than the year."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.configure(**before)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None) as name:
        yield Path(name)


@pytest.mark.parametrize(("zone", "day", "seed"), SLICES)
def test_some_nights_over_a_change_of_the_clocks(
    zone: str, day: str, seed: int, folder: Path
) -> None:
    plan = nights(zone, day, SLICE_DAYS, seed)
    watched = Watched(folder, plan)
    assert Referee(plan).judge(watched.live()) == {}
    assert sum(one.what == "applied" for one in watched.happened) > 5


@pytest.mark.sweep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("zone", ZONES)
def test_a_year(zone: str, folder: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - a seed replays the run
    plan = nights(zone, "2026-01-01", 365, seed)
    watched = Watched(folder, plan)
    assert Referee(plan).judge(watched.live()) == {}
    assert [list(store.violations()) for store in watched.stores.values()] == [[], []]


def minute(day: int, hour: int, minute: int = 0) -> int:
    """So many minutes after the night from 30 to 31 October 2026, in UTC; New York repeats an hour a day later."""
    return day * 1440 + hour * 60 + minute


NOON, NIGHT = Peak(720, 840, tuple(range(7))), Peak(60, 90, tuple(range(7)))
HOME = Place("home", "America/New_York", 60, 15, (NOON, NIGHT), max_wait_hours=5, parks=True)
WORK = replace(HOME, name="work", max_wait_hours=None, parks=False, avoids=True)


def spoken(*turns: tuple[int, str]) -> dict[int, Act]:
    return {
        at: Act("speak", 0, window.partition("-")[0], window, f"turn {at} of {window}")
        for at, window in turns
    }


BY_HAND = Nights(
    start=datetime(2026, 10, 31, tzinfo=UTC),
    minutes=minute(1, 22),
    places=(HOME, WORK),
    acts=dict(
        sorted(
            {
                **spoken(*((minute(0, 0, 10 * number), f"work-w{number}") for number in range(5))),
                # quiet at 11:45 in New York, when the lead begins, and after it: due at 14:00, one after the other
                **spoken((minute(0, 14, 45), "home-w0"), (minute(0, 14, 46), "home-w1")),
                minute(0, 18, 10): Act("sleep", 60),
                # never quiet from 16:00 on
                **spoken(*((minute(0, 20) + 40 * number, "home-w2") for number in range(11))),
                # quiet at 01:10, in the second of two hours of that name
                **spoken((minute(1, 5, 10), "work-w0")),
                # quiet a minute before the lead; a dream takes 40 minutes, and the peak begins in 16
                **spoken((minute(1, 15, 44), "home-w0"), (minute(1, 15, 43), "work-w1")),
            }.items()
        )
    ),
    seed="by hand",
    model_minutes=(20,),
)


def test_by_hand(folder: Path) -> None:
    happened = Watched(folder, BY_HAND).live()
    assert Referee(BY_HAND).judge(happened) == {}
    starts = [
        (one.window, one.at_ms // 60_000)
        for one in happened
        if (one.what, one.round) == ("asked", "atomic")
    ]
    assert ("home-w0", minute(0, 18)) in starts
    assert [one.window for one in happened if one.what == "parked"] == ["home-w0"]


def lie(**changes: object) -> Nights:
    """A daemon that was told something else than the referee."""
    places = [
        replace(one, **{k: v for k, v in changes.items() if getattr(one, k)})  # type: ignore[arg-type]
        for one in BY_HAND.places
    ]
    return replace(BY_HAND, places=tuple(places))


LIES = {
    "suppressed by a lead that is a minute short": lie(lead_minutes=14),
    "suppressed by a round that does not park": lie(parks=False),
    "suppressed by another calendar": lie(zone="Asia/Shanghai"),
    "early by a minute": lie(idle_minutes=59),
    "late by a minute and more": lie(idle_minutes=62),
    "late where nothing is too long": lie(max_wait_hours=None),
    "crossing where nothing is too near": lie(avoids=False),
    "crowded": lie(concurrent=2),
}


@pytest.mark.parametrize("fault", LIES)
def test_the_referee_catches_wrong_settings(fault: str, folder: Path) -> None:
    found = Referee(BY_HAND).judge(Watched(folder, LIES[fault]).live())
    assert fault.partition(" ")[0] in found


def no_fold(patch: pytest.MonkeyPatch) -> Callable[[Garden], Garden]:
    """Clocks that do not go back."""
    summer = timezone(timedelta(hours=-4))

    def opened(garden: Garden) -> Garden:
        assert isinstance(garden.suppression, PeakCalendar)
        return replace(garden, suppression=replace(garden.suppression, zone=summer))

    return opened


def deaf(patch: pytest.MonkeyPatch) -> None:
    """A daemon that forgets the instant for which it was to be woken."""

    def forget(self: Dreaming, garden: Garden, *, moved_on: bool) -> None:
        self.sweep_at = None

    patch.setattr(Dreaming, "_plan", forget)


def sweeping_twice(patch: pytest.MonkeyPatch) -> None:
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


def losing_a_window(patch: pytest.MonkeyPatch) -> None:
    """A daemon that takes what was said meanwhile for dreamed."""

    def forget(garden: Garden, dream_id: str) -> object:
        report = run_dream(garden, dream_id)
        with garden.store._database.write() as transaction:  # type: ignore[attr-defined]
            transaction.execute("UPDATE windows SET dreamed_seq = last_seq")
        return report

    patch.setattr(dreaming, "run_dream", forget)


def never_cutting(patch: pytest.MonkeyPatch) -> None:
    """A daemon that shows a window which never goes quiet up to its last word."""
    patch.setattr(planning, "_never_quiet", lambda garden, started: False)


def stealing(patch: pytest.MonkeyPatch) -> None:
    """A daemon that takes its own dream for dead when the machine wakes up."""
    patch.setattr(Dreaming, "renew", lambda self, garden: None)


Mutant = Callable[[pytest.MonkeyPatch], Callable[[Garden], Garden] | None]
MUTANTS: list[tuple[str, Mutant]] = [
    ("suppressed", no_fold),
    ("late", deaf),
    ("twice", sweeping_twice),
    ("missed", losing_a_window),
    ("other words", never_cutting),
    ("fenced", stealing),
]


@pytest.mark.parametrize(("fault", "mutant"), MUTANTS)
def test_the_referee_catches_a_daemon_that_errs(
    fault: str, mutant: Mutant, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = mutant(monkeypatch) or (lambda garden: garden)
    assert fault in Referee(BY_HAND).judge(Watched(folder, BY_HAND, opened).live())


def test_the_referee_knows_the_gap_the_fold_and_the_lead() -> None:
    """Worked out by hand: London springs at 01:00 on 29 March, and 01:00 to 02:00 does not exist."""
    spring, autumn = datetime(2026, 3, 29, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)

    def shut(start: datetime, first: int, end: int, lead: int) -> list[int]:
        place = Place("home", "Europe/London", 60, lead, (Peak(first, end, (6,)),))
        hours, begin = Hours(place, start, 1440), int(start.timestamp()) * 1000
        return [at for at in range(1440) if hours.suppressed(begin + at * 60_000)]

    assert shut(spring, 60, 120, 0) == []
    assert shut(spring, 120, 150, 15) == list(range(45, 90))
    assert shut(autumn, 60, 90, 0) == [*range(30), *range(60, 90)]
