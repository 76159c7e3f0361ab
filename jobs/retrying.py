"""Try dreams again because a person asked for it, without waiting for their instants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.errors import MemgardendError
from memgardend.core.words import DreamState
from memgardend.jobs.shared import change_breaker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Dream

log = structlog.get_logger(__name__)

STATES = (DreamState.FAILED, DreamState.QUARANTINED, DreamState.PENDING)


def retry_dreams(store: Store, now: int, window: str | None = None) -> Sequence[Dream]:
    """Put the dreams that failed, were set aside or wait for later, or the one of a window, back in line.

    Returns them as they were before. The gates still hold them: a parked one goes on only where its budget has
    grown, or its peak is over. Of an open breaker one dream tries the model at once.

    Raises MemgardendError where a window is named that has none.
    """
    found = store.dreams(window=window, states=STATES)
    retried = [dream for dream in found if store.retry(dream.id, now)]
    if window is not None and not retried:
        raise MemgardendError(
            f"{window} has no dream that failed, was set aside or waits for later",
            hint=f"memgardend why {window}",
        )
    if retried:
        change_breaker(store, lambda breaker: breaker.by_hand(now))
    for dream in retried:
        log.info("dream_retried", dream=dream.id, window=dream.window, was=dream.state)
    return retried
