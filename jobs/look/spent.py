"""Money and budget, as `status`, `dreams` and `show` say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.config.zones import zone
from memgardend.core.clock import DAY_MS
from memgardend.core.days import day_of
from memgardend.core.spent import spent_on
from memgardend.core.words import BudgetKind
from memgardend.jobs.look.windows import instant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.budget import Standing
    from memgardend.core.gates import SharedState
    from memgardend.core.records import Receipt
    from memgardend.jobs.look.outlook import Outlook

_SIX_DAYS_MS = 6 * DAY_MS - DAY_MS // 2
"""Back from a midnight, it ends about noon of the day meant, however long the days between were."""


def spent_row(receipts: Iterable[Receipt]) -> dict[str, Any]:
    """The sums of these calls; money by currency, as text."""
    sums = spent_on(receipts)
    return {
        "calls": sums.calls,
        "tokens_in": sums.tokens_in,
        "tokens_out": sums.tokens_out,
        "estimated": sums.estimated,
        "unpriced": sums.unpriced,
        "duration_ms": sums.duration_ms,
        "money": [
            {
                "currency": one.currency,
                "cost": str(one.cost),
                "at_peak": None if one.at_peak is None else str(one.at_peak),
                "saved": None if one.saved is None else str(one.saved),
            }
            for one in sums.amounts
        ],
    }


def spent_document(outlook: Outlook, at: int) -> dict[str, Any]:
    """The calls of the local day so far, and of it and the six days before."""
    in_zone = zone(outlook.config.dream.time_zone)
    today, _ = day_of(at, in_zone)
    week, _ = day_of(today - _SIX_DAYS_MS, in_zone)
    receipts = [one for one in outlook.store.receipts(since=week) if one.at <= at]
    return {
        "today": spent_row(one for one in receipts if one.at >= today),
        "last_7_days": spent_row(receipts),
    }


def budget_document(shared: SharedState, at: int) -> dict[str, Any]:
    """Each limit with what is spent of it; `until`: from when on models may be asked. {}: no limits."""
    spending = shared.budget
    if spending is None:
        return {}
    opens = spending.opens(at)
    return {
        "spent": opens != at,
        "note": spending.text(at),
        "until": None if opens == at else instant(opens),
        "limits": [_limit(one, spending.limits.currency) for one in spending.standings(at)],
    }


def _limit(standing: Standing, currency: str | None) -> dict[str, Any]:
    money = standing.kind is BudgetKind.MONEY_PER_DAY
    return {
        "kind": str(standing.kind),
        "spent": str(standing.spent) if money else standing.spent,
        "limit": str(standing.limit) if money else standing.limit,
        "currency": currency if money else None,
        "full": standing.full,
        "opens_at": instant(standing.opens_at),
    }
