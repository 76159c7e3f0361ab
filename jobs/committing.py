"""Commit what a dream staged; what changed meanwhile sends rounds back once, then is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from memgardend.core.records import CommitBatch
from memgardend.core.staging import judged_from_json, judged_to_json, refuse_changed
from memgardend.core.words import Ending, RoundName, RoundState
from memgardend.jobs.planning import refresh_plan

if TYPE_CHECKING:
    from memgardend.core.plan import Plan
    from memgardend.core.records import DreamRound
    from memgardend.core.staging import StagedView
    from memgardend.jobs.asking import Run

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The dream was cancelled: its range is no longer due as planned."""

    reason: str


def commit_dream(run: Run, view: StagedView) -> Ending | Plan | GivenUp:
    """One transaction for all of it. A plan comes back when rounds must be asked again."""
    garden, plan, lease = run.garden, run.plan, run.started.lease
    changes, verdicts, stale = view.changes, dict[RoundName, str](), set[str]()
    while True:
        batch = CommitBatch(
            lease=lease,
            window=plan.window,
            from_seq=plan.from_seq,
            through_seq=plan.through_seq,
            changes=changes,
            operations=verdicts,
            reason=_reason(run),
            at=garden.clock.now_ms(),
        )
        result = garden.store.commit(batch)
        if result.committed:
            ending = Ending.APPLIED if changes else Ending.EMPTY
            log.info("dream_committed", changes=len(changes), through_seq=plan.through_seq)
            return ending
        if result.watermark_moved:
            return _give_up(run)
        log.warning("memories_changed", memories=result.changed, refreshes=plan.refreshes)
        if plan.refreshes == 0:
            return refresh_plan(run, set(result.changed))
        stale |= set(result.changed)
        stored = {one.name: judged_from_json(one.operations) for one in _rounds(run)}
        judged = refuse_changed(stored, stale)
        verdicts = {name: judged_to_json(items) for name, items in judged.items()}
        changes = tuple(
            change for name in RoundName for one in judged.get(name, ()) for change in one.changes
        )


def _reason(run: Run) -> str | None:
    """Name the rounds that the last attempt went on without."""
    names = [one.name for one in _rounds(run) if one.state == RoundState.SKIPPED and one.summary]
    return f"without {', '.join(names)}" if names else None


def _rounds(run: Run) -> list[DreamRound]:
    return list(run.garden.store.rounds(run.started.lease.dream))


def _give_up(run: Run) -> GivenUp:
    """The watermark moved under us: the window is due again with another range, under a new dream."""
    garden, lease = run.garden, run.started.lease
    now = garden.clock.now_ms()
    reason = "watermark_moved"
    garden.store.release(lease, now, now, reason)
    garden.store.cancel(lease.dream, now, reason)
    log.error("dream_cancelled", reason=reason)
    return GivenUp(reason)
