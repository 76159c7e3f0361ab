"""Ask the model for one round, and keep its raw answer before anything is made of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from memgardend.config.prompting import prompt_settings
from memgardend.core.marker import make_marker
from memgardend.core.ports import ModelCall
from memgardend.core.prompt import Asking, compose
from memgardend.core.request import build_request
from memgardend.core.words import CallPurpose, GateName, Outcome, RoundState
from memgardend.jobs.context import Progress
from memgardend.jobs.failure import Failure
from memgardend.jobs.heartbeat import Heartbeat
from memgardend.jobs.receipts import completed, receipt_of_call
from memgardend.jobs.shared import change_breaker, limits_of
from memgardend.jobs.start import run_marker

if TYPE_CHECKING:
    from memgardend.core.budget import Spending
    from memgardend.core.plan import Plan
    from memgardend.core.records import DreamRound
    from memgardend.core.staging import StagedView
    from memgardend.core.words import RoundName
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
    """Nothing may be asked now, for a peak or a spent budget: go on at `until`."""

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
    asked = receipt_of_call(garden, call, ask=this.model_calls + 1, round_name=name)
    spending = garden.store.save_asked(lease, name, digest, asked, limits_of(garden.config))
    if spending is not None:
        return _spent(spending, asked.at)
    garden.failpoints.hit(f"round.{name}.asked")
    log.info("round_asked", round=name, prompt_chars=len(call.prompt), ask=this.asks + 1)
    tell_progress(run, name, RoundState.ASKED)
    heartbeat = Heartbeat(garden, lease)
    reply = garden.model.ask(call, heartbeat.tick)
    heartbeat.check()
    receipt = completed(garden, asked, reply)
    if reply.outcome != Outcome.OK or reply.text is None:
        garden.store.save_receipt(lease, receipt)
        reason = f"{name}: {reply.outcome}"
        return Failure(name, reply.outcome, reason, reply.detail, reply.hint)
    garden.store.save_answer(lease, name, reply.text, receipt)
    garden.failpoints.hit(f"round.{name}.answered")
    change_breaker(garden.store, lambda breaker: breaker.after_success())
    log.info("round_answered", round=name, answer_chars=len(reply.text), ms=reply.duration_ms)
    return reply.text


def _spent(spending: Spending, now: int) -> Parked:
    """Wait for room in the budget; where time alone brings none, the gate `budget` goes on holding."""
    until = spending.opens(now)
    return Parked(now if until is None else until, f"{GateName.BUDGET}: {spending.text(now)}")


def _call(run: Run, this: DreamRound, view: StagedView) -> ModelCall:
    """The question in both forms; they differ in nothing but their shape."""
    garden, dream = run.garden, run.started.dream
    name, mark = this.name, run_marker(dream.id, dream.fence)
    asking = Asking(
        garden.slot,
        name,
        run.plan,
        view,
        run.started.facts.window,
        garden.store.projects(),
        prompt_settings(garden.config),
        garden.token(),
        make_marker(garden.key, mark, dream.window, name),
        this.problems,
    )
    question = compose(asking)
    return ModelCall(
        purpose=CallPurpose.DREAM,
        prompt=question.prompt,
        request=build_request(asking, question, run=mark),
        window=dream.window,
        dream=dream.id,
        round=name,
        run=mark,
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
