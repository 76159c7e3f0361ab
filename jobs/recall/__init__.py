"""Recall: what an agent is told from memory, and what is noted of it. Never waits for others who write.

Imports nothing but `core`, and that when it is asked for, so that a hook may use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.lazily import lazily

if TYPE_CHECKING:
    from memgardend.core.recall.lookups import (
        Found,
        Panorama,
        PanoramaRequest,
        SearchRequest,
        SearchResult,
        Shelf,
    )
    from memgardend.core.recall.requests import (
        Injection,
        InjectionKind,
        RecallContext,
        RecallSettings,
        Turn,
    )
    from memgardend.jobs.recall.context import guide
    from memgardend.jobs.recall.marks import anchor, compacted, forked, mark, resumed
    from memgardend.jobs.recall.messages import begin, message
    from memgardend.jobs.recall.panoramas import panorama
    from memgardend.jobs.recall.searches import search
else:
    __getattr__ = lazily(
        __name__,
        {
            "memgardend.core.recall.lookups": "Found Panorama PanoramaRequest SearchRequest SearchResult Shelf",
            "memgardend.core.recall.requests": "Injection InjectionKind RecallContext RecallSettings Turn",
            "context": "guide",
            "marks": "anchor compacted forked mark resumed",
            "messages": "begin message",
            "panoramas": "panorama",
            "searches": "search",
        },
    )

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
    "forked",
    "guide",
    "mark",
    "message",
    "panorama",
    "resumed",
    "search",
]
