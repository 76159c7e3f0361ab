"""Looks back on long turns as they end, beside the dreams: one task at a time in a workspace."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
from memgardend.core.reflection import SETTLED_MS
from memgardend.daemon.service.cadence import Cadence
from memgardend.daemon.service.crew import Task
from memgardend.daemon.service.orders import WatchedModel
from memgardend.jobs.questions import shut_gate
from memgardend.jobs.reflect import due_turn, reflect, reflectable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.daemon.garden import Workspace
    from memgardend.daemon.service.tools import Tools
    from memgardend.jobs.context import Garden

REFLECTION = "reflection"
"""The name of its task."""


@dataclass(slots=True)
class Reflecting:
    """The looks back of one workspace. Methods raise what the store raises."""

    tools: Tools
    _model: WatchedModel | None = None  # of the task that runs
    _nothing_in: dict[str, int] = field(default_factory=dict)  # by window: the last event looked at
    _minute: Cadence = field(default_factory=lambda: Cadence(MINUTE_MS))

    @property
    def busy(self) -> bool:
        """True while a task runs."""
        return self._model is not None

    @property
    def hangs(self) -> bool:
        """True when its model call is long past its deadline."""
        return self._model is not None and self._model.overdue

    def turn(self, place: Workspace, garden: Garden) -> None:
        """Once a minute start a task, if there is a turn to look back on."""
        now = garden.clock.now_ms()
        if self.busy or self.tools.orders.stopping or not self._minute.due(now):
            return
        self._minute.done(now)
        if any(self._due(garden, now)) and shut_gate(garden, manual=False) is None:
            self._start(place, garden)

    def ended(self) -> None:
        """The task ended."""
        self._model = None

    def _due(self, garden: Garden, now: int) -> Iterator[bool]:
        """For each window that came to rest since the last look: is there a turn? The others cost one row each."""
        windows = reflectable(garden)
        self._nothing_in = {
            one: self._nothing_in[one] for one in windows if one in self._nothing_in
        }
        for window_id in windows:
            window = garden.store.window(window_id)
            if window is None or (window.last_event_at or 0) + SETTLED_MS > now:
                continue
            if self._nothing_in.get(window_id) == window.last_seq:
                continue
            due = due_turn(garden, window_id) is not None
            if not due:
                self._nothing_in[window_id] = window.last_seq
            yield due

    def _start(self, place: Workspace, garden: Garden) -> None:
        tools = self.tools
        limit_seconds = garden.model_settings.timeout_minutes * 60
        watched = WatchedModel(garden.model, tools.orders, tools.clock, limit_seconds)

        def work() -> int:
            own = tools.open(place)
            try:
                return reflect(replace(own, model=watched))
            finally:
                own.store.close()

        self._model = watched
        tools.crew.start(Task(workspace=place.root, name=REFLECTION, work=work))
