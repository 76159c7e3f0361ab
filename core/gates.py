"""When a window may dream: every gate, judged in order (DESIGN section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.records import WindowFacts
    from memgardend.core.retry import Breaker
    from memgardend.core.suppression import Suppression
    from memgardend.core.words import GateName, WindowState


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """What the configuration says about when to dream."""

    idle_ms: int
    enabled: bool = True
    max_wait_ms: int | None = None
    avoid_crossing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedState:
    """What all windows of a store share."""

    breaker: Breaker
    paused: bool = False
    paused_until: int | None = None
    budget_until: int | None = None
    budget_note: str = ""
    p90_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One condition for dreaming: open or shut, what was found and what is wanted."""

    name: GateName
    open: bool
    value: str
    want: str
    reason: str = ""
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All gates together. `next_at`: the earliest instant at which all of them are open."""

    gates: tuple[Gate, ...]
    may: bool
    next_at: int | None
    overrode: tuple[GateName, ...] = ()

    @property
    def holds(self) -> tuple[Gate, ...]:
        """The gates that are shut and not overridden."""
        return tuple(g for g in self.gates if not g.open and g.name not in self.overrode)


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
    """Judge every gate of one window."""
    raise NotImplementedError


def window_state(facts: WindowFacts, verdict: Verdict, now: int) -> WindowState:
    """The word in the STATE column."""
    raise NotImplementedError
