"""The shared state of a garden: what all its processes know about pause, budget and breaker."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.gates import GateSettings, SharedState
from memgardend.core.retry import Breaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.config.model import Config
    from memgardend.core.ports import Store

BREAKER_KEY = "breaker"
BUDGET_KEY = "budget"  # {"until": ms, "note": text}
DAEMON_KEY = "daemon"  # {"pid", "host", "started_at", "last_tick_at"}
PAUSED_KEY = "paused"  # {"until": ms or null}


def gate_settings(config: Config) -> GateSettings:
    """The gates' part of the settings, in milliseconds."""
    dream = config.dream
    return GateSettings(
        idle_ms=dream.idle_minutes * MINUTE_MS,
        enabled=dream.enabled,
        max_wait_ms=None if dream.max_wait_hours is None else int(dream.max_wait_hours * HOUR_MS),
        avoid_crossing=dream.avoid_crossing,
    )


def shared_state(store: Store) -> SharedState:
    """Read pause, budget, breaker and the usual length of a dream from the store."""
    paused = store.state(PAUSED_KEY)
    budget = json.loads(store.state(BUDGET_KEY) or "{}")
    return SharedState(
        paused=paused is not None,
        paused_until=json.loads(paused)["until"] if paused else None,
        breaker=read_breaker(store),
        budget_until=budget.get("until"),
        budget_note=budget.get("note", ""),
        p90_ms=store.p90_duration_ms(),
    )


def read_breaker(store: Store) -> Breaker:
    """The breaker as stored; a closed one when there is none."""
    text = store.state(BREAKER_KEY)
    return Breaker.from_json(text) if text else Breaker()


def change_breaker(store: Store, change: Callable[[Breaker], Breaker]) -> Breaker:
    """Apply a pure change to the stored breaker; compare-and-set until it holds."""
    while True:
        before = store.state(BREAKER_KEY)
        after = change(Breaker.from_json(before) if before else Breaker())
        text = after.to_json()
        if text == before or store.set_state(BREAKER_KEY, before, text):
            return after
