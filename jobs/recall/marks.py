"""What is noted of a window: where it works, what it has read and written, that its agent has forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.errors import StoreUnavailableError
from memgardend.core.recall.window import has_begun, next_stamp
from memgardend.core.records.window_recall import Marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.recall.requests import RecallContext
    from memgardend.core.records.window_recall import WindowRecall
    from memgardend.core.words import Use


def compacted(context: RecallContext, window: str, at: int) -> None:
    """The window's agent has forgotten: whatever it has seen may be shown again."""
    note(context, context.store.window_recall(window), at, released=True)


def forked(context: RecallContext, window: str, at: int) -> None:
    """The window begins as a copy of another one, and its agent still has before it what that one was told."""
    note(context, context.store.window_recall(window), at, block=True, prompted=True)


def resumed(context: RecallContext, window: str, at: int) -> None:
    """The window goes on where it was left; where nobody told of its beginning, that is over all the same."""
    state = context.store.window_recall(window)
    if state.block_at is None and not has_begun(state, at):
        note(context, state, at, prompted=True)


def anchor(context: RecallContext, window: str, projects: Iterable[str], at: int) -> None:
    """Anchor the window where a call has named exactly one project; anything else leaves it as it is."""
    named = only_one(projects)
    if named is not None:
        note(context, context.store.window_recall(window), at, anchor=named)


def mark(context: RecallContext, window: str, ids: Iterable[str], use: Use, at: int) -> None:
    """Note that the window has read (`accessed`) or written memories."""
    note(context, context.store.window_recall(window), at, used={use: tuple(ids)})


def note(context: RecallContext, state: WindowRecall, at: int, **happened: Any) -> None:
    """Note what happened in a window whose state was just read.

    Raises StoreUnavailableError where that cannot be written, unless the context says who is told instead.
    """
    try:
        context.store.note_marks(Marks(window=state.window, at=next_stamp(state, at), **happened))
    except StoreUnavailableError as error:
        if context.unnoted is None:
            raise
        context.unnoted(state.window, error)


def only_one(projects: Iterable[str]) -> str | None:
    """The one project that is named, None where none or several are."""
    named = set(projects)
    return named.pop() if len(named) == 1 else None
