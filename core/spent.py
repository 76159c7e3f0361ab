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
        amounts=amounts_of((one.currency, one.cost, one.peak_cost) for one in counted),
    )


def amounts_of(costs: Iterable[tuple[str | None, str | None, str | None]]) -> tuple[Amount, ...]:
    """The sums by currency of what calls cost, each as (currency, cost, cost at peak)."""
    by_currency: dict[str, list[tuple[str, str | None]]] = {}
    for currency, cost, at_peak in costs:
        if currency is not None and cost is not None:
            by_currency.setdefault(currency, []).append((cost, at_peak))
    return tuple(_amount(currency, by_currency[currency]) for currency in sorted(by_currency))


def _amount(currency: str, costs: Sequence[tuple[str, str | None]]) -> Amount:
    peaks = [Decimal(at_peak) for _, at_peak in costs if at_peak is not None]
    return Amount(
        currency,
        sum((Decimal(cost) for cost, _ in costs), Decimal(0)),
        sum(peaks, Decimal(0)) if len(peaks) == len(costs) else None,
    )
