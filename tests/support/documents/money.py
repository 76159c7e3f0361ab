"""What was spent."""

from __future__ import annotations

from typing import Any


def spent(**changes: Any) -> dict[str, Any]:
    """Nothing spent, but for what is said."""
    zero = dict.fromkeys(
        ("calls", "tokens_in", "tokens_out", "estimated", "unpriced", "duration_ms"), 0
    )
    return {**zero, "money": []} | changes


def money(**changes: Any) -> dict[str, Any]:
    """What the night saved."""
    usual = {"currency": "CNY", "cost": "3.208000", "at_peak": "6.416000", "saved": "3.208000"}
    return usual | changes


def dollars() -> dict[str, Any]:
    """An amount that the command reported by itself."""
    return {"currency": "USD", "cost": "0.0125", "at_peak": None, "saved": None}
