"""Ask the model for one round, and keep its raw answer before anything is made of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from memgardend.config.prices import token_prices
from memgardend.core.marker import make_marker
from memgardend.core.ports import ModelCall
from memgardend.core.price import cost_of
from memgardend.core.prompt import render_prompt
from memgardend.core.records import Receipt
from memgardend.core.request import build_request
from memgardend.core.words import Outcome, Phase, RoundName, RoundState
from memgardend.jobs.context import Progress
from memgardend.jobs.failure import Failure
from memgardend.jobs.heartbeat import Heartbeat
from memgardend.jobs.planning import prompt_settings
from memgardend.jobs.shared import change_breaker
from memgardend.jobs.start import run_marker

if TYPE_CHECKING:
    from memgardend.core.plan import Plan
    from memgardend.core.ports import ModelReply
    from memgardend.core.records import DreamRound
    from memgardend.core.staging import StagedView
    from memgardend.jobs.context import Garden
    from memgardend.jobs.start import Started

log = structlog.get_logger(__name__)


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


def ask_model(run: Run, this: DreamRound, view: StagedView) -> str | Parked | Failure:
    """One call: the stored answer, or why there is none."""
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
    tell_progress(run, name, RoundState.ASKED)
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


def _receipt(run: Run, this: DreamRound, call: ModelCall, reply: ModelReply) -> Receipt:
    """Size, tokens, time and price of one call. A cost that cannot be known stays None."""
    now = run.garden.clock.now_ms()
    phase = Phase.PEAK if run.garden.suppression.in_peak(now) else Phase.OFF_PEAK
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


def tell_progress(
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
