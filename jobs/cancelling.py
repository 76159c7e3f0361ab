"""End an open dream because a person asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.errors import MemgardendError
from memgardend.core.words import OPEN_STATES, DreamState
from memgardend.jobs.start import run_marker

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Store
    from memgardend.core.records import Dream

log = structlog.get_logger(__name__)


def cancel_dream(
    store: Store, dream_id: str, clock: Clock, end_models: Callable[[str], int]
) -> Dream:
    """Cancel the dream and end its model processes; the dream as it was before.

    The worker of a running one is refused at its next write and stops. Raises MemgardendError for a dream
    that has ended, also when that happens at this moment.
    """
    dream = store.dream(dream_id)
    if (
        dream is None
        or dream.state not in OPEN_STATES
        or not store.cancel(dream_id, clock.now_ms(), "by_person", running=True)
    ):
        raise MemgardendError(f"{dream_id} has ended already", hint=f"memgardend show {dream_id}")
    log.info("dream_cancelled", dream=dream.id, window=dream.window, was=dream.state)
    if dream.state is DreamState.RUNNING:
        end_models(run_marker(dream.id, dream.fence))
    return dream
