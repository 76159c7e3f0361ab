"""What a failed round does to its dream: refund or count, back off, quarantine, feed the breaker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from memgardend.core.retry import backoff_ms
from memgardend.core.words import MODEL_WIDE, Ending, Outcome
from memgardend.jobs.shared import change_breaker

if TYPE_CHECKING:
    from memgardend.core.words import RoundName
    from memgardend.jobs.asking import Run

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a round could not be brought to its end."""

    round: RoundName
    outcome: Outcome
    reason: str  # one word of Outcome after the round's name
    error: str  # for a person
    hint: str | None = None

    @property
    def refund(self) -> bool:
        """A failure of the model as a whole is not the window's fault."""
        return self.outcome in MODEL_WIDE or self.outcome == Outcome.CANCELLED


def record_failure(run: Run, failure: Failure) -> Ending:
    """Store the failure; the dream waits for its next attempt, or for a person."""
    garden, dream = run.garden, run.started.dream
    now = garden.clock.now_ms()
    if failure.outcome in MODEL_WIDE:
        breaker = change_breaker(garden.store, lambda breaker: breaker.after_failure(now))
        if breaker.open_until is not None:
            log.error("breaker_opened", failures=breaker.failures, until=breaker.open_until)
    quarantine = not failure.refund and dream.attempts >= garden.config.dream.max_attempts
    wait_ms = backoff_ms(dream.failures + 1, garden.jitter())
    garden.store.fail(
        run.started.lease,
        now,
        None if quarantine else now + wait_ms,
        failure.reason,
        failure.error,
        refund=failure.refund,
        quarantine=quarantine,
    )
    log.error(
        "dream_quarantined" if quarantine else "dream_failed",
        reason=failure.reason,
        error=failure.error,
        attempts=dream.attempts,
        refunded=failure.refund,
    )
    if failure.outcome in MODEL_WIDE:
        return Ending.MODEL_UNAVAILABLE
    return Ending.QUARANTINED if quarantine else Ending.FAILED
