"""The small shared state of a store: its keys, and the JSON under each. Times are epoch milliseconds, UTC.

| key | JSON | written by |
|---|---|---|
| `breaker` | core.retry.Breaker | every dream that asked the model |
| `paused` | {"until": ms or null} | pause and resume |
| `budget` | {"until": ms or null, "note": text}, while a limit is reached | the bookkeeping of receipts |
| `daemon` | {"pid", "host", "started_at", "last_tick_at"} | the resident daemon |
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgardend.core.gates import SharedState
from memgardend.core.retry import Breaker

if TYPE_CHECKING:
    from memgardend.core.ports import Store

BREAKER = "breaker"
PAUSED = "paused"
BUDGET = "budget"
DAEMON = "daemon"


def shared_state(store: Store) -> SharedState:
    """What all windows share when their gates are judged."""
    paused = read_state(store, PAUSED)
    budget = read_state(store, BUDGET) or {}
    breaker = store.state(BREAKER)
    return SharedState(
        paused=paused is not None,
        paused_until=(paused or {}).get("until"),
        breaker=Breaker.from_json(breaker) if breaker else Breaker(),
        budget_until=budget.get("until"),
        budget_note=str(budget.get("note", "")),
        p90_ms=store.p90_duration_ms(),
    )


def read_state(store: Store, key: str) -> dict[str, Any] | None:
    """The JSON object under a key; None when the key is absent."""
    text = store.state(key)
    if text is None:
        return None
    value: dict[str, Any] = json.loads(text)
    return value
