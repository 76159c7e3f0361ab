"""One round: render, ask, keep the raw answer, judge it, keep what it staged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from memgardend.config.prices import token_prices
from memgardend.core.clock import DAY_MS
from memgardend.core.marker import make_marker
from memgardend.core.operations import Unusable, parse_answer
from memgardend.core.plan import panorama_due
from memgardend.core.ports import ModelCall
from memgardend.core.price import cost_of
from memgardend.core.prompt import render_prompt
from memgardend.core.records import Receipt
from memgardend.core.request import build_request
from memgardend.core.staging import (
    JudgeContext,
    judge_round,
    judged_from_json,
    judged_to_json,
    replay,
)
from memgardend.core.words import (
    Decision,
    Outcome,
    Phase,
    RoundName,
    RoundState,
    Status,
)
from memgardend.jobs.context import Progress
from memgardend.jobs.failure import Failure
from memgardend.jobs.heartbeat import Heartbeat
from memgardend.jobs.planning import prompt_settings
from memgardend.jobs.shared import change_breaker
from memgardend.jobs.start import run_marker

if TYPE_CHECKING:
    from memgardend.core.plan import Plan
    from memgardend.core.ports import ModelReply
    from memgardend.core.records import DreamRound, Evidence
    from memgardend.core.staging import StagedView
    from memgardend.jobs.context import Garden
    from memgardend.jobs.start import Started

log = structlog.get_logger(__name__)

ASKS_PER_ATTEMPT = 2
"""An unusable answer gets one more ask with the reasons (DESIGN 5.6)."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a dream under one plan."""

    garden: Garden
    started: Started
    plan: Plan


@dataclass(frozen=True, slots=True)
class Parked:
    """A peak began and `park_at_peak` is set: go on at `until`."""

    until: int
    reason: str


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
            asked = _ask(run, this, view)
            if isinstance(asked, Parked):
                return asked
            if isinstance(asked, Failure):
                return _without(run, this, view, asked)
            answer = asked
        parsed = parse_answer(answer)
        if not isinstance(parsed, Unusable):
            break
        garden.store.save_problems(lease, name, parsed.reasons)
        this = _round(run, name)
        log.warning("answer_unusable", round=name, asks=this.asks, reasons=parsed.reasons)
        if this.asks >= ASKS_PER_ATTEMPT:
            reason = f"{name}: {Outcome.UNUSABLE}"
            failure = Failure(name, Outcome.UNUSABLE, reason, "; ".join(parsed.reasons))
            return _without(run, this, view, failure)
    judged, after = judge_round(view, parsed, _judge_context(run, name))
    review = sum(1 for one in judged if one.decision == Decision.REVIEW)
    refused = sum(1 for one in judged if one.decision == Decision.REFUSED)
    garden.store.save_staged(
        lease, name, judged_to_json(judged), parsed.questions, parsed.summary, review
    )
    garden.failpoints.hit(f"round.{name}.staged")
    log.info("round_staged", round=name, operations=len(judged), refused=refused, review=review)
    _progress(run, name, RoundState.STAGED, len(judged), refused)
    return after


def _ask(run: Run, this: DreamRound, view: StagedView) -> str | Parked | Failure:
    """Ask the model once and store its raw answer before anything is made of it."""
    garden, lease, name = run.garden, run.started.lease, this.name
    now = garden.clock.now_ms()
    if garden.config.dream.park_at_peak and garden.suppression.suppressed(now):
        until = garden.suppression.next_allowed(now)
        if until is not None:
            return Parked(until, "peak")
    call = _call(run, this, view)
    digest = hashlib.sha256(call.prompt.encode()).hexdigest()
    garden.store.save_asked(lease, name, digest)
    garden.failpoints.hit(f"round.{name}.asked")
    log.info("round_asked", round=name, prompt_chars=len(call.prompt), ask=this.asks + 1)
    _progress(run, name, RoundState.ASKED)
    heartbeat = Heartbeat(garden, lease)
    reply = garden.model.ask(call, heartbeat.tick)
    heartbeat.check()
    receipt = _receipt(run, this, call, reply)
    if reply.outcome != Outcome.OK or reply.text is None:
        garden.store.save_receipt(lease, receipt)
        reason = f"{name}: {reply.outcome}"
        return Failure(name, reply.outcome, reason, reply.detail, reply.hint)
    garden.store.save_answer(lease, name, reply.text, receipt)
    garden.failpoints.hit(f"round.{name}.answered")
    change_breaker(garden.store, lambda breaker: breaker.after_success())
    log.info("round_answered", round=name, answer_chars=len(reply.text), ms=reply.duration_ms)
    return reply.text


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
    _progress(run, this.name, RoundState.SKIPPED)
    return view


def _call(run: Run, this: DreamRound, view: StagedView) -> ModelCall:
    """The question in both forms; they differ in nothing but their shape."""
    garden, dream = run.garden, run.started.dream
    name, mark = this.name, run_marker(dream.id, dream.fence)
    question = (
        garden.slot,
        name,
        run.plan,
        view,
        run.started.facts.window,
        garden.store.projects(),
        prompt_settings(garden),
        garden.token(),
        make_marker(garden.key, mark, dream.window, name),
        this.problems,
    )
    return ModelCall(
        purpose="dream",
        prompt=render_prompt(*question),
        request=build_request(*question, run=mark),
        window=dream.window,
        dream=dream.id,
        round=name,
        run=mark,
    )


def _judge_context(run: Run, name: RoundName) -> JudgeContext:
    garden, plan = run.garden, run.plan
    now = garden.clock.now_ms()
    active = tuple(garden.store.memories(statuses=(Status.ACTIVE,)))
    first = min((event.seq for event in plan.events), default=plan.from_seq + 1)
    return JudgeContext(
        window=run.started.facts.window,
        round=name,
        now=now,
        locale=garden.config.locale,
        projects=tuple(garden.store.projects()),
        candidates=active,
        active_count=len(active),
        archived_last_7_days=garden.store.archived_since(now - 7 * DAY_MS),
        new_id=garden.ids.new,
        turns=tuple(garden.store.events(plan.window, first - 1, plan.through_seq)),
        evidence=_evidence(garden, plan),
    )


def _evidence(garden: Garden, plan: Plan) -> dict[str, tuple[Evidence, ...]]:
    """What proves each memory of the plan: operations may inherit it."""
    found: dict[str, tuple[Evidence, ...]] = {}
    for one in garden.store.evidence({memory.id for memory in plan.all_memories}):
        found[one.memory] = (*found.get(one.memory, ()), one)
    return found


def _receipt(run: Run, this: DreamRound, call: ModelCall, reply: ModelReply) -> Receipt:
    """Size, tokens, time and price of one call. A cost that cannot be known stays None."""
    now = run.garden.clock.now_ms()
    phase = Phase.PEAK if run.garden.peak.suppressed(now) else Phase.OFF_PEAK
    prices = run.garden.model_settings.prices
    cost = cost_of(reply.tokens_in, reply.tokens_out, phase, token_prices(prices))
    return Receipt(
        dream=call.dream,
        round=this.name,
        ask=this.model_calls + 1,
        at=now,
        outcome=reply.outcome,
        prompt_chars=len(call.prompt),
        answer_chars=len(reply.text or ""),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        tokens_reported=reply.tokens_reported,
        duration_ms=reply.duration_ms,
        phase=phase,
        cost=reply.cost or (None if cost is None else str(cost)),
        currency=reply.currency if reply.cost else (prices.currency if cost is not None else None),
        model=reply.model,
        detail=reply.detail or None,
    )


def _round(run: Run, name: RoundName) -> DreamRound:
    rounds = run.garden.store.rounds(run.started.dream.id)
    return next(one for one in rounds if one.name == name)


def _progress(
    run: Run, name: RoundName, state: RoundState, operations: int = 0, refused: int = 0
) -> None:
    run.garden.watch(
        Progress(
            dream=run.started.dream.id,
            window=run.started.dream.window,
            step=state,
            round=name,
            operations=operations,
            refused=refused,
        )
    )
