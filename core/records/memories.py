"""Memories, what proves them, and their history. Times are epoch milliseconds, UTC."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.scope import UNSET, Scope
from memgardend.core.words import Status

if TYPE_CHECKING:
    from memgardend.core.words import Layer, Role, RoundName, Subcategory


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One record of the memory."""

    id: str
    layer: Layer
    content: str
    title: str | None = None
    keywords: tuple[str, ...] = ()
    keywords_auto: bool = False
    importance: int = 1
    status: Status = Status.ACTIVE
    status_at: int = 0
    scope: Scope = UNSET
    bucket: str | None = None
    threads: tuple[str, ...] = ()
    origin: str = "dream"
    subcategory: Subcategory | None = None
    goal: str | None = None
    corrected: bool = False
    card: str | None = None  # JSON of the library's extra fields
    source_window: str | None = None
    created_at: int = 0
    updated_at: int = 0
    as_of: int = 0
    occurred_at: int | None = None
    superseded_by: str | None = None
    revision: int = 1


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
