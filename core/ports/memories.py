"""The store port: memories, small state, and the whole of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memgardend.core.ports.dreams import DreamStore
from memgardend.core.ports.edits import EditStore
from memgardend.core.ports.index import TermIndex
from memgardend.core.ports.recall import RecallStore
from memgardend.core.ports.recalls import RecallLog
from memgardend.core.ports.windows import WindowStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from memgardend.core.records import Evidence, Memory, MemoryVersion, Project, Violation
    from memgardend.core.words import Layer, Status


class MemoryStore(Protocol):
    """Memories with their evidence and history."""

    def memory(self, memory_id: str) -> Memory | None: ...
    def memories(
        self,
        *,
        ids: Iterable[str] | None = None,
        layers: Iterable[Layer] = (),
        statuses: Iterable[Status] = (),
        projects: Iterable[str] = (),
    ) -> Sequence[Memory]:
        """By (created_at, id). `projects`: those whose scope names one of them."""
        ...

    def active_count(self) -> int: ...
    def find_memories(self, prefix: str) -> Sequence[str]: ...
    def evidence(self, memory_ids: Iterable[str]) -> Sequence[Evidence]:
        """By memory, then event time."""
        ...

    def versions(self, memory_id: str) -> Sequence[MemoryVersion]: ...
    def window_memory_ids(self, window_id: str) -> Sequence[str]:
        """Memories this window wrote, was shown, searched or read, released ones included."""
        ...

    def archived_since(self, since: int) -> int:
        """How many memories dreams archived without a successor since then: for the fuses."""
        ...

    def projects(self) -> Sequence[Project]: ...
    def ensure_project(self, project: Project) -> Project:
        """The stored project of this root (or remote, where the root is None); made when there is none."""
        ...


class StateStore(Protocol):
    """Small shared state, idempotency, health."""

    def state(self, key: str) -> str | None: ...
    def set_state(self, key: str, expected: str | None, value: str | None) -> bool:
        """Compare-and-set; None means absent."""
        ...

    def pass_check_gate(self, now: int, interval_ms: int) -> bool:
        """One caller in `interval_ms` gets True. A clock that went back does not block."""
        ...

    def remembered(self, key: str, digest: str) -> str | None:
        """The stored result of this key; raises IdempotencyConflict when the digest differs."""
        ...

    def remember_result(self, key: str, digest: str, result: str, now: int) -> None: ...
    def version(self) -> int:
        """Changes whenever another handle on the store has written to it; equal as long as none has."""
        ...

    def counts(self) -> dict[str, int]:
        """windows, dreams by state, memories by status, events, unreadable_lines, review."""
        ...

    def violations(self) -> Sequence[Violation]:
        """Every invariant of DESIGN section 3 that does not hold."""
        ...

    def damage(self) -> Sequence[Violation]:
        """What a quick look finds wrong with the store itself."""
        ...

    def backup(self, target: Path) -> None: ...
    def set_patience(self, milliseconds: int) -> None:
        """Wait no longer for others who write, and then raise StoreLockedError."""
        ...

    def shrink(self) -> None:
        """Let go of what is kept in memory only to be fast."""
        ...

    def close(self) -> None: ...


class Store(
    WindowStore,
    DreamStore,
    MemoryStore,
    EditStore,
    TermIndex,
    RecallStore,
    RecallLog,
    StateStore,
    Protocol,
):
    """The store of one garden."""

    @property
    def garden(self) -> str: ...
