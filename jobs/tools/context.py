"""What the tools work with, and who calls them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.recall.requests import RecallContext
    from memgardend.jobs.context import Garden


def nobody() -> bool:
    """No daemon is there."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """A garden, and who asks it. `window`: the id of the conversation, None outside of any.

    `heard`: what the agent calls its window has been looked for, so nothing was said in one that is not there.
    `actor` is what the history of a memory says of who changed it; `origin` is that of new memories.
    """

    garden: Garden
    recall: RecallContext
    window: str | None = None
    heard: bool = False
    project: str | None = None  # the id of the one that the caller works in
    actor: str = "tool"
    origin: str = "tool"
    wake: Callable[[], bool] = nobody  # wakes the daemon; False where none runs
