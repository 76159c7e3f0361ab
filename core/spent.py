"""What model calls used and cost together. Currencies are never added up, and unknown is never 0."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Receipt


@dataclass(frozen=True, slots=True)
class Amount:
    """Money in one currency. `at_peak`: what the same calls would have cost at peak; None when unknown."""

    currency: str
    cost: Decimal
    at_peak: Decimal | None

    @property
    def saved(self) -> Decimal | None:
        """How much less than at peak; None when unknown."""
        return None if self.at_peak is None else self.at_peak - self.cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The sums of some calls. `estimated` and `unpriced`: of how many the tokens are, the cost is unknown."""

    calls: int
    tokens_in: int
    tokens_out: int
    estimated: int
    unpriced: int
    duration_ms: int
    amounts: tuple[Amount, ...]


def spent_on(receipts: Iterable[Receipt]) -> Spent:
    """Add up the calls that count; those of the offline model do not."""
    counted = [one for one in receipts if one.counted]
    return Spent(
        calls=len(counted),
        tokens_in=sum(one.tokens_in or 0 for one in counted),
        tokens_out=sum(one.tokens_out or 0 for one in counted),
        estimated=sum(not one.tokens_reported for one in counted),
        unpriced=sum(one.cost is None for one in counted),
        duration_ms=sum(one.duration_ms for one in counted),
        amounts=tuple(
            _amount(currency, [one for one in counted if one.cost and one.currency == currency])
            for currency in sorted({one.currency for one in counted if one.currency})
        ),
    )


def _amount(currency: str, receipts: Sequence[Receipt]) -> Amount:
    peaks = [Decimal(one.peak_cost) for one in receipts if one.peak_cost is not None]
    return Amount(
        currency,
        sum((Decimal(one.cost) for one in receipts if one.cost is not None), Decimal(0)),
        sum(peaks, Decimal(0)) if len(peaks) == len(receipts) else None,
    )
