"""Recall: what an agent is told from memory, and what is noted of it. Never waits for others who write.

Imports nothing but `core`, so that a hook may use it.
"""

from __future__ import annotations

from memgardend.core.recall import texts
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
from memgardend.jobs.recall.context import names_of
from memgardend.jobs.recall.marks import anchor, compacted, mark
from memgardend.jobs.recall.messages import begin, message
from memgardend.jobs.recall.panoramas import panorama
from memgardend.jobs.recall.searches import search

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
    return texts.guide(context.slot, names_of(context))
