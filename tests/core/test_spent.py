"""Receipts worked out by hand, and their sums."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from memgardend.core.price import TokenPrice, cost_of
from memgardend.core.records import Receipt
from memgardend.core.spent import Amount, spent_on
from memgardend.core.words import Outcome, Phase, RoundName

# Made-up prices, CNY for a million tokens:      in    out
PRICES = {
    Phase.PEAK: TokenPrice(Decimal("2"), Decimal("3")),
    Phase.OFF_PEAK: TokenPrice(Decimal("0.5"), Decimal("0.75")),
}

# tokens in, out, phase → cost, cost at peak
#  34 500 in at 0.5  = 0.017250     1 200 out at 0.75 = 0.000900    together 0.018150
#  34 500 in at 2    = 0.069000     1 200 out at 3    = 0.003600    together 0.072600
# 120 000 in at 2    = 0.240000     4 001 out at 3    = 0.012003    together 0.252003
#       1 in at 0.5  = 0.0000005    0 out                           half a millionth: to the even, 0.000000
#       3 in at 0.5  = 0.0000015    0 out                           to the even, 0.000002
HAND: list[tuple[int, int, Phase, str, str]] = [
    (34_500, 1_200, Phase.OFF_PEAK, "0.018150", "0.072600"),
    (120_000, 4_001, Phase.PEAK, "0.252003", "0.252003"),
    (1, 0, Phase.OFF_PEAK, "0.000000", "0.000002"),
    (3, 0, Phase.OFF_PEAK, "0.000002", "0.000006"),
]


@pytest.mark.parametrize(("tokens_in", "tokens_out", "phase", "cost", "at_peak"), HAND)
def test_a_receipt_worked_out_by_hand(
    tokens_in: int, tokens_out: int, phase: Phase, cost: str, at_peak: str
) -> None:
    assert str(cost_of(tokens_in, tokens_out, phase, PRICES)) == cost
    assert str(cost_of(tokens_in, tokens_out, Phase.PEAK, PRICES)) == at_peak


def receipt(**fields: Any) -> Receipt:
    plain: dict[str, Any] = {
        "dream": "d1",
        "round": RoundName.ATOMIC,
        "ask": 1,
        "at": 0,
        "outcome": Outcome.OK,
        "prompt_chars": 1,
        "answer_chars": 1,
        "tokens_in": 10,
        "tokens_out": 2,
        "tokens_reported": True,
        "duration_ms": 100,
    }
    return Receipt(**plain | fields)


def paid(cost: str | None, peak_cost: str | None, currency: str = "CNY") -> Receipt:
    return receipt(cost=cost, peak_cost=peak_cost, currency=None if cost is None else currency)


def test_nothing_was_spent() -> None:
    sums = spent_on([receipt(counted=False, cost="5", currency="CNY")])
    assert (sums.calls, sums.tokens_in, sums.duration_ms, sums.amounts) == (0, 0, 0, ())


def test_the_table_added_up_by_hand() -> None:
    # 0.018150 + 0.252003 + 0.000000 + 0.000002 = 0.270155
    # 0.072600 + 0.252003 + 0.000002 + 0.000006 = 0.324611, which is 0.054456 more
    sums = spent_on(
        receipt(tokens_in=in_, tokens_out=out, phase=phase, cost=c, peak_cost=p, currency="CNY")
        for in_, out, phase, c, p in HAND
    )
    assert (sums.calls, sums.tokens_in, sums.tokens_out) == (4, 154_504, 5_201)
    assert (sums.duration_ms, sums.estimated, sums.unpriced) == (400, 0, 0)
    assert sums.amounts == (Amount("CNY", Decimal("0.270155"), Decimal("0.324611")),)
    assert sums.amounts[0].saved == Decimal("0.054456")


def test_currencies_stand_side_by_side_and_unknown_is_not_nothing() -> None:
    sums = spent_on(
        [paid("0.1", "0.2"), paid("0.3", None, "USD"), paid("0.4", "0.8"), paid(None, None)]
    )
    assert sums.unpriced == 1
    assert sums.amounts == (
        Amount("CNY", Decimal("0.5"), Decimal("1.0")),
        Amount("USD", Decimal("0.3"), None),
    )
    assert sums.amounts[1].saved is None


def test_one_call_whose_price_at_peak_is_unknown_leaves_no_sum() -> None:
    (amount,) = spent_on([paid("0.1", "0.2"), paid("0.1", None)]).amounts
    assert (amount.cost, amount.at_peak, amount.saved) == (Decimal("0.2"), None, None)


def test_estimates_and_calls_under_way_are_marked() -> None:
    sums = spent_on(
        [
            receipt(tokens_reported=False),
            receipt(outcome=Outcome.ASKED, tokens_out=None, tokens_reported=False),
        ]
    )
    assert (sums.calls, sums.estimated, sums.tokens_in, sums.tokens_out) == (2, 2, 20, 2)
