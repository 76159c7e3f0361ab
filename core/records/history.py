"""What proves memories, and their history. Times are epoch milliseconds, UTC."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memgardend.core.records.memories import Memory
    from memgardend.core.words import Role, RoundName


def quote_hash(quote: str) -> str:
    """The SHA-256 of a quote in hexadecimal, as its evidence keeps it."""
    return hashlib.sha256(quote.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A verbatim quote that proves a memory: our own span of the event, not the model's copy of it."""

    memory: str
    window: str
    event: int
    start: int
    end: int
    role: Role
    quote: str
    at: int  # time of the event
    hash: str  # quote_hash of the quote
    inherited_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryVersion:
    """One step in a memory's history; `before` is None for its first."""

    memory: str
    revision: int
    before: Memory | None
    after: Memory
    operation: str
    reason: str | None
    dream: str | None
    round: str | None
    actor: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """One memory before and after a dream; `before.revision` must still hold at the commit."""

    before: Memory | None
    after: Memory
    operation: str
    reason: str | None
    round: RoundName
    evidence: tuple[Evidence, ...] = ()
