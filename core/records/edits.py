"""Edits that no dream makes: those of tools, people and the library. Times are epoch ms, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.records.history import Evidence
    from memgardend.core.records.memories import Memory
    from memgardend.core.records.projects import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRequest:
    """Who asks for edits. A key stands for one `digest`; those used before `forget_before` are free again.

    Without a key nothing is kept of the request. `window`: whose agent asks; it has then written the memories.
    """

    actor: str
    at: int
    key: str | None = None
    digest: str = ""
    window: str | None = None
    expected_revision: int | None = None
    forget_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdit:
    """One memory before and after; `after` None removes it with its history and quotes. `evidence` is new."""

    before: Memory | None
    after: Memory | None
    operation: str
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What to write: memories, projects that are new, small state, and the result to keep under the key.

    With `moved` the garden's revision rises by one.
    """

    edits: tuple[MemoryEdit, ...]
    result: str
    moved: bool
    projects: tuple[Project, ...] = ()
    state: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenReading:
    """Memories, and the small state under a prefix, all at one revision of the garden."""

    revision: int
    memories: tuple[Memory, ...]
    state: Mapping[str, str]
