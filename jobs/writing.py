"""Writes windows with their events into the store: project, title and our own conversations settled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.core.intake import begins_as_own, take_in_window
from memgardend.core.records import IngestBatch
from memgardend.core.words import Role, WindowKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store
    from memgardend.core.records import Cursor, IngestResult, NewEvent, Project, Window

    ResolveProject = Callable[[str | None], Project | None]


@dataclass
class Writer:
    """Writes into one store. Events come as `core.intake` made them."""

    store: Store
    clock: Clock
    resolve_project: ResolveProject
    _projects: dict[str, str | None] = field(default_factory=dict)

    def write(self, window: Window, events: Sequence[NewEvent] = ()) -> IngestResult:
        """One batch, one transaction. Raises what the store raises."""
        return self.store.ingest(self.batch(window, self.store.window(window.id), events))

    def batch(
        self,
        window: Window,
        known: Window | None,
        events: Sequence[NewEvent] = (),
        *,
        cursor: Cursor | None = None,
        expected_offset: int | None = None,
        old: bool = False,
    ) -> IngestBatch:
        """What is to be written: its project is known to the store, and its kind is settled.

        `known` is the window as the store has it.
        """
        window = take_in_window(self._with_project(window, known))
        if _is_ours(known, events):
            window = replace(window, kind=WindowKind.OWN)
            events = [replace(event, role=Role.OWN) for event in events]
        return IngestBatch(
            window=window,
            events=tuple(events),
            received_at=self.clock.now_ms(),
            cursor=cursor,
            expected_offset=expected_offset,
            old=old,
        )

    def _with_project(self, window: Window, known: Window | None) -> Window:
        """The project of the first folder a window was in, once and for good."""
        if window.cwd is None or (known is not None and known.cwd is not None):
            return window
        if window.cwd not in self._projects:
            project = self.resolve_project(window.cwd)
            stored = self.store.ensure_project(project) if project is not None else None
            self._projects[window.cwd] = stored.id if stored is not None else None
        return replace(window, project=self._projects[window.cwd])


def _is_ours(known: Window | None, events: Sequence[NewEvent]) -> bool:
    """A run of our own model command stays ours; so does one whose first prompt is ours."""
    if known is not None and known.kind is WindowKind.OWN:
        return True
    fresh = known is None or (known.last_speech_seq == 0 and known.baseline is None)
    return fresh and begins_as_own(events)
