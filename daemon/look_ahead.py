"""What a message would bring to mind, if somebody said it: nothing is noted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.records.window_recall import WindowRecall
from memgardend.daemon.tooling import recall_context
from memgardend.jobs.recall import Turn, message

if TYPE_CHECKING:
    from memgardend.core.ports import Store
    from memgardend.core.ports.recall import RecallStore
    from memgardend.core.records.window_recall import Marks
    from memgardend.jobs.context import Garden
    from memgardend.jobs.recall import Injection

WINDOW = "look:ahead"
"""Stands for a conversation that there is not."""


class _Unmarked:
    """A store as recall reads it, with one window in it; what is noted is forgotten."""

    def __init__(self, store: Store, state: WindowRecall) -> None:
        self._store = store
        self._state = state

    def window_recall(self, window_id: str) -> WindowRecall:
        return self._state

    def note_marks(self, marks: Marks) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def look_ahead(garden: Garden, text: str, project: str | None, *, first: bool) -> Injection | None:
    """What this message would bring in a conversation in which nothing was shown yet: the block with its first
    message, else hits."""
    garden.store.keep_index(garden.config.locale)
    began = None if first else 0
    state = WindowRecall(window=WINDOW, project=project, prompted_at=began, block_at=began)
    store = cast("RecallStore", _Unmarked(garden.store, state))
    context = replace(recall_context(garden), store=store)
    return message(
        context, Turn(window=WINDOW, at=garden.clock.now_ms(), text=text, project=project)
    )
