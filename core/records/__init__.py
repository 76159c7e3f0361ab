"""The rows of the store as frozen values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.lazily import lazily

if TYPE_CHECKING:
    from memgardend.core.records.dreams import (
        CommitBatch,
        CommitResult,
        Dream,
        DreamRound,
        Lease,
        Owner,
        Receipt,
        Violation,
        WindowFacts,
    )
    from memgardend.core.records.edits import EditRequest, Edits, GardenReading, MemoryEdit
    from memgardend.core.records.history import (
        Evidence,
        MemoryChange,
        MemoryVersion,
        quote_hash,
    )
    from memgardend.core.records.memories import Memory
    from memgardend.core.records.projects import Project
    from memgardend.core.records.recalls import Recall
    from memgardend.core.records.windows import (
        Cursor,
        Event,
        IngestBatch,
        IngestResult,
        NewEvent,
        Span,
        Window,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "dreams": "CommitBatch CommitResult Dream DreamRound Lease Owner Receipt Violation WindowFacts",
            "edits": "EditRequest Edits GardenReading MemoryEdit",
            "history": "Evidence MemoryChange MemoryVersion quote_hash",
            "memories": "Memory",
            "projects": "Project",
            "recalls": "Recall",
            "windows": "Cursor Event IngestBatch IngestResult NewEvent Span Window",
        },
    )

__all__ = [
    "CommitBatch",
    "CommitResult",
    "Cursor",
    "Dream",
    "DreamRound",
    "EditRequest",
    "Edits",
    "Event",
    "Evidence",
    "GardenReading",
    "IngestBatch",
    "IngestResult",
    "Lease",
    "Memory",
    "MemoryChange",
    "MemoryEdit",
    "MemoryVersion",
    "NewEvent",
    "Owner",
    "Project",
    "Recall",
    "Receipt",
    "Span",
    "Violation",
    "Window",
    "WindowFacts",
    "quote_hash",
]
