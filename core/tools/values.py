"""What the tools are asked and what they answer, as values. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean
from memgardend.core.errors import UsageError
from memgardend.core.tools.problems import Problem
from memgardend.core.words import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.records import Evidence, Memory, Project
    from memgardend.core.words import GateName, Status, Subcategory


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """What to remember. `projects`: names, aliases or ids, `global` or `unset`. Without keywords it gets some."""

    content: str
    projects: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    importance: int | None = None
    layer: Layer = Layer.FACT
    title: str | None = None
    goal: str | None = None
    subcategory: Subcategory | None = None
    corrected: bool | None = None

    def __post_init__(self) -> None:
        """Raises UsageError where it says nothing."""
        _require_words(self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate:
    """What to change of a memory; None is no change, nor are no keywords. `id`: or the only start of one.

    `projects`: () takes it away from all. `revision`: the one that was read; a newer one refuses the change.
    """

    id: str
    content: str | None = None
    projects: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    importance: int | None = None
    layer: Layer | None = None
    status: Status | None = None
    title: str | None = None
    goal: str | None = None
    subcategory: Subcategory | None = None
    corrected: bool | None = None
    reason: str | None = None
    revision: int | None = None

    def __post_init__(self) -> None:
        """Raises UsageError where it would say nothing from now on."""
        if self.content is not None:
            _require_words(self.content)


def _require_words(content: str) -> None:
    if not clean(content).strip():
        raise UsageError("`content` says nothing", label=Problem.EMPTY_TEXT, name="content")


class Outcome(StrEnum):
    """What became of something to remember."""

    STORED = "stored"
    MERGED = "merged"  # into a memory that said much the same
    KNOWN = "known"  # nothing had to be changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The memory as it was read back. `alike` stay beside it: of another scope or layer, or to the contrary."""

    memory: Memory
    outcome: Outcome
    alike: tuple[Memory, ...] = ()
    new_projects: tuple[Project, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """The memory as it was read back, and the names of the fields that changed; none: it said all this already."""

    memory: Memory
    changed: tuple[str, ...] = ()
    alike: tuple[Memory, ...] = ()
    new_projects: tuple[Project, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A memory whole, with what proves it."""

    memory: Memory
    evidence: tuple[Evidence, ...] = ()


class Resemblance(StrEnum):
    """How a memory is like another."""

    SAME = "same"
    CONTRARY = "contrary"
    NEAR = "near"


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A memory that is like another. `likeness`: shared words over all words, 0 to 1. The rest: by this window."""

    memory: Memory
    likeness: float
    resemblance: Resemblance
    seen: bool = False
    written: bool = False


class DreamStart(StrEnum):
    """What came of asking for a dream."""

    QUEUED = "queued"  # a daemon was woken for it
    WAITING = "waiting"  # claimed, but no daemon runs
    RUNNING = "running"  # one runs already
    HELD = "held"  # a gate is shut
    UNKNOWN = "unknown"  # nothing of the window was read


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamAnswer:
    """What came of asking for a dream; `since` of one that runs; of one that is held the reason.

    `gate`: the one that is shut, `until` when it opens by itself. No gate: the window has changed at this moment.
    """

    start: DreamStart
    window: str
    dream: str | None = None
    since: int | None = None
    reason: str | None = None
    gate: GateName | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What a call came to: text for the agent, and the same as a document. Not `ok`: nothing was done."""

    text: str
    ok: bool = True
    document: Mapping[str, Any] = field(default_factory=dict)
