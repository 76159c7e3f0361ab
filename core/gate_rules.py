"""The rule behind each gate: what was found, and from when on it is open."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS, HOUR_MS, MINUTE_MS
from memgardend.core.gate_case import Finding
from memgardend.core.words import DreamState, GateName, WindowKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.gate_case import Case, GateSettings, Opening
    from memgardend.core.records import Window, WindowFacts
    from memgardend.core.suppression import Suppression

CLOCK_ERROR_MS = DAY_MS
"""Activity further ahead than this was stamped by a clock that was wrong; it does not hold a window."""

CROSSING_HORIZON_MS = 15 * DAY_MS
"""How far to look for a stretch between peaks that is long enough: the windows of a week leave every gap twice."""


def kind(case: Case, now: int) -> Finding:
    """Only main windows dream."""
    found = case.facts.window.kind
    return Finding(
        _open_if(found is WindowKind.MAIN),
        found.value,
        WindowKind.MAIN.value,
        "sub-agents do not dream" if found is WindowKind.SUBAGENT else "our own runs do not dream",
    )


def archived(case: Case, now: int) -> Finding:
    """The agent's archived windows do not dream."""
    shut = case.facts.window.archived
    return Finding(_open_if(not shut), _yes_no(shut), "no", "the window is archived")


def skipped(case: Case, now: int) -> Finding:
    """A person said that this window is not to be dreamed."""
    shut = case.facts.window.skip
    return Finding(_open_if(not shut), _yes_no(shut), "no", "skipped until `unskip`")


def nothing_new(case: Case, now: int) -> Finding:
    """Something must have been said after the watermark."""
    count = case.facts.new_events
    reason = "nothing was said yet"
    if is_old(case.facts.window):
        reason = "nothing was said since this workspace was first read"
    elif was_dreamed(case.facts):
        reason = "nothing was said since the last dream"
    return Finding(_open_if(count > 0), f"{count} new", "1 new or more", reason)


def was_dreamed(facts: WindowFacts) -> bool:
    """True for a window of which a dream was shown something, or that had nothing left to show."""
    window = facts.window
    return window.dreamed_seq != (window.baseline or 0) or facts.ended


def old(case: Case, now: int) -> Finding:
    """What ended before the workspace was first read waits for `dream --backlog`, or for new speech."""
    shut = is_old(case.facts.window)
    return Finding(
        _open_if(not shut),
        _yes_no(shut),
        "no",
        "it ended before this workspace was first read; new speech or `dream --backlog` wakes it",
    )


def is_old(window: Window) -> bool:
    """True for a window in which nothing was said since before the workspace was first read."""
    return window.baseline is not None and (
        max(window.last_speech_seq, window.dreamed_seq) <= window.baseline
    )


def active(case: Case, now: int) -> Finding:
    """A window must have gone quiet, or waited for too long."""
    settings, window = case.settings, case.facts.window
    want = f"{duration(settings.idle_ms)} quiet"
    if settings.max_wait_ms is not None:
        want += f", or news {duration(settings.max_wait_ms)} old"
    last = window.last_event_at
    if last is None:
        return Finding(_always, "no activity", want)
    quiet_at = last + settings.idle_ms
    waited_at = _waited_at(case.facts, settings)

    def opens(at: int) -> int:
        if last - at > CLOCK_ERROR_MS:
            return at
        return max(at, quiet_at if waited_at is None else min(quiet_at, waited_at))

    value = f"{duration(max(0, now - last))} quiet"
    if last - now > CLOCK_ERROR_MS:
        value = f"last active {duration(last - now)} ahead of the clock"
    elif waited_too_long(case.facts, now, settings):
        value += f", news {duration(now - (case.facts.oldest_new_at or now))} old"
    return Finding(opens, value, want, "the conversation has not gone quiet", last)


def waited_too_long(facts: WindowFacts, now: int, settings: GateSettings) -> bool:
    """True when only `max_wait_hours` opens the gate `active`: the dream then stops at the last pause."""
    last, waited_at = facts.window.last_event_at, _waited_at(facts, settings)
    if last is None or waited_at is None or last - now > CLOCK_ERROR_MS:
        return False
    return waited_at <= now < last + settings.idle_ms


def quarantined(case: Case, now: int) -> Finding:
    """A dream that failed too often waits for a person, or for new speech."""
    dream = case.facts.open_dream
    want = "no quarantined dream"
    if dream is None or dream.state is not DreamState.QUARANTINED:
        return Finding(_always, "no", want)
    reason = f"gave up after {_count(dream.attempts, 'attempt')}: new speech or `retry` ends it"
    return Finding(_never, dream.reason or "yes", want, reason, dream.finished_at)


def backoff(case: Case, now: int) -> Finding:
    """A failed dream waits before it tries again."""
    dream = case.open_dream()
    want = "no failed dream that waits"
    if dream is None or dream.state is not DreamState.FAILED:
        return Finding(_always, "no", want)
    return Finding(
        _from(dream.next_attempt_at or 0),
        f"failed {_count(dream.failures, 'time')}",
        want,
        dream.reason or "the last attempt failed",
    )


def claimed(case: Case, now: int) -> Finding:
    """Somebody works on this window until the lease ends, or a pending dream waits for its instant."""
    dream = case.open_dream()
    want = "no dream under way"
    if dream is not None and dream.state is DreamState.RUNNING:
        return Finding(
            _from(dream.lease_until or 0), "running", want, "a dream is running", dream.started_at
        )
    if dream is not None and dream.state is DreamState.PENDING:
        reason = dream.reason or "the dream waits for its instant"
        return Finding(_from(dream.next_attempt_at or 0), "pending", want, reason)
    return Finding(_always, "no", want)


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
        return Finding(_always, "no limit", "below the limits")
    return Finding(spending.opens, spending.text(now), "below the limits", "the budget is spent")


def breaker(case: Case, now: int) -> Finding:
    """A model command that fails as a whole is left alone for a while."""
    breaker = case.state.breaker
    reason = "the model command does not work"
    if breaker.probe is not None:
        reason = "another dream tries whether the model command works again"
    free = breaker.may(now, case.ignored_dream)
    opens = _always if free else _from(breaker.open_until or 0)
    return Finding(opens, f"{_count(breaker.failures, 'failure')} in a row", "closed", reason)


def paused(case: Case, now: int) -> Finding:
    """A person paused all dreams, or turned the automatic ones off."""
    state = case.state
    if not case.settings.enabled and not case.manual:
        return Finding(_never, "dream.enabled: false", "no", "dream.enabled is false")
    if state.paused and state.paused_until is None:
        return Finding(_never, "yes", "no", "paused until `resume`")
    if state.paused:
        return Finding(_from(state.paused_until or 0), "yes", "no", "paused")
    return Finding(_always, "no", "no")


RULES: dict[GateName, Callable[[Case, int], Finding]] = {
    GateName.KIND: kind,
    GateName.ARCHIVED: archived,
    GateName.SKIPPED: skipped,
    GateName.NOTHING_NEW: nothing_new,
    GateName.OLD: old,
    GateName.ACTIVE: active,
    GateName.QUARANTINED: quarantined,
    GateName.BACKOFF: backoff,
    GateName.CLAIMED: claimed,
    GateName.PEAK: peak,
    GateName.BUDGET: budget,
    GateName.BREAKER: breaker,
    GateName.PAUSED: paused,
}
"""In the order of DESIGN section 4."""


def _always(at: int) -> int:
    return at


def _never(at: int) -> None:
    return None


def _open_if(condition: bool) -> Opening:
    return _always if condition else _never


def _from(instant: int) -> Opening:
    return lambda at: max(at, instant)


def _waited_at(facts: WindowFacts, settings: GateSettings) -> int | None:
    """When the oldest news will have waited for too long."""
    if settings.max_wait_ms is None or facts.oldest_new_at is None:
        return None
    return facts.oldest_new_at + settings.max_wait_ms


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


def _yes_no(condition: bool) -> str:
    return "yes" if condition else "no"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def duration(milliseconds: int) -> str:
    """A duration for a person, in its largest fitting unit, rounded down: `42 min`, `3 h`, `2 d`."""
    for unit_ms, unit in ((DAY_MS, "d"), (HOUR_MS, "h"), (MINUTE_MS, "min")):
        if milliseconds >= 2 * unit_ms or (unit == "min" and milliseconds >= unit_ms):
            return f"{milliseconds // unit_ms} {unit}"
    return f"{milliseconds // 1000} s"
