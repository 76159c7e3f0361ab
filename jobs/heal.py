"""Put dreams back whose worker is gone, and end the model processes it left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.retry import backoff_ms
from memgardend.jobs.start import run_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Dream
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)


def heal(garden: Garden) -> Sequence[Dream]:
    """Return orphaned dreams to pending (quarantined at the last attempt). Safe to race.

    Never marks anything as done: a healed dream goes on at its first unfinished round.
    """
    healed = garden.store.heal(
        garden.clock.now_ms(),
        garden.is_gone,
        garden.config.dream.max_attempts,
        lambda deaths: backoff_ms(deaths, garden.jitter()),
    )
    for dream in healed:
        ended = garden.end_models(run_marker(dream.id, dream.fence))
        log.warning(
            "dream_healed",
            dream=dream.id,
            window=dream.window,
            state=dream.state,
            deaths=dream.deaths,
            attempts=dream.attempts,
            ended_processes=ended,
        )
    return healed
