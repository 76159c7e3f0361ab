"""From a window that may dream to a dream that runs: judge, claim, judge again, start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import MINUTE_MS
from memgardend.core.gates import Verdict, judge
from memgardend.core.records import Lease
from memgardend.core.words import DreamState, Ending, GateName
from memgardend.jobs.shared import change_breaker, gate_settings, shared_state

if TYPE_CHECKING:
    from memgardend.core.records import Dream, WindowFacts
    from memgardend.core.retry import Breaker
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

LEASE_MS = 120_000
BEAT_MS = 30_000


@dataclass(frozen=True, slots=True)
class Started:
    """A dream that runs here, and the lease that every write must name."""

    dream: Dream
    lease: Lease
    facts: WindowFacts
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Why a dream did not start; its row waits for the next free worker unless cancelled."""

    window: str
    ending: Ending
    reason: str
    slots_full: bool = False


def run_marker(dream_id: str, fence: int) -> str:
    """Names one run of a dream: in the environment of its model processes and in its prompts."""
    return f"{dream_id}.{fence}"


def judge_window(
    garden: Garden, facts: WindowFacts, *, manual: bool = False, starting: str | None = None
) -> Verdict:
    """All gates of a window now. `starting` names a dream that must not hold up itself."""
    now = garden.clock.now_ms()
    return judge(
        facts,
        now,
        gate_settings(garden.config),
        shared_state(garden.store, garden.config, now),
        garden.suppression,
        manual=manual,
        ignore_open_dream=starting,
    )


def claim(
    garden: Garden, facts: WindowFacts, verdict: Verdict, *, manual: bool = False
) -> str | None:
    """Insert a pending dream for the window as it was judged; None when it changed meanwhile."""
    dream_id = garden.ids.new()
    overrode = [str(gate) for gate in verdict.overrode]
    claimed = garden.store.claim(
        facts.window.id,
        facts.window.rev,
        dream_id,
        garden.clock.now_ms(),
        manual=manual,
        overrode=overrode,
    )
    if not claimed:
        return None
    log.info("dream_claimed", dream=dream_id, window=facts.window.id, overrode=overrode)
    return dream_id


def start(garden: Garden, dream_id: str) -> Started | NotStarted:
    """Judge all gates again and start the dream, if a slot is free."""
    dream = garden.store.dream(dream_id)
    if dream is None:
        return NotStarted("", Ending.NOT_STARTED, f"no dream {dream_id}")
    if dream.state not in (DreamState.PENDING, DreamState.FAILED):
        return NotStarted(dream.window, Ending.NOT_STARTED, "taken by another worker")
    facts = garden.store.window_facts(dream.window)[0]
    verdict = judge_window(garden, facts, manual=dream.manual, starting=dream_id)
    if not verdict.may:
        return _held(garden, dream, verdict)
    if not take_probe(garden, dream_id):
        return NotStarted(dream.window, Ending.HELD, "breaker: another dream tries the model")
    now = garden.clock.now_ms()
    started = garden.store.start(
        dream_id,
        facts.window.rev,
        garden.owner,
        now,
        now + LEASE_MS,
        garden.config.dream.max_concurrent,
    )
    if started is None:
        give_probe_back(garden, dream_id)
        running = garden.store.dreams(states=(DreamState.RUNNING,))
        full = len(running) >= garden.config.dream.max_concurrent
        reason = "no free slot" if full else "taken by another worker"
        return NotStarted(dream.window, Ending.NOT_STARTED, reason, slots_full=full)
    garden.failpoints.hit("start.after")
    lease = Lease(dream=started.id, owner=garden.owner.text(), fence=started.fence)
    return Started(started, lease, facts, verdict)


def _held(garden: Garden, dream: Dream, verdict: Verdict) -> NotStarted:
    """A gate shut after the claim. A window that has nothing new any more needs no dream."""
    holds = verdict.holds
    reason = f"{holds[0].name}: {holds[0].reason}"
    if any(gate.name == GateName.NOTHING_NEW for gate in holds) and garden.store.cancel(
        dream.id, garden.clock.now_ms(), GateName.NOTHING_NEW
    ):
        return NotStarted(dream.window, Ending.CANCELLED, GateName.NOTHING_NEW)
    return NotStarted(dream.window, Ending.HELD, reason)


def take_probe(garden: Garden, who: str) -> bool:
    """Half-open breaker: exactly one dream, or judgement, may try the model again, for as long as one call may
    take; `who` names it."""
    now = garden.clock.now_ms()
    until = now + LEASE_MS + int(garden.model_settings.timeout_minutes * MINUTE_MS)

    def take(breaker: Breaker) -> Breaker:
        return breaker.take_probe(who, until) if breaker.half_open(now) else breaker

    return change_breaker(garden.store, take).may(now, who)


def give_probe_back(garden: Garden, who: str) -> None:
    """Let another one try."""
    now = garden.clock.now_ms()
    change_breaker(
        garden.store,
        lambda breaker: (
            replace(breaker, probe=None, open_until=now) if breaker.probe == who else breaker
        ),
    )
