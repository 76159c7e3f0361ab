"""Dream all that is due, oldest first, as long as a slot is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from memgardend.core.words import Ending, WindowKind
from memgardend.jobs.dream import run_dream
from memgardend.jobs.start import claim, judge_window

if TYPE_CHECKING:
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
    try in the same sweep, so that it cannot starve the others.
    """
    report = SweepReport()
    tried: set[str] = set()
    while not report.slots_full:
        dream_id = _next(garden, tried)
        if dream_id is None:
            break
        ended = run_dream(garden, dream_id)
        if ended.ending in (Ending.APPLIED, Ending.EMPTY):
            tried.discard(ended.window)
        report.dreams.append(ended)
        report.slots_full = ended.slots_full
    log.info("sweep_ended", dreams=len(report.dreams), slots_full=report.slots_full)
    return report


def _next(garden: Garden, tried: set[str]) -> str | None:
    """The next dream to run: an open one first, else the oldest due window, claimed."""
    for dream in garden.store.startable(garden.clock.now_ms()):
        if dream.window not in tried:
            tried.add(dream.window)
            return dream.id
    waiting = [
        facts
        for facts in garden.store.window_facts()
        if facts.new_events and facts.open_dream is None and facts.window.id not in tried
    ]
    for facts in sorted(waiting, key=lambda one: (one.oldest_new_at or 0, one.window.id)):
        if facts.window.kind != WindowKind.MAIN:
            continue
        verdict = judge_window(garden, facts)
        if not verdict.may:
            continue
        tried.add(facts.window.id)
        dream_id = claim(garden, facts, verdict)
        if dream_id is not None:
            return dream_id
    return None
