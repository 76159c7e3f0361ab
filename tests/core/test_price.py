"""What a call cost, and about how many tokens a text takes."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.price import TokenPrice, cost_of, estimate_tokens
from memgardend.core.words import Phase

PRICES = {
    Phase.PEAK: TokenPrice(Decimal("2"), Decimal("8")),
    Phase.OFF_PEAK: TokenPrice(Decimal("1"), Decimal("4")),
}

COSTS: dict[str, tuple[int | None, int | None, Phase, str | None]] = {
    "peak": (1_000_000, 500_000, Phase.PEAK, "6.000000"),
    "off peak": (1_000_000, 500_000, Phase.OFF_PEAK, "3.000000"),
    "a little": (1, 0, Phase.OFF_PEAK, "0.000001"),
    "nothing used is known to cost nothing": (0, 0, Phase.PEAK, "0.000000"),
    "tokens in unknown": (None, 5, Phase.PEAK, None),
    "tokens out unknown": (5, None, Phase.PEAK, None),
}


@pytest.mark.parametrize("name", COSTS)
def test_cost(name: str) -> None:
    tokens_in, tokens_out, phase, expected = COSTS[name]

    cost = cost_of(tokens_in, tokens_out, phase, PRICES)

    assert (None if cost is None else str(cost)) == expected


def test_a_phase_without_a_price_has_no_cost() -> None:
    assert cost_of(1, 1, Phase.PEAK, {Phase.OFF_PEAK: PRICES[Phase.OFF_PEAK]}) is None


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_peak_costs_twice(tokens_in: int, tokens_out: int) -> None:
    peak = cost_of(tokens_in, tokens_out, Phase.PEAK, PRICES)
    off_peak = cost_of(tokens_in, tokens_out, Phase.OFF_PEAK, PRICES)

    assert peak is not None
    assert off_peak is not None
    assert peak == 2 * off_peak


ESTIMATES = {
    "nothing": ("", 0),
    "one character": ("a", 1),
    "English": ("a" * 100, 30),
    "Chinese": ("好" * 100, 60),
    "both": ("a" * 10 + "好" * 10, 9),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_estimate(name: str) -> None:
    text, tokens = ESTIMATES[name]
    assert estimate_tokens(text) == tokens
