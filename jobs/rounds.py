"""One round: ask or take the stored answer, judge it, keep what it staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import DAY_MS
from memgardend.core.indexing import names_of, probes
from memgardend.core.operations import Unusable, parse_answer
from memgardend.core.plan import panorama_due
from memgardend.core.staging import (
    JudgeContext,
    judge_round,
    judged_from_json,
    judged_to_json,
    new_contents,
    replay,
)
from memgardend.core.words import Decision, Outcome, RoundName, RoundState, Status
from memgardend.jobs.asking import Parked, Run, ask_model, tell_progress
from memgardend.jobs.failure import Failure

if TYPE_CHECKING:
    from memgardend.core.operations import Answer
    from memgardend.core.plan import Plan
    from memgardend.core.records import DreamRound, Evidence, Memory
    from memgardend.core.staging import StagedView
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

ASKS_PER_ATTEMPT = 2
"""An unusable answer gets one more ask with the reasons (DESIGN 5.6)."""


def run_round(run: Run, name: RoundName, view: StagedView) -> StagedView | Parked | Failure:
    """Bring one round to `staged` or `skipped`; the view after it, or why it must stop here."""
    garden, lease = run.garden, run.started.lease
    this = _round(run, name)
    if this.state in (RoundState.STAGED, RoundState.SKIPPED):
        return replay(view, judged_from_json(this.operations))
    if name == RoundName.PROJECT and not panorama_due(run.plan, view):
        garden.store.save_staged(lease, name, "[]", (), None, 0, skipped=True)
        return view
    while True:
        answer = this.answer if this.state == RoundState.ANSWERED else None
        if answer is None:
            asked = ask_model(run, this, view)
            if isinstance(asked, Parked):
                return asked
            if isinstance(asked, Failure):
                return _without(run, this, view, asked)
            answer = asked
        parsed = parse_answer(answer)
        if not isinstance(parsed, Unusable):
            break
        garden.store.save_problems(lease, name, (parsed.flaw,))
        this = _round(run, name)
        log.warning("answer_refused", round=name, asks=this.asks, flaw=parsed.flaw)
        if this.asks >= ASKS_PER_ATTEMPT:
            reason = f"{name}: {Outcome.UNUSABLE}"
            failure = Failure(name, Outcome.UNUSABLE, reason, parsed.reason)
            return _without(run, this, view, failure)
    judged, after = (
        judge_round(view, parsed, _judge_context(run, name, parsed))
        if parsed.operations
        else ((), view)
    )
    review = sum(1 for one in judged if one.decision == Decision.REVIEW)
    refused = sum(1 for one in judged if one.decision == Decision.REFUSED)
    garden.store.save_staged(
        lease, name, judged_to_json(judged), parsed.questions, parsed.summary, review
    )
    garden.failpoints.hit(f"round.{name}.staged")
    log.info("round_staged", round=name, operations=len(judged), refused=refused, review=review)
    tell_progress(run, name, RoundState.STAGED, len(judged), refused)
    return after


def _without(
    run: Run, this: DreamRound, view: StagedView, failure: Failure
) -> StagedView | Failure:
    """The last attempt may go on without topic or project; atomic is what a dream is for."""
    last = run.started.dream.attempts >= run.garden.config.dream.max_attempts
    if failure.refund or not last or this.name == RoundName.ATOMIC:
        return failure
    log.warning("round_skipped", round=this.name, reason=failure.reason)
    run.garden.store.save_staged(
        run.started.lease, this.name, "[]", (), f"skipped: {failure.error}", 0, skipped=True
    )
    tell_progress(run, this.name, RoundState.SKIPPED)
    return view


def _judge_context(run: Run, name: RoundName, answer: Answer) -> JudgeContext:
    garden, plan = run.garden, run.plan
    now = garden.clock.now_ms()
    first = min((event.seq for event in plan.events), default=plan.from_seq + 1)
    return JudgeContext(
        window=run.started.facts.window,
        round=name,
        now=now,
        locale=garden.config.locale,
        projects=tuple(garden.store.projects()),
        candidates=_candidates(garden, answer),
        active_count=garden.store.active_count(),
        archived_last_7_days=garden.store.archived_since(now - 7 * DAY_MS),
        new_id=garden.ids.new,
        turns=tuple(garden.store.events(plan.window, first - 1, plan.through_seq)),
        evidence=_evidence(garden, plan),
    )


def _candidates(garden: Garden, answer: Answer) -> tuple[Memory, ...]:
    """The active memories that may say the same as what the answer brings, or the opposite."""
    store, locale = garden.store, garden.config.locale
    contents = new_contents(answer)
    names = dict.fromkeys(name for content in contents for name in names_of(content, locale))
    found = store.term_statistics(names).found
    ids = store.probe(probe for content in contents for probe in probes(content, locale, found))
    return tuple(store.memories(ids=ids, statuses=(Status.ACTIVE,)))


def _evidence(garden: Garden, plan: Plan) -> dict[str, tuple[Evidence, ...]]:
    """What proves each memory of the plan: operations may inherit it."""
    found: dict[str, tuple[Evidence, ...]] = {}
    for one in garden.store.evidence({memory.id for memory in plan.all_memories}):
        found[one.memory] = (*found.get(one.memory, ()), one)
    return found


def _round(run: Run, name: RoundName) -> DreamRound:
    rounds = run.garden.store.rounds(run.started.dream.id)
    return next(one for one in rounds if one.name == name)
