"""The receipt of a model call: what is known before it, and all of it afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.config.prices import token_prices
from memgardend.core.price import cost_of, estimate_tokens
from memgardend.core.records import Receipt
from memgardend.core.words import CallPurpose, Outcome, Phase

if TYPE_CHECKING:
    from memgardend.core.ports import ModelCall, ModelReply
    from memgardend.core.words import RoundName
    from memgardend.jobs.context import Garden


def receipt_of_call(
    garden: Garden, call: ModelCall, *, ask: int, round_name: RoundName | None = None
) -> Receipt:
    """A call that is about to be made: its prompt is estimated, so that it counts even if we die under it."""
    now = garden.clock.now_ms()
    offline = garden.model_settings.offline
    receipt = Receipt(
        purpose=CallPurpose(call.purpose),
        dream=call.dream or None,
        round=round_name,
        ask=ask,
        at=now,
        outcome=Outcome.ASKED,
        prompt_chars=len(call.prompt),
        answer_chars=0,
        tokens_in=0 if offline else estimate_tokens(call.prompt),
        tokens_out=0,
        phase=Phase.PEAK if garden.suppression.in_peak(now) else Phase.OFF_PEAK,
        counted=not offline,
    )
    return _priced(garden, receipt, None, None)


def completed(garden: Garden, asked: Receipt, reply: ModelReply) -> Receipt:
    """The same call once it has ended. Its price is that of the instant at which it was made."""
    receipt = replace(
        asked,
        outcome=reply.outcome,
        answer_chars=len(reply.text or ""),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        tokens_reported=reply.tokens_reported,
        duration_ms=reply.duration_ms,
        model=reply.model,
        detail=reply.detail or None,
    )
    return _priced(garden, receipt, reply.cost, reply.currency)


def _priced(
    garden: Garden, receipt: Receipt, reported: str | None, currency: str | None
) -> Receipt:
    """With its cost by `model.prices`, else as the command reported it, else unknown."""
    settings = garden.model_settings.prices
    prices = token_prices(settings)
    tokens = receipt.tokens_in, receipt.tokens_out
    cost = cost_of(*tokens, receipt.phase, prices)
    if cost is None:
        return replace(
            receipt, cost=reported, currency=currency if reported else None, peak_cost=None
        )
    at_peak = cost_of(*tokens, Phase.PEAK, prices)
    return replace(
        receipt,
        cost=str(cost),
        currency=settings.currency,
        peak_cost=None if at_peak is None else str(at_peak),
    )
