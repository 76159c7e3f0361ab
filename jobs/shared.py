"""The shared state of a garden: what all its processes know about pause, budget and breaker."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.config.zones import zone
from memgardend.core.budget import Limits
from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.gates import GateSettings, SharedState
from memgardend.core.retry import Breaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.config.model import Config
    from memgardend.core.ports import Store

BREAKER_KEY = "breaker"
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


def limits_of(config: Config) -> Limits:
    """What the budget allows the model that dreams; nothing is limited for our own."""
    in_zone = zone(config.dream.time_zone)
    if config.dreaming_model.offline:
        return Limits(zone=in_zone)
    budget = config.budget
    return Limits(
        zone=in_zone,
        calls_per_hour=budget.calls_per_hour,
        calls_per_day=budget.calls_per_day,
        tokens_per_day=budget.tokens_per_day,
        money_per_day=budget.money_per_day,
        currency=config.dreaming_model.prices.currency,
    )


def shared_state(store: Store, config: Config, at: int) -> SharedState:
    """Pause, budget, breaker and the usual length of a dream, from the store, for judging at an instant."""
    paused = store.state(PAUSED_KEY)
    limits = limits_of(config)
    return SharedState(
        paused=paused is not None,
        paused_until=json.loads(paused)["until"] if paused else None,
        breaker=read_breaker(store),
        budget=store.spending(limits, at) if limits.any else None,
        p90_ms=store.p90_duration_ms() if config.dream.avoid_crossing else None,
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
