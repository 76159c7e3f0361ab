"""One memory. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.scope import UNSET, Scope
from memgardend.core.words import Status

if TYPE_CHECKING:
    from memgardend.core.words import Layer, Subcategory


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
