"""The rule behind each gate of a window: what was found, and from when on it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS
from memgardend.core.gate_case import Finding, always, never, open_from, open_if
from memgardend.core.gate_words import count, duration, yes_no
from memgardend.core.shared_gates import breaker, budget, paused, peak
from memgardend.core.words import DreamState, GateName, WindowKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.gate_case import Case, GateSettings
    from memgardend.core.records import Window, WindowFacts

CLOCK_ERROR_MS = DAY_MS
"""Activity further ahead than this was stamped by a clock that was wrong; it does not hold a window."""


def kind(case: Case, now: int) -> Finding:
    """Only main windows dream."""
    found = case.facts.window.kind
    return Finding(
        open_if(found is WindowKind.MAIN),
        found.value,
        WindowKind.MAIN.value,
        "sub-agents do not dream" if found is WindowKind.SUBAGENT else "our own runs do not dream",
    )


def archived(case: Case, now: int) -> Finding:
    """The agent's archived windows do not dream."""
    shut = case.facts.window.archived
    return Finding(open_if(not shut), yes_no(shut), "no", "the window is archived")


def skipped(case: Case, now: int) -> Finding:
    """A person said that this window is not to be dreamed."""
    shut = case.facts.window.skip
    return Finding(open_if(not shut), yes_no(shut), "no", "skipped until `unskip`")


def nothing_new(case: Case, now: int) -> Finding:
    """Something must have been said after the watermark."""
    new = case.facts.new_events
    reason = "nothing was said yet"
    if is_old(case.facts.window):
        reason = "nothing was said since this workspace was first read"
    elif was_dreamed(case.facts):
        reason = "nothing was said since the last dream"
    return Finding(open_if(new > 0), f"{new} new", "1 new or more", reason)


def was_dreamed(facts: WindowFacts) -> bool:
    """True for a window of which a dream was shown something, or that had nothing left to show."""
    window = facts.window
    return window.dreamed_seq != (window.baseline or 0) or facts.ended


def old(case: Case, now: int) -> Finding:
    """What ended before the workspace was first read waits for `dream --backlog`, or for new speech."""
    shut = is_old(case.facts.window)
    return Finding(
        open_if(not shut),
        yes_no(shut),
        "no",
        "it ended before this workspace was first read",
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
        return Finding(always, "no activity", want)
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
        return Finding(always, "no", want)
    reason = f"gave up after {count(dream.attempts, 'attempt')}"
    return Finding(never, dream.reason or "yes", want, reason, dream.finished_at)


def backoff(case: Case, now: int) -> Finding:
    """A failed dream waits before it tries again."""
    dream = case.open_dream()
    want = "no failed dream that waits"
    if dream is None or dream.state is not DreamState.FAILED:
        return Finding(always, "no", want)
    return Finding(
        open_from(dream.next_attempt_at or 0),
        f"failed {count(dream.failures, 'time')}",
        want,
        f"it failed{_in_brackets(dream.reason)}",
    )


def claimed(case: Case, now: int) -> Finding:
    """Somebody works on this window until the lease ends, or a pending dream waits for its instant."""
    dream = case.open_dream()
    want = "no dream under way"
    if dream is not None and dream.state is DreamState.RUNNING:
        return Finding(
            open_from(dream.lease_until or 0),
            "running",
            want,
            "a dream is running",
            dream.started_at,
        )
    if dream is not None and dream.state is DreamState.PENDING:
        reason = f"its dream waits{_in_brackets(dream.reason)}"
        return Finding(open_from(dream.next_attempt_at or 0), "pending", want, reason)
    return Finding(always, "no", want)


def _in_brackets(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


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


def _waited_at(facts: WindowFacts, settings: GateSettings) -> int | None:
    """When the oldest news will have waited for too long."""
    if settings.max_wait_ms is None or facts.oldest_new_at is None:
        return None
    return facts.oldest_new_at + settings.max_wait_ms
