"""When to sweep a workspace, and who dreams what: the loop claims, workers dream."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
from memgardend.core.words import Ending
from memgardend.daemon.service.cadence import Cadence
from memgardend.daemon.service.crew import Task
from memgardend.daemon.service.orders import WatchedModel
from memgardend.daemon.service.reflecting import REFLECTION, Reflecting
from memgardend.jobs.context import DreamReport
from memgardend.jobs.dream import run_dream
from memgardend.jobs.heal import let_go, renew
from memgardend.jobs.sweep import Search, next_instant

if TYPE_CHECKING:
    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.service.crew import Ended
    from memgardend.daemon.service.tools import Tools
    from memgardend.jobs.context import Garden

CHECK_GATE_MS = MINUTE_MS
RETRY_MS = MINUTE_MS
"""When a due window that nobody could start is looked at again."""
_MOVED_ON = frozenset(
    {
        Ending.APPLIED,
        Ending.EMPTY,
        Ending.PARKED,
        Ending.FAILED,
        Ending.QUARANTINED,
        Ending.MODEL_UNAVAILABLE,
    }
)
"""Endings after which the window is not due as it was before: the next look may follow at once."""


@dataclass(slots=True)
class Worker:
    """A dream that runs here."""

    window: str
    model: WatchedModel


@dataclass(slots=True)
class Dreaming:
    """The dreams of one workspace, and its looks back. Every method may raise what the store raises."""

    tools: Tools
    workers: dict[str, Worker] = field(default_factory=dict)  # by dream
    reflecting: Reflecting = field(init=False)
    sweep_at: int | None = None
    _max_concurrent: int = 0
    _search: Search | None = None
    _check: Cadence = field(default_factory=lambda: Cadence(MINUTE_MS))
    _version: int = -1

    def __post_init__(self) -> None:
        self.reflecting = Reflecting(self.tools)

    def begin(self, place: Workspace) -> None:
        """Go by these settings from now on, and look at once."""
        self._max_concurrent = place.config.dream.max_concurrent
        self._check = Cadence(place.config.dream.check_minutes * MINUTE_MS)
        self._search = None
        self.look_again()

    def look_again(self) -> None:
        """Something changed outside: sweep now."""
        self.sweep_at = self.tools.clock.now_ms()

    def turn(self, place: Workspace, garden: Garden) -> None:
        """Sweep when it is time, as far as workers are free."""
        version = garden.store.version()
        if (
            version != self._version
        ):  # somebody else wrote: a window may be due earlier than expected
            self._version = version
            self.plan(garden)
        if self._free and self._called(garden):
            self._search = Search(garden, {one.window for one in self.workers.values()})
        while self._search is not None and self._free:
            dream_id = self._search.next()
            if dream_id is None:
                self._search.close()
                self._search = None
                self._plan(garden, moved_on=False)
            else:
                self._start(place, garden, dream_id)
        self.reflecting.turn(place, garden)

    def plan(self, garden: Garden) -> None:
        """Something changed: sweep at the next instant that `why` and `status` show, which may be now."""
        self._plan(garden, moved_on=True)

    def ended(self, garden: Garden | None, ended: Ended) -> None:
        """A worker is free again."""
        if ended.task.name == REFLECTION:
            self.reflecting.ended()
            return
        self.workers.pop(ended.task.name, None)
        report = ended.result if isinstance(ended.result, DreamReport) else None
        if report is not None and self._search is not None:
            self._search.ended(report)
        if garden is not None:
            self._plan(garden, moved_on=report is not None and report.ending in _MOVED_ON)

    def wake_at(self, now: int) -> int | None:
        """The next instant at which there is something to do; None while every worker is busy."""
        if not self._free:
            return None
        regular = self._check.next_at(now)
        return regular if self.sweep_at is None else min(regular, self.sweep_at)

    def renew(self, garden: Garden) -> None:
        """Our own dreams live, however late their leases look after a leap of time; unless they hang."""
        if self.workers and not self.hangs:
            renew(garden, self.workers)

    def abandon(self, garden: Garden | None) -> None:
        """Put back what workers here did not finish in time."""
        if garden is not None and self.workers:
            at_once = replace(garden, end_models=self.tools.kill_models)
            let_go(at_once, self.workers, "the daemon stopped")
        self.workers.clear()

    @property
    def busy(self) -> bool:
        """True while a worker dreams or looks back."""
        return bool(self.workers) or self.reflecting.busy

    @property
    def hangs(self) -> bool:
        """True when a model call is long past its deadline."""
        return self.reflecting.hangs or any(one.model.overdue for one in self.workers.values())

    @property
    def _free(self) -> bool:
        return len(self.workers) < self._max_concurrent and not self.tools.orders.stopping

    def _called(self, garden: Garden) -> bool:
        """At the exact instant; and regularly one process looks anyway."""
        now = garden.clock.now_ms()
        exact = self.sweep_at is not None and now >= self.sweep_at
        if exact:
            self.sweep_at = None
        regular = self._check.due(now)
        if regular:
            self._check.done(now)
        return exact or (regular and garden.store.pass_check_gate(now, CHECK_GATE_MS))

    def _plan(self, garden: Garden, *, moved_on: bool) -> None:
        """A window that is due but was not started just now (others hold the slots) waits a minute."""
        now = garden.clock.now_ms()
        at = next_instant(garden)
        self.sweep_at = now + RETRY_MS if at is not None and at <= now and not moved_on else at

    def _start(self, place: Workspace, garden: Garden, dream_id: str) -> None:
        dream = garden.store.dream(dream_id)
        if dream is None:  # purged at this moment
            return
        tools = self.tools
        limit_seconds = garden.model_settings.timeout_minutes * 60
        watched = WatchedModel(garden.model, tools.orders, tools.clock, limit_seconds)

        def work() -> DreamReport:
            own = tools.open(place)
            try:
                return run_dream(replace(own, model=watched), dream_id)
            finally:
                own.store.close()

        self.workers[dream_id] = Worker(dream.window, watched)
        tools.crew.start(Task(workspace=place.root, name=dream_id, work=work))
