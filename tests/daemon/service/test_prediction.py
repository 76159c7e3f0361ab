"""Every wait has an instant: what `why` and `status` say is when the sweep comes, whatever holds a window."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgardend.core.clock import DAY_MS, MINUTE_MS, ManualClock
from memgardend.core.ports import ModelReply
from memgardend.core.retry import Breaker
from memgardend.core.words import Outcome
from memgardend.jobs.look.outlook import Outlook
from memgardend.jobs.look.windows import Judged, judge_windows
from memgardend.jobs.shared import BREAKER_KEY, PAUSED_KEY
from support.conversation import say
from support.garden import START, Answer, ScriptedModel, nothing
from support.serving import Serving

ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC")
DAYS = (  # among them clock changes of 2026, and the first days of a vendor's peak prices
    START,
    START - 30 * DAY_MS,
    1_774_656_000_000,
    1_793_448_000_000,
    1_786_838_400_000,
)
STARTS = 8


@dataclass(frozen=True)
class Case:
    """What is configured, what was said, and what goes wrong."""

    start: int = START
    dream: tuple[tuple[str, object], ...] = ()
    peaks: tuple[tuple[str, str], ...] = ()
    budget: tuple[tuple[str, int | None], ...] = ()
    ago_minutes: tuple[int, ...] = (0,)
    said_later: tuple[tuple[int, int], ...] = ()  # after so many starts, in which window
    leaps: tuple[tuple[int, str, int], ...] = ()  # after so many starts, what, minutes
    answers: tuple[str, ...] = ()  # how the first calls end; the others well
    call_minutes: int = 0
    breaker: tuple[int, int] | None = None  # failures, minutes until it opens
    paused_minutes: int = 0

    @property
    def yaml(self) -> str:
        windows = ", ".join(f'{{start: "{start}", end: "{end}"}}' for start, end in self.peaks)
        return (
            "locale: en\nsources: []\nmodel: {command: [none]}\n"
            f"budget: {json.dumps(dict(self.budget))}\n"
            f"dream: {{suppress_windows: [{windows}], "
            + ", ".join(f"{name}: {json.dumps(value)}" for name, value in self.dream)
            + "}\n"
        )


times_of_day = st.integers(0, 1439).map(lambda minute: f"{minute // 60:02}:{minute % 60:02}")
two_times = st.tuples(times_of_day, times_of_day).filter(lambda pair: pair[0] != pair[1])


def mostly(usual: object, *others: object) -> st.SearchStrategy[Any]:
    """Settings at work all at once hide each other."""
    return st.sampled_from((usual, usual, *others))


dreams = st.fixed_dictionaries(
    {
        "time_zone": st.sampled_from(ZONES),
        "idle_minutes": st.integers(1, 600),
        "suppress_lead_minutes": st.integers(0, 90),
        "check_minutes": st.integers(1, 240),
        "calendar": mostly(None, "deepseek"),
        "avoid_crossing": st.booleans(),
        "park_at_peak": st.booleans(),
        "max_wait_hours": mostly(None, 1, 5),
        "max_concurrent": mostly(1, 3),
        "max_attempts": mostly(5, 1),
        "enabled": mostly(True, True, False),
    }
).map(lambda found: tuple(found.items()))
budgets = st.fixed_dictionaries(
    {
        "calls_per_hour": mostly(None, 1, 3),
        "calls_per_day": mostly(60, 2, 5, None),
        "tokens_per_day": mostly(None, 40, 0),
    }
).map(lambda found: tuple(found.items()))
cases = st.builds(
    Case,
    start=st.sampled_from(DAYS),
    dream=dreams,
    peaks=st.lists(two_times, max_size=3).map(tuple),
    budget=budgets,
    ago_minutes=st.lists(st.integers(0, 900), min_size=1, max_size=7).map(tuple),
    said_later=st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), max_size=4).map(tuple),
    leaps=st.lists(
        st.tuples(
            st.integers(0, 5),
            st.sampled_from(("step", "step", "suspend")),
            st.sampled_from((-90, -7, 7, 600, 3000)),
        ).filter(lambda leap: leap[1] == "step" or leap[2] > 0),
        max_size=2,
    ).map(tuple),
    answers=st.lists(st.sampled_from(("ok", "ok", "exit", "unusable")), max_size=8).map(tuple),
    call_minutes=st.sampled_from((0, 10, 100)),
    breaker=mostly(None, (3, 40), (2, -5)),
    paused_minutes=mostly(0, 0, 90),
)


@dataclass
class Told:
    """A service in a case, what it promised last, and who started when."""

    case: Case
    folder: Path
    starts: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = ManualClock(self.case.start)
        self.serving = Serving(self.folder, self.clock, ScriptedModel(self._answer))
        self.serving.workspace(yaml=self.case.yaml)
        self.serving.service.open()
        self.store = self.serving.garden().store
        now = self.clock.now_ms()
        if self.case.breaker is not None:
            failures, minutes = self.case.breaker
            state = Breaker(failures, now + minutes * MINUTE_MS if failures > 2 else None)
            self.store.set_state(BREAKER_KEY, None, state.to_json())
        if self.case.paused_minutes:
            until = now + self.case.paused_minutes * MINUTE_MS
            self.store.set_state(PAUSED_KEY, None, json.dumps({"until": until}))
        for number, ago in enumerate(self.case.ago_minutes):
            say(self.store, f"w{number}", f"alpha{number}", at=now - ago * MINUTE_MS)

    def _answer(self, request: dict[str, Any]) -> Answer:
        call = self.serving.model.calls[-1]
        runs = [one.run for one in self.serving.model.calls[:-1]]
        if call.run not in runs:
            self.starts.append((call.window, self.clock.now_ms()))
        number = len(runs)
        word = self.case.answers[number] if number < len(self.case.answers) else "ok"
        if word == "exit":
            return ModelReply(outcome=Outcome.EXIT, detail="exit 1")
        text = "?" if word == "unusable" else json.dumps(nothing(request))
        return ModelReply(
            outcome=Outcome.OK,
            text=text,
            duration_ms=self.case.call_minutes * MINUTE_MS,
            tokens_in=10,
            tokens_out=5,
        )

    def judged(self) -> Sequence[Judged]:
        """The windows as `why` and `status` show them now."""
        garden, now = self.serving.garden(), self.clock.now_ms()
        outlook = Outlook(
            store=self.store,
            config=garden.config,
            suppression=garden.suppression,
            now_ms=now,
            driven=False,
            workspace="work",
        )
        return judge_windows(outlook, now)

    def promised(self) -> dict[str, int]:
        """When each window is said to be dreamed."""
        return {
            one.facts.window.id: one.verdict.next_at
            for one in self.judged()
            if one.verdict.next_at is not None
        }

    def queue(self) -> list[str]:
        """The due ones, in the order in which they are said to be dreamed."""
        due = [one for one in self.judged() if one.queue is not None]
        return [one.facts.window.id for one in sorted(due, key=lambda one: one.queue or 0)]

    def happen(self) -> None:
        """What the case says for after so many starts."""
        number, now = len(self.starts), self.clock.now_ms()
        for after, window in self.case.said_later:
            if after == number:
                say(self.store, f"w{window}", f"bravo {number} {window}", at=now)
        for after, what, minutes in self.case.leaps:
            if after == number:
                getattr(self.clock, what)(minutes * MINUTE_MS)
        self.serving.tended().look_again()


def hold_to_promises(told: Told) -> None:
    """Turn the loop at the instants at which its dreams want it, and see that each start was promised.

    A promise stands until something happens; nobody starts before it; whoever is due starts at once.
    """
    standing: dict[str, int] | None = None
    while len(told.starts) < STARTS:
        if standing is None:
            told.happen()
            standing = told.promised()
        now, number, queue = told.clock.now_ms(), len(told.starts), told.queue()
        assert told.promised() == {one: max(at, now) for one, at in standing.items()}
        told.serving.service.turn()
        started = [window for window, _ in told.starts[number:]]
        assert started == [one for one in queue if one in started]
        assert bool(started) is bool(queue)
        told.serving.turn()
        if started:
            standing = None
            continue
        assert len(told.starts) == number
        if not standing:
            return
        sweep_at = told.serving.tended().dreaming.sweep_at
        assert sweep_at == min(standing.values())
        told.clock.advance(sweep_at - now)


@settings(max_examples=50, deadline=None)
@given(cases)
@example(Case(peaks=(("00:00", "06:00"),), dream=(("time_zone", "UTC"), ("idle_minutes", 1))))
@example(Case(ago_minutes=(0, 300), dream=(("idle_minutes", 600), ("max_wait_hours", 1))))
@example(  # what was parked for the budget is talked to again, and the other one must not wait for it
    Case(ago_minutes=(0, 0), said_later=((1, 0),), budget=(("calls_per_hour", 1),))
)
def test_each_start_was_promised(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hold_to_promises(Told(case, Path(folder)))
