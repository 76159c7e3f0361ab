"""What the judging of a round works on and yields: the staged view, its context, the verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.words import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memgardend.core.records import Event, Evidence, Memory, MemoryChange, Project, Window
    from memgardend.core.words import Refusal, RoundName


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something is not accepted: the word, and a sentence that a model or a person can act upon.

    `values` are what that sentence is about, where a tool says it in another language.
    """

    word: Refusal
    detail: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Accepted:
    """What an operation changes, in order. `review` says why a person has to decide first."""

    changes: tuple[MemoryChange, ...]
    detail: str = ""
    review: str = ""
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedView:
    """What the next round sees: memories and events by handle, after the rounds staged so far.

    Archived memories stay in it; `retired` holds the handles that this dream archived.
    """

    memories: Mapping[str, Memory]
    events: Mapping[str, Event]
    changes: tuple[MemoryChange, ...] = ()
    retired: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What a memory is made with, besides what is said of it. `window`: the id of the one that it comes from."""

    now: int
    locale: str
    new_id: Callable[[], str]
    window: str | None
    origin: str = "dream"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeContext:
    """All that judging depends on besides the view and the answer, so that it is a pure function."""

    window: Window
    round: RoundName
    now: int
    locale: str
    projects: tuple[Project, ...] = ()
    candidates: tuple[
        Memory, ...
    ] = ()  # every active memory of the store that new content may be like
    active_count: int = 0  # active memories when the dream was planned
    archived_last_7_days: int = 0  # by dreams, without a successor
    new_id: Callable[[], str]
    turns: tuple[Event, ...] = ()  # events of the window, shown or neighbouring, by seq
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)  # by memory id

    @property
    def making(self) -> Making:
        """What memories of this round are made with."""
        return Making(now=self.now, locale=self.locale, new_id=self.new_id, window=self.window.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One operation as answered, and what became of it.

    `changes` is filled for staged operations only, `proposed` for those that wait for a person.
    `handles` names the memories that joined the view; `rests_on` the memory ids it builds on.
    """

    operation: Mapping[str, Any]
    decision: Decision
    refusal: Refusal | None = None
    detail: str = ""
    changes: tuple[MemoryChange, ...] = ()
    proposed: tuple[MemoryChange, ...] = ()
    handles: Mapping[str, str] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()

    @property
    def staged(self) -> bool:
        """True when the operation is part of the dream's changes."""
        return self.decision is Decision.STAGED
