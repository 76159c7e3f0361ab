"""Start a dream of the window in which somebody asks for it; a daemon dreams it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError
from memgardend.core.tools.problems import Problem
from memgardend.core.tools.values import DreamAnswer, DreamStart
from memgardend.core.words import DreamState
from memgardend.jobs.start import claim, judge_window

if TYPE_CHECKING:
    from memgardend.core.records import Dream, WindowFacts
    from memgardend.jobs.tools.context import ToolContext


def dream(context: ToolContext) -> DreamAnswer:
    """Claim a dream of the window, past idle time, skip and peak, and wake the daemon for it.

    One that waits for its turn is woken again. Raises UsageError outside of any window.
    """
    window = context.window
    if window is None:
        raise UsageError(
            "only in a conversation: no window was named",
            hint="memgardend dream --due",
            label=Problem.NO_WINDOW,
        )
    facts = context.garden.store.window_facts(window)
    if not facts:
        return DreamAnswer(start=DreamStart.UNKNOWN, window=window)
    waiting = facts[0].open_dream
    if waiting is not None and waiting.state is DreamState.RUNNING:
        return DreamAnswer(
            start=DreamStart.RUNNING,
            window=window,
            dream=waiting.id,
            since=waiting.started_at,
        )
    claimed = _claimed(context, facts[0], waiting)
    if not isinstance(claimed, str):
        return claimed
    woken = DreamStart.QUEUED if context.wake() else DreamStart.WAITING
    return DreamAnswer(start=woken, window=window, dream=claimed)


def _claimed(context: ToolContext, facts: WindowFacts, waiting: Dream | None) -> str | DreamAnswer:
    """The pending dream, an old one or a new one; or why there is none."""
    if waiting is not None and waiting.may_start(context.garden.clock.now_ms()):
        return waiting.id
    held = DreamAnswer(
        start=DreamStart.HELD, window=facts.window.id, reason="it changed at this moment"
    )
    verdict = judge_window(context.garden, facts, manual=True)
    if not verdict.may:
        gate = verdict.holds[0]
        reason = f"{gate.name}: {gate.reason}"
        return replace(held, reason=reason, gate=gate.name, until=gate.until)
    return claim(context.garden, facts, verdict, manual=True) or held
