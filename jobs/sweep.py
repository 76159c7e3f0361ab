"""Dream all that is due, oldest first, as long as a slot is free."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import MINUTE_MS
from memgardend.core.gate_rules import CLOCK_ERROR_MS
from memgardend.core.words import Ending
from memgardend.jobs.dream import run_dream
from memgardend.jobs.planning import require_prompts
from memgardend.jobs.start import claim, judge_window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.jobs.context import DreamReport, Garden

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class SweepReport:
    """What one sweep did, dream by dream."""

    dreams: list[DreamReport] = field(default_factory=list)
    slots_full: bool = False


def sweep(garden: Garden) -> SweepReport:
    """Go on with open dreams whose instant has come, then claim due windows; until nothing is left.

    A window that a dream had to cut is due again at once. One whose dream did not end well gets no second
    try in the same sweep, so that it cannot starve the others. Raises ConfigError where prompts are missing.
    """
    require_prompts(garden)
    report = SweepReport()
    tried: set[str] = set()
    queue: deque[str] = deque()
    while not report.slots_full:
        dream_id = _open_dream(garden, tried) or _claimed(garden, tried, queue)
        if dream_id is None:
            break
        ended = run_dream(garden, dream_id)
        if ended.ending in (Ending.APPLIED, Ending.EMPTY):
            tried.discard(ended.window)
        report.dreams.append(ended)
        report.slots_full = ended.slots_full
    log.info("sweep_ended", dreams=len(report.dreams), slots_full=report.slots_full)
    return report


def _open_dream(garden: Garden, tried: set[str]) -> str | None:
    """The oldest pending or failed dream whose instant has come."""
    for dream in garden.store.startable(garden.clock.now_ms()):
        if dream.window not in tried:
            tried.add(dream.window)
            return dream.id
    return None


def _claimed(garden: Garden, tried: set[str], queue: deque[str]) -> str | None:
    """Claim the due window that has waited longest. The queue is read anew when it is used up."""
    while True:
        if not queue:
            queue.extend(one for one in quiet_windows(garden) if one not in tried)
        if not queue:
            return None
        window = queue.popleft()
        if window in tried:
            continue
        tried.add(window)
        facts = garden.store.window_facts(window)[0]
        verdict = judge_window(garden, facts)
        dream_id = claim(garden, facts, verdict) if verdict.may and not facts.open_dream else None
        if dream_id is not None:
            return dream_id


def quiet_windows(garden: Garden) -> Sequence[str]:
    """Windows with news that the gate `active` would let pass; all with news where waiting has a limit."""
    if garden.config.dream.max_wait_hours is not None:
        return garden.store.windows_with_news()
    now = garden.clock.now_ms()
    idle_ms = garden.config.dream.idle_minutes * MINUTE_MS
    return garden.store.windows_with_news(now - idle_ms, now + CLOCK_ERROR_MS)
