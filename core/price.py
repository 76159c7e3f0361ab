"""What a model call cost, and how many tokens it took where the command does not say."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.words import Phase

MILLION = Decimal(1_000_000)
_SMALLEST = Decimal("0.000001")

# Tokens a character, of DeepSeek's "Token & Token Usage" page: 0.3 for English, 0.6 for Chinese.
_TOKENS_PER_CHAR = Decimal("0.3")
_TOKENS_PER_WIDE_CHAR = Decimal("0.6")
_FIRST_WIDE_CHAR = "\u2e80"  # CJK Radicals Supplement, the first of the East Asian blocks


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Money for a million tokens in and out."""

    tokens_in: Decimal
    tokens_out: Decimal


def cost_of(
    tokens_in: int | None,
    tokens_out: int | None,
    phase: Phase,
    prices: Mapping[Phase, TokenPrice],
) -> Decimal | None:
    """The cost of one call, to a millionth; None when a count or the price of the phase is unknown."""
    price = prices.get(phase)
    if price is None or tokens_in is None or tokens_out is None:
        return None
    cost = (tokens_in * price.tokens_in + tokens_out * price.tokens_out) / MILLION
    return cost.quantize(_SMALLEST, rounding=ROUND_HALF_EVEN)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes; at least 1 for any text that is not empty."""
    wide = sum(char >= _FIRST_WIDE_CHAR for char in text)
    tokens = (len(text) - wide) * _TOKENS_PER_CHAR + wide * _TOKENS_PER_WIDE_CHAR
    return max(int(tokens), 1) if text else 0
