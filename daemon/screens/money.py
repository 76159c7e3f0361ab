"""What was spent, for a person: calls, tokens, money and what the hour saved."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from memgardend.daemon.screens.text import many
from memgardend.daemon.screens.times import span

UNKNOWN = "unknown"


def spent_text(spent: dict[str, Any]) -> str:
    """`3 calls in 2 min, about 41,000 + 900 tokens, 0.12 CNY, 0.12 CNY less than at peak`."""
    if not spent["calls"]:
        return "nothing"
    guess = "about " if spent["estimated"] else ""
    cost = cost_text(spent)
    parts = [
        f"{many(spent['calls'], 'call')} in {span(spent['duration_ms'])}",
        f"{guess}{spent['tokens_in']:,} + {spent['tokens_out']:,} tokens",
        f"cost {UNKNOWN}" if cost == UNKNOWN else cost,
    ]
    parts += [
        f"{amount(one['saved'])} {one['currency']} less than at peak"
        for one in spent["money"]
        if one["saved"] is not None and Decimal(one["saved"]) > 0
    ]
    return ", ".join(parts)


def cost_text(spent: dict[str, Any]) -> str:
    """`0.12 CNY`, `unknown`, or both: currencies stand side by side. `-` where nothing was spent."""
    if not spent["calls"]:
        return "-"
    sums = [f"{amount(one['cost'])} {one['currency']}" for one in spent["money"]]
    if spent["unpriced"]:
        sums.append(f"{UNKNOWN} cost of {many(spent['unpriced'], 'call')}" if sums else UNKNOWN)
    return " + ".join(sums)


def receipt_cost(receipt: dict[str, Any]) -> str:
    """The cost of one call, and what it would have been at peak where that is more."""
    if not receipt["counted"]:
        return "costs nothing"
    cost, at_peak = receipt["cost"], receipt["peak_cost"]
    if cost is None:
        return f"cost {UNKNOWN}"
    text = f"{amount(cost)} {receipt['currency']}"
    if at_peak is None or Decimal(at_peak) == Decimal(cost):
        return text
    return f"{text}, at peak {amount(at_peak)}"


def amount(text: str) -> str:
    """Money without zeros at its end, but with cents."""
    whole, _, part = f"{Decimal(text):f}".partition(".")
    return f"{whole}.{part.rstrip('0').ljust(2, '0')}"
