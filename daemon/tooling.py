"""Wire the tools and recall of a workspace: who asks, in which window, and who is woken."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from memgardend.core.recall.requests import RecallContext, RecallSettings
from memgardend.core.words import WindowKind
from memgardend.daemon.doorbell import ring
from memgardend.daemon.policy import load_policy
from memgardend.jobs.tools.context import ToolContext

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.core.errors import StoreUnavailableError
    from memgardend.core.ports import Store
    from memgardend.jobs.context import Garden

log = structlog.get_logger()


def recall_context(garden: Garden) -> RecallContext:
    """What recall works with in this garden. Raises ConfigError for a `recall.policy` that is none."""
    config = garden.config
    return RecallContext(
        store=garden.store,
        settings=RecallSettings(
            locale=config.locale,
            zone=garden.zone,
            hit_top_k=config.recall.hit_top_k,
            first_turn_chars=config.recall.first_turn_chars,
            assistant=config.names.assistant,
            person=config.names.person,
        ),
        slot=garden.slot,
        key=garden.key,
        clock=garden.clock,
        policy=load_policy(config.recall.policy),
        policy_name=config.recall.policy or "",
        unnoted=log_unnoted,
    )


def log_unnoted(window: str, error: StoreUnavailableError) -> None:
    """Say that what a window was shown could not be noted, so that it may be shown again."""
    log.warning("marks_lost", window=window, reason=str(error))


def tool_context(
    garden: Garden,
    root: Path,
    *,
    actor: str,
    origin: str,
    window: str | None = None,
    project: str | None = None,
) -> ToolContext:
    """What the tools work with.

    `window`: a whole id, also of one that is not known yet; that of a sub-agent stands for its parent's. The
    caller's `project` (an id) is that of the window, where it is known.
    """
    speaker = speaking_window(garden.store, window) if window else None
    known = garden.store.window(speaker) if speaker else None
    return ToolContext(
        garden=garden,
        recall=recall_context(garden),
        window=speaker,
        project=(known.project if known else None) or project,
        actor=actor,
        origin=origin,
        wake=partial(ring, root),
    )


def speaking_window(store: Store, window_id: str) -> str:
    """The window that a call speaks for: the parent's where a sub-agent asks."""
    known = store.window(window_id)
    aside = known is not None and known.kind is WindowKind.SUBAGENT
    return known.parent or window_id if known is not None and aside else window_id
