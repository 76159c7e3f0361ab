"""When a window may dream: every gate judged in order, with why it is shut and until when (DESIGN section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memgardend.core.gate_case import Case, GateSettings, SharedState
from memgardend.core.gate_rules import RULES, is_old, waited_too_long, was_dreamed
from memgardend.core.gate_words import duration
from memgardend.core.records import Window, WindowFacts
from memgardend.core.words import DreamState, GateName, WindowKind, WindowState

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from memgardend.core.gate_case import Finding
    from memgardend.core.suppression import Suppression

__all__ = [
    "Gate",
    "GateSettings",
    "SharedState",
    "Verdict",
    "judge",
    "rest_of",
    "shared_gates",
    "waited_too_long",
    "window_state",
]

OVERRIDABLE = (GateName.SKIPPED, GateName.ACTIVE, GateName.PEAK)
"""The gates that a dream asked for by a person does not wait for; it says which of them were shut."""


SHARED = (GateName.PEAK, GateName.BUDGET, GateName.BREAKER, GateName.PAUSED)
"""The gates that look at no window."""
_NO_WINDOW = WindowFacts(window=Window(id="", source="", native_id=""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One gate of one window at one instant.

    `value` is what was found, `want` what opens it; `reason`, `since` and `until` are set when it is shut.
    A shut gate without `until` opens by an act or an event, not by time; `reason` says which.
    """

    name: GateName
    open: bool
    value: str
    want: str
    reason: str = ""
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """All gates together.

    `next_at` is the earliest instant at which all of them are open, as far as time alone opens them; None when
    one of them waits for something else.
    """

    gates: tuple[Gate, ...]
    may: bool
    next_at: int | None
    overrode: tuple[GateName, ...] = ()

    @cached_property
    def holds(self) -> tuple[Gate, ...]:
        """The gates that are shut and not overridden."""
        return tuple(g for g in self.gates if not g.open and g.name not in self.overrode)

    def gate(self, name: GateName) -> Gate:
        """The gate of this name."""
        return next(g for g in self.gates if g.name is name)


def judge(
    facts: WindowFacts,
    now: int,
    settings: GateSettings,
    state: SharedState,
    suppression: Suppression,
    *,
    manual: bool = False,
    ignore_open_dream: str | None = None,
) -> Verdict:
    """Judge every gate of one window at `now`.

    `manual`: a person asks for this dream, so the `OVERRIDABLE` gates and `dream.enabled` do not hold it; nor
    do they when a person asked for the dream that is open.
    `ignore_open_dream`: the dream being started, which does not hold itself.
    """
    manual = manual or (facts.open_dream is not None and facts.open_dream.manual)
    case = Case(facts, settings, state, suppression, manual, ignore_open_dream)
    findings = {name: rule(case, now) for name, rule in RULES.items()}
    gates = tuple(_gate(name, finding, now) for name, finding in findings.items())
    overrode = tuple(g.name for g in gates if manual and not g.open and g.name in OVERRIDABLE)
    binding = [f for name, f in findings.items() if not (manual and name in OVERRIDABLE)]
    next_at = _all_open(binding, now)
    return Verdict(gates=gates, may=next_at == now, next_at=next_at, overrode=overrode)


def shared_gates(
    now: int, settings: GateSettings, state: SharedState, suppression: Suppression
) -> tuple[Gate, ...]:
    """The gates that all windows share, for questions that no dream asks; `dream.enabled` is not theirs."""
    case = Case(_NO_WINDOW, settings, state, suppression, manual=True, ignored_dream=None)
    return tuple(_gate(name, RULES[name](case, now), now) for name in SHARED)


def rest_of(facts: WindowFacts, now: int, settings: GateSettings) -> Hashable | None:
    """What verdict and state of a window at rest depend on, all else being equal; None where it does not rest.

    Most windows of a large store are at rest: quiet, with nothing new, and with nothing that waits. They differ
    in little, so that a few verdicts serve them all.
    """
    window = facts.window
    last = window.last_event_at
    if facts.new_events or facts.open_dream or facts.review:
        return None
    if last is None or last + settings.idle_ms > now:
        return None
    flags = (window.kind, window.archived, window.skip, is_old(window), was_dreamed(facts))
    return *flags, window.dreamed_seq > (window.baseline or 0), duration(now - last)


def _gate(name: GateName, finding: Finding, now: int) -> Gate:
    until = finding.opens(now)
    if until == now:
        return Gate(name=name, open=True, value=finding.value, want=finding.want)
    return Gate(
        name=name,
        open=False,
        value=finding.value,
        want=finding.want,
        reason=finding.reason,
        since=finding.since,
        until=until,
    )


def _all_open(findings: Iterable[Finding], now: int) -> int | None:
    """The earliest instant from `now` on at which all are open.

    No common instant lies before the latest of the gates' own, so going there loses nothing; the end is
    reached when no gate moves it any more.
    """
    findings = list(findings)
    at = now
    while True:
        latest = at
        for finding in findings:
            opens = finding.opens(at)
            if opens is None:
                return None
            latest = max(latest, opens)
        if latest == at:
            return at
        at = latest


def window_state(facts: WindowFacts, verdict: Verdict, now: int) -> WindowState:
    """The word in the STATE column.

    What a person has to look at comes first; a pending dream shows as what it waits for, `waiting` or `due`.
    """
    window, dream = facts.window, facts.open_dream
    dream_state = None if dream is None else dream.state
    shut = {gate.name for gate in verdict.holds}
    if window.kind is not WindowKind.MAIN:
        return WindowState.ASIDE
    if window.archived:
        return WindowState.ARCHIVED
    if dream is not None and dream.state is DreamState.RUNNING and (dream.lease_until or 0) > now:
        return WindowState.DREAMING
    if dream_state is DreamState.QUARANTINED:
        return WindowState.QUARANTINED
    if dream_state is DreamState.FAILED:
        return WindowState.FAILED
    if facts.review:
        return WindowState.REVIEW
    if GateName.SKIPPED in shut:
        return WindowState.SKIPPED
    if GateName.OLD in shut:
        return WindowState.OLD
    if GateName.NOTHING_NEW in shut and window.dreamed_seq > (window.baseline or 0):
        return WindowState.DREAMED
    if GateName.ACTIVE in shut:
        return WindowState.ACTIVE
    return WindowState.DUE if verdict.may else WindowState.WAITING
