"""Dream one window because a person asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import BusyError
from memgardend.jobs.dream import run_dream
from memgardend.jobs.planning import require_prompts
from memgardend.jobs.start import claim, judge_window

if TYPE_CHECKING:
    from memgardend.core.records import WindowFacts
    from memgardend.jobs.context import DreamReport, Garden


def dream_window(garden: Garden, window_id: str) -> DreamReport:
    """Dream the window now, past idle time, skip and peak; an open dream that may go on goes on instead.

    Raises BusyError, naming the gate, when another gate is shut or another process was faster, and
    ConfigError where prompts are missing.
    """
    require_prompts(garden)
    facts = garden.store.window_facts(window_id)[0]
    waiting = facts.open_dream
    if waiting is not None and waiting.may_start(garden.clock.now_ms()):
        return run_dream(garden, waiting.id)
    return run_dream(garden, _claim(garden, facts))


def _claim(garden: Garden, facts: WindowFacts) -> str:
    verdict = judge_window(garden, facts, manual=True)
    why = f"memgardend why {facts.window.id}"
    if not verdict.may:
        gate = verdict.holds[0]
        raise BusyError(
            f"{facts.window.id} may not dream now, {gate.name}: {gate.reason}", hint=why
        )
    dream_id = claim(garden, facts, verdict, manual=True)
    if dream_id is None:
        raise BusyError(f"{facts.window.id} changed at this moment", hint=why)
    return dream_id
