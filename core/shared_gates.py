"""The rules of the gates that are the same for all windows of a store: peak, budget, breaker and pause."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS
from memgardend.core.gate_case import Finding, always, never, open_from
from memgardend.core.gate_words import count, duration

if TYPE_CHECKING:
    from memgardend.core.gate_case import Case
    from memgardend.core.suppression import Suppression

CROSSING_HORIZON_MS = 15 * DAY_MS
"""How far to look for a stretch between peaks that is long enough: the windows of a week leave every gap twice."""


def peak(case: Case, now: int) -> Finding:
    """No dream starts in a peak or shortly before it, nor, if so set, one that would run into a peak."""
    suppression = case.suppression
    p90_ms = case.state.p90_ms if case.settings.avoid_crossing else None
    want = "off-peak" if p90_ms is None else f"off-peak for {duration(p90_ms)}"

    def opens(at: int) -> int | None:
        return _clear_of_peaks(suppression, at, p90_ms or 0)

    if suppression.never_allows and suppression.suppressed(now):
        reason = "the suppress windows and their lead leave no free instant"
        return Finding(opens, "suppressed", want, reason)
    if suppression.in_peak(now):
        return Finding(opens, "peak", want, "peak hours", suppression.suppressed_since(now))
    if suppression.suppressed(now):
        since = suppression.suppressed_since(now)
        return Finding(opens, "before a peak", want, "a peak is about to start", since)
    return Finding(opens, "off-peak", want, "it would run into the next peak")


def budget(case: Case, now: int) -> Finding:
    """Calls, tokens and money have limits."""
    spending = case.state.budget
    if spending is None:
        return Finding(always, "no limit", "below the limits")
    return Finding(spending.opens, spending.text(now), "below the limits", "the budget is spent")


def breaker(case: Case, now: int) -> Finding:
    """A model command that fails as a whole is left alone for a while."""
    breaker = case.state.breaker
    reason = "the model command does not work"
    if breaker.probe is not None:
        reason = "another dream tries whether the model command works again"
    free = breaker.may(now, case.ignored_dream)
    opens = always if free else open_from(breaker.open_until or 0)
    return Finding(opens, f"{count(breaker.failures, 'failure')} in a row", "closed", reason)


def paused(case: Case, now: int) -> Finding:
    """A person paused all dreams, or turned the automatic ones off."""
    state = case.state
    if not case.settings.enabled and not case.manual:
        return Finding(never, "dream.enabled: false", "no", "dream.enabled is false")
    if state.paused and state.paused_until is None:
        return Finding(never, "yes", "no", "paused until `resume`")
    if state.paused:
        return Finding(open_from(state.paused_until or 0), "yes", "no", "paused")
    return Finding(always, "no", "no")


@lru_cache(maxsize=1024)
def _clear_of_peaks(suppression: Suppression, at: int, length_ms: int) -> int | None:
    """The earliest allowed instant after which no peak starts for `length_ms`; the lead may be run into.

    Kept, because all windows of a store ask for the same instant.
    """
    horizon = at + CROSSING_HORIZON_MS
    while (allowed := suppression.next_allowed(at)) is not None:
        following = suppression.next_peak(allowed) if length_ms else None
        if following is None or allowed + length_ms <= following[0]:
            return allowed
        at = following[1]
        if at > horizon:
            return None
    return None
