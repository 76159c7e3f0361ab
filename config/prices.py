"""The prices of memgarden.yaml as the rules want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.price import TokenPrice
from memgardend.core.words import Phase

if TYPE_CHECKING:
    from memgardend.config.model import Prices


def token_prices(prices: Prices) -> dict[Phase, TokenPrice]:
    """Money per million tokens by phase; phases without a price are left out."""
    rates = {Phase.PEAK: prices.peak, Phase.OFF_PEAK: prices.off_peak}
    return {phase: TokenPrice(rate.input, rate.output) for phase, rate in rates.items() if rate}
