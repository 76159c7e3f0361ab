"""What the gates look at, and what a rule finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.budget import Spending
    from memgardend.core.records import Dream, WindowFacts
    from memgardend.core.retry import Breaker
    from memgardend.core.suppression import Suppression

Opening = Callable[[int], int | None]
"""The earliest instant from a given one on at which a gate is open; None when time alone does not open it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """What the configuration says about when to dream."""

    idle_ms: int
    enabled: bool = True
    max_wait_ms: int | None = None
    avoid_crossing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedState:
    """What all windows of a store share. `budget`: None where nothing is limited.

    `p90_ms`: nine of ten dreams took no longer; None when unknown.
    """

    breaker: Breaker
    paused: bool = False
    paused_until: int | None = None
    budget: Spending | None = None
    p90_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """All that the gates of one window look at."""

    facts: WindowFacts
    settings: GateSettings
    state: SharedState
    suppression: Suppression
    manual: bool
    ignored_dream: str | None

    def open_dream(self) -> Dream | None:
        """The open dream, unless it is the one being started."""
        dream = self.facts.open_dream
        return None if dream is None or dream.id == self.ignored_dream else dream


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found. `reason` and `since` count only while the gate is shut."""

    opens: Opening
    value: str
    want: str
    reason: str = ""
    since: int | None = None


def always(at: int) -> int:
    """The opening of a gate that is open: at once."""
    return at


def never(at: int) -> None:
    """The opening of a gate that no time opens."""
    return


def open_if(condition: bool) -> Opening:
    """Open now, or not opened by any time."""
    return always if condition else never


def open_from(instant: int) -> Opening:
    """Open from an instant (epoch ms) on."""
    return lambda at: max(at, instant)
