"""The life of dreams under speech, clock jumps, crashes and heals: nothing lost, nothing twice."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.ports import ModelReply
from memgardend.core.records import Owner
from memgardend.core.words import DreamState, Outcome, WindowKind
from memgardend.daemon.failpoints import NAMES, FailpointError, NoFailpoints, SetFailpoint
from memgardend.daemon.store import open_store
from memgardend.jobs.context import Garden
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say, window_id
from support.garden import START, ScriptedModel, make_garden, owner

WINDOWS = ("w0", "w1", "w2")
CRASHES = sorted(
    name for name in NAMES if not name.startswith(("ingest.", "migrate.", "judgement.", "import."))
)


class DreamLife(RuleBasedStateMachine):
    """Several workers of one store; each may die anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = ManualClock(START)
        self.said: list[str] = []
        self.dead: set[str] = set()
        self.born = 0
        self.model_works = True
        self.model = ScriptedModel(self.answer)
        self.garden = self.worker(None)

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | str | ModelReply:
        if not self.model_works:
            return ModelReply(outcome=Outcome.EXIT, detail="exit 1")
        return keep_all()(request)

    def worker(self, crash: tuple[str, int] | None) -> Garden:
        """A new process with its own connection; it may be set to die at a place."""
        self.born += 1
        points = SetFailpoint(*crash, "raise") if crash else NoFailpoints()
        store = open_store(
            Path(self.folder.name) / ".memgarden" / "memory.db",
            "garden",
            clock=self.clock,
            failpoints=points,
            create=True,
        )
        return make_garden(
            Path(self.folder.name),
            clock=self.clock,
            model=self.model,
            store=store,
            failpoints=points,
            name=f"worker-{self.born}",
            is_gone=self.is_gone,
        )

    def is_gone(self, who: Owner) -> bool:
        return who.host in self.dead

    @rule(window=st.sampled_from(WINDOWS), turns=st.integers(1, 3))
    def speak(self, window: str, turns: int) -> None:
        texts = [
            f"alpha{n} bravo{n} charlie{n}" for n in range(len(self.said), len(self.said) + turns)
        ]
        self.said += texts
        say(self.garden.store, window, *texts, at=self.clock.now_ms())

    @rule(hours=st.sampled_from([0.1, 1, 3.5, 7]))
    def time_passes(self, hours: float) -> None:
        self.clock.advance(int(hours * HOUR_MS))

    @rule(minutes=st.sampled_from([-90, -5, 5, 90]))
    def the_clock_jumps(self, minutes: int) -> None:
        self.clock.step(minutes * MINUTE_MS)

    @rule()
    def sweep_runs(self) -> None:
        sweep(self.garden)

    @rule(place=st.sampled_from(CRASHES), passing=st.integers(1, 3))
    def a_worker_dies(self, place: str, passing: int) -> None:
        garden = self.worker((place, passing))
        try:
            sweep(garden)
        except FailpointError:
            self.dead.add(garden.owner.host)
        finally:
            garden.store.close()

    @rule()
    def heal_runs(self) -> None:
        heal(self.garden)

    @rule()
    def the_model_breaks_or_recovers(self) -> None:
        self.model_works = not self.model_works

    @precondition(lambda self: self.said)
    @rule(window=st.sampled_from(WINDOWS))
    def the_window_is_skipped_and_back(self, window: str) -> None:
        self.garden.store.set_skip(window_id(window), True)
        self.garden.store.set_skip(window_id(window), False)

    @invariant()
    def the_store_is_sound(self) -> None:
        assert list(self.garden.store.violations()) == []

    @invariant()
    def nothing_is_kept_twice(self) -> None:
        kept = Counter(one.content for one in self.garden.store.memories())
        assert not [text for text, times in kept.items() if times > 1]

    def teardown(self) -> None:
        try:
            self._everything_said_is_kept_in_the_end()
        finally:
            self.garden.store.close()
            self.folder.cleanup()

    def _everything_said_is_kept_in_the_end(self) -> None:
        self.model_works = True
        for _ in range(12):
            self.clock.advance(8 * HOUR_MS)
            heal(self.garden)
            sweep(self.garden)
        kept = {one.content for one in self.garden.store.memories()}
        quarantined = self.garden.store.dreams(states=(DreamState.QUARANTINED,))
        if not quarantined:
            assert kept == set(self.said)
        for facts in self.garden.store.window_facts():
            assert facts.window.kind == WindowKind.MAIN
            assert facts.new_events == 0 or facts.open_dream in quarantined


DreamLife.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestDreamLife = DreamLife.TestCase


def test_a_dead_worker_is_told_from_a_living_one() -> None:
    assert owner("a").text() != owner("b").text()
    assert Owner.parse(owner("a").text()) == owner("a")
