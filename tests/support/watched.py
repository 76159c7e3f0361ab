"""A daemon that lives through nights: the service itself, its workers in threads of a stage, on stores on disk.

What happens is noted in the order in which it happens. Nothing here judges.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from memgardend.config.load import FILENAME, load
from memgardend.core.clock import MINUTE_MS, ManualClock
from memgardend.core.ports import Store
from memgardend.daemon.garden import Workspace
from memgardend.daemon.service.crew import Ended, Task, perform
from memgardend.daemon.service.housekeeping import HOUSEKEEPING
from memgardend.daemon.service.service import Service
from memgardend.jobs.context import DreamReport, Garden
from memgardend.jobs.shared import PAUSED_KEY
from support.conversation import say
from support.garden import owner
from support.nights import Act, Nights
from support.serving import Serving
from support.slow_model import SlowModel, native
from support.stage import Actor, Stage

LOOK_MS = 30_000
"""The loop looks at the clocks so often: a sleep and a clock that was set are noticed by then."""
MODEL_STOP_MS = 5_000
"""A model that still runs so long after the order to stop is ended."""
WATCHED_STRETCHES = 0.1


@dataclass(frozen=True)
class Happened:
    """One thing that happened: at which true time since the beginning, and what the wall clock showed.

    `what`: the kind of an act, `born` for a daemon that starts, `asked` and `answered` for a model, or how a
    dream's run ended.
    """

    what: str
    at_ms: int
    wall_ms: int
    place: str = ""
    window: str = ""
    texts: tuple[str, ...] = ()
    dream: str = ""
    run: str = ""
    round: str = ""
    minutes: int = 0


@dataclass
class Hands:
    """The crew of one life: each task is an actor, which wakes the loop when it ends."""

    watched: Watched
    done: list[Ended] = field(default_factory=list)

    def start(self, task: Task) -> None:
        stage = self.watched.stage

        def work() -> None:
            ended = perform(task)
            self.done.append(ended)
            if isinstance(ended.result, DreamReport):
                self.watched.note(
                    str(ended.result.ending),
                    task.workspace.name,
                    native(ended.result.window),
                    dream=task.name,
                )
            elif task.name != HOUSEKEEPING:
                self.watched.note("let_go", task.workspace.name, dream=task.name)
            self.watched.wake()

        stage.enter(task.name, work)

    def ended(self) -> list[Ended]:
        done, self.done = self.done, []
        return done


class Watched:
    """The machine, its workspaces, and one daemon after the other."""

    def __init__(
        self,
        folder: Path,
        plan: Nights,
        opened: Callable[[Garden], Garden] = lambda garden: garden,
    ) -> None:
        self.plan = plan
        self.chance = random.Random(plan.seed)
        self.clock = ManualClock(plan.start_ms)
        self.stage = Stage(self.clock)
        self.happened: list[Happened] = []
        self._life = 0
        self._written_at: int | None = None
        self._loop: Actor | None = None
        self._lives_at = 0
        self._changed = opened
        self.serving = Serving(folder, self.clock, crew=Hands(self), on_disk=True)
        self.stores = {
            place.name: self._store(self.serving.workspace(place.name, place.yaml))
            for place in plan.places
        }

    @property
    def at_ms(self) -> int:
        """True time since the beginning."""
        return round(self.clock.boottime() * 1000)

    def live(self) -> list[Happened]:
        """To the end of these nights."""
        for minute, act in self.plan.acts.items():
            self._pass_to(minute)
            self._do(act)
        self._pass_to(self.plan.minutes)
        self.stage.kill()
        return self.happened

    def note(
        self, what: str, place: str = "", window: str = "", texts: tuple[str, ...] = (), **more: Any
    ) -> None:
        self.happened.append(
            Happened(what, self.at_ms, self.clock.now_ms(), place, window, texts, **more)
        )

    def _wait_for_model(self, dream: str, milliseconds: int) -> None:
        next(one for one in self.stage.actors if one.name == dream).wait(milliseconds)

    def wake(self, within_ms: int = 0) -> None:
        """The loop does not wait longer than that."""
        if self._loop is not None:
            self._loop.wakes_at = min(self._loop.wakes_at, self.stage.now_ms + within_ms)

    def _store(self, root: Path) -> Store:
        """What hooks and commands write to: a connection of their own, for as long as the test lasts."""
        return self.serving.open_garden(Workspace(root, load(root / FILENAME), named=False)).store

    def _pass_to(self, minute: int) -> None:
        """Of true time; a machine that slept meanwhile is awake again by then."""
        if self._loop is None and minute * MINUTE_MS >= self._lives_at:
            self._play_to(self._lives_at)
            self._be_born()
        self._play_to(minute * MINUTE_MS)

    def _play_to(self, at_ms: int) -> None:
        self.stage.play(self.stage.now_ms + max(0, at_ms - self.at_ms))

    def _be_born(self) -> None:
        self._life += 1
        who = replace(owner(), pid=self._life)
        slots: dict[str, Callable[[str], str]] = {}

        def opened(garden: Garden) -> Garden:
            slot = slots.setdefault(garden.config.locale, cache(garden.slot))
            return self._changed(
                replace(
                    garden,
                    model=SlowModel(
                        self.chance, self.plan.model_minutes, self.note, self._wait_for_model
                    ),
                    owner=who,
                    slot=slot,
                    is_gone=lambda one: one.pid != who.pid,
                )
            )

        serving = replace(self.serving, crew=Hands(self), told=[], troubles=[], opened=opened)
        self.serving = serving
        self.note("born")

        def work() -> None:
            service = serving.service
            try:
                service.open()
                service.run(lambda seconds: self._wait(service, seconds))
            finally:
                for one in service.tended.values():
                    one.close()

        self._loop = self.stage.enter("loop", work)

    def _wait(self, service: Service, seconds: float) -> set[Path]:
        """The loop's wait, until it has something to do.

        Where nothing runs that is mostly its dreams' next instant alone: its minutes are not watched one by
        one then, as late turns are one turn.
        """
        assert self._loop is not None
        if self.serving.orders.stopping:
            self._loop.wait(round(seconds * 1000))
            return set()
        now = self.clock.now_ms()
        watched = len(self.stage.actors) > 1 or self.chance.random() < WATCHED_STRETCHES
        instants = [
            one.wake_at() if watched else one.dreaming.wake_at(now)
            for one in service.tended.values()
        ]
        self._loop.wait(max(1, min(at - now for at in instants if at is not None)))
        return set()

    def _do(self, act: Act) -> None:
        if act.kind == "speak":
            say(self.stores[act.place], act.window, act.text, at=self.clock.now_ms())
        elif act.kind == "pause":
            store, until = self.stores[act.place], self.clock.now_ms() + act.minutes * MINUTE_MS
            store.set_state(PAUSED_KEY, store.state(PAUSED_KEY), json.dumps({"until": until}))
        elif act.kind == "step":
            self.clock.step(act.minutes * MINUTE_MS)
        texts = (act.text,) if act.text else ()
        self.note(act.kind, act.place, act.window, texts, minutes=act.minutes)
        if act.kind == "sleep":
            self.clock.suspend(act.minutes * MINUTE_MS)
            self.note("woke")
        if act.kind in ("speak", "pause"):
            self._tell(act)
        elif act.kind in ("step", "sleep"):
            self.wake(self.chance.randint(0, LOOK_MS))
        else:
            self._end(act)

    def _tell(self, act: Act) -> None:
        """By the doorbell, or by what the loop finds in the store within a minute."""
        if self._loop is None:
            return
        if act.rings and act.kind == "speak":
            self.serving.tended(act.place).look_again()
            self.wake()
        else:
            self.wake(self.chance.randint(0, MINUTE_MS))

    def _end(self, act: Act) -> None:
        """The daemon is killed, or told to stop; another one starts later."""
        if act.kind == "stop":
            self.serving.orders.stop()
            for one in self.stage.actors:  # a model looks each second; one that hangs does not
                if one is self._loop or self.chance.random() < 0.8:
                    one.wakes_at = min(one.wakes_at, self.stage.now_ms + MODEL_STOP_MS)
            self.wake()
            self.stage.play(self.stage.now_ms + MINUTE_MS)
            self.note("gone")
        self.stage.kill()
        self._loop = None
        self._lives_at = self.at_ms + act.minutes * MINUTE_MS
