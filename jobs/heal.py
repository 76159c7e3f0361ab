"""Put dreams back whose worker is gone, and end the model processes it left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.core.errors import FencedError
from memgardend.core.records import Lease
from memgardend.core.retry import backoff_ms
from memgardend.core.words import DreamState
from memgardend.jobs.start import LEASE_MS, run_marker

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memgardend.core.records import Dream
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)


def heal(garden: Garden) -> Sequence[Dream]:
    """Return orphaned dreams to pending (quarantined at the last attempt). Safe to race.

    Never marks anything as done: a healed dream goes on at its first unfinished round.
    """
    healed = garden.store.heal(
        garden.clock.now_ms(),
        garden.is_gone,
        garden.config.dream.max_attempts,
        lambda deaths: backoff_ms(deaths, garden.jitter()),
    )
    for dream in healed:
        ended = garden.end_models(run_marker(dream.id, dream.fence))
        log.warning(
            "dream_healed",
            dream=dream.id,
            window=dream.window,
            state=dream.state,
            deaths=dream.deaths,
            attempts=dream.attempts,
            ended_processes=ended,
        )
    return healed


def own_leases(garden: Garden, dreams: Collection[str]) -> Sequence[Lease]:
    """The leases under which this process runs these dreams; those it lost meanwhile are left out."""
    owner = garden.owner.text()
    running = garden.store.dreams(states=(DreamState.RUNNING,))
    return [
        Lease(dream=one.id, owner=owner, fence=one.fence)
        for one in running
        if one.id in dreams and one.owner == owner
    ]


def renew(garden: Garden, dreams: Collection[str]) -> int:
    """Renew the leases of dreams that this process works on; how many were still ours.

    After the machine slept, or its clock was set, they look ended to `heal`, though their worker lives.
    """
    now = garden.clock.now_ms()
    renewed = 0
    for lease in own_leases(garden, dreams):
        try:
            garden.store.beat(lease, now, now + LEASE_MS)
        except FencedError:  # somebody took it between the two statements: its worker will notice
            continue
        renewed += 1
    return renewed


def let_go(garden: Garden, dreams: Collection[str], reason: str) -> int:
    """Put dreams of this process back, uncounted, and end their models at once; how many there were.

    Their workers are refused at the next write.
    """
    now = garden.clock.now_ms()
    released = 0
    for lease in own_leases(garden, dreams):
        try:
            garden.store.release(lease, now, now, reason)
        except FencedError:
            continue
        garden.end_models(run_marker(lease.dream, lease.fence))
        log.warning("dream_released", dream=lease.dream, reason=reason)
        released += 1
    return released
