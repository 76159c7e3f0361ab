"""One dream, from its claim to its commit, in numbered steps (DESIGN section 5)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import structlog

from memgardend.core.errors import ConfigError, FencedError, StoppedError
from memgardend.core.retry import backoff_ms
from memgardend.core.words import Ending, RoundName
from memgardend.jobs.asking import Parked, Run
from memgardend.jobs.committing import GivenUp, commit_dream
from memgardend.jobs.context import DreamReport, Garden, Progress
from memgardend.jobs.failure import Failure, record_failure
from memgardend.jobs.planning import load_view, plan_dream
from memgardend.jobs.rounds import run_round
from memgardend.jobs.start import NotStarted, Started, start

log = structlog.get_logger(__name__)


def run_dream(garden: Garden, dream_id: str) -> DreamReport:
    """Work on one claimed dream until it is applied, fails, or must wait.

    Every way out is one word of `Ending`. A worker that lost its lease stops and writes nothing more.
    """
    garden = replace(garden, slot=cache(garden.slot))  # all prompts of a dream are of one pack
    # 1. Judge the gates again and take the lease.
    started = start(garden, dream_id)
    if isinstance(started, NotStarted):
        report = _report(garden, dream_id, started.window, started.ending, reason=started.reason)
        return replace(report, slots_full=started.slots_full)
    window = started.dream.window
    with structlog.contextvars.bound_contextvars(
        dream=dream_id, window=window, fence=started.dream.fence
    ):
        log.info("dream_started", attempts=started.dream.attempts)
        garden.watch(Progress(dream=dream_id, window=window, step="started"))
        try:
            return _work(garden, started)
        except FencedError as error:
            log.warning("dream_fenced", error=str(error))
            return _report(garden, dream_id, window, Ending.FENCED, reason=str(error))
        except (ConfigError, KeyboardInterrupt, StoppedError) as error:
            _let_go(garden, started, error)
            raise


def _work(garden: Garden, started: Started) -> DreamReport:
    dream_id, window = started.dream.id, started.dream.window
    # 2. Plan: frozen before the first call; a resumed dream keeps the plan that an answer rests on.
    plan = plan_dream(garden, started)
    while True:
        run = Run(garden, started, plan)
        # 3. Rounds, each through the staged view of the earlier ones.
        view = load_view(garden, plan)
        for name in RoundName:
            result = run_round(run, name, view)
            if isinstance(result, Parked):
                now = garden.clock.now_ms()
                garden.store.release(started.lease, now, result.until, result.reason)
                return _report(
                    garden,
                    dream_id,
                    window,
                    Ending.PARKED,
                    reason=result.reason,
                    hint=f"memgardend why {window}",
                )
            if isinstance(result, Failure):
                ending = record_failure(run, result)
                return _report(
                    garden,
                    dream_id,
                    window,
                    ending,
                    reason=result.reason,
                    error=result.error,
                    hint=result.hint,
                )
            view = result
        # 4. Commit: all of it or nothing. What was shown may have changed: then ask again, once.
        outcome = commit_dream(run, view)
        if isinstance(outcome, Ending):
            return _report(garden, dream_id, window, outcome)
        if isinstance(outcome, GivenUp):
            return _report(garden, dream_id, window, Ending.CANCELLED, reason=outcome.reason)
        plan = outcome


def _let_go(garden: Garden, started: Started, error: BaseException) -> None:
    """Settings that do not fit, or a person who stops us, are not the dream's fault: it waits, uncounted."""
    now = garden.clock.now_ms()
    wait_ms = backoff_ms(1, 0) if isinstance(error, ConfigError) else 0
    reason = str(error) or "interrupted"
    garden.store.release(started.lease, now, now + wait_ms, reason)
    log.warning("dream_released", reason=reason)


def _report(
    garden: Garden,
    dream_id: str,
    window: str,
    ending: Ending,
    *,
    reason: str | None = None,
    error: str | None = None,
    hint: str | None = None,
) -> DreamReport:
    log.info("dream_ended", dream=dream_id, ending=ending, reason=reason)
    garden.watch(Progress(dream=dream_id, window=window, step=ending))
    return DreamReport(
        ending=ending, dream=dream_id, window=window, reason=reason, error=error, hint=hint
    )
