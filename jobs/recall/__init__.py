"""Recall: what an agent is told from memory, and what is noted of it. Never waits for others who write.

Imports nothing but `core`, so that a hook may use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall.requests import (
    Found,
    Injection,
    InjectionKind,
    Panorama,
    PanoramaRequest,
    RecallContext,
    RecallSettings,
    SearchRequest,
    SearchResult,
    Shelf,
    Turn,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.words import Use

__all__ = [
    "Found",
    "Injection",
    "InjectionKind",
    "Panorama",
    "PanoramaRequest",
    "RecallContext",
    "RecallSettings",
    "SearchRequest",
    "SearchResult",
    "Shelf",
    "Turn",
    "anchor",
    "begin",
    "compacted",
    "guide",
    "mark",
    "message",
    "panorama",
    "search",
]


def guide(context: RecallContext) -> str:
    """The static guide to layers, tools and writing rules: the same bytes whatever the store holds."""
    raise NotImplementedError


def begin(context: RecallContext, turn: Turn) -> Injection | None:
    """The first-turn block, at the start of a window or with its first message; once a window, so None later."""
    raise NotImplementedError


def message(context: RecallContext, turn: Turn) -> Injection | None:
    """What to put beside a message of a person.

    With the first message of a window the block, unless `begin` gave it, and no hits. After a compaction the
    block again, the panoramas asked for and what the window wrote. Else hits, or None.
    """
    raise NotImplementedError


def compacted(context: RecallContext, window: str, at: int) -> None:
    """The window's agent has forgotten: whatever it has seen may be shown again."""
    raise NotImplementedError


def search(context: RecallContext, request: SearchRequest) -> SearchResult:
    """Search, mark what was found as seen by the window, and anchor it to a project named alone."""
    raise NotImplementedError


def panorama(context: RecallContext, request: PanoramaRequest) -> Panorama:
    """All that covers the projects. One named alone anchors the window; after a compaction it comes again."""
    raise NotImplementedError


def anchor(context: RecallContext, window: str, projects: Iterable[str], at: int) -> None:
    """Anchor the window where a call has named exactly one project; anything else leaves it as it is."""
    raise NotImplementedError


def mark(context: RecallContext, window: str, ids: Iterable[str], use: Use, at: int) -> None:
    """Note that the window has read (`accessed`) or written memories."""
    raise NotImplementedError
