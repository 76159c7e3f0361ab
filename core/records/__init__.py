"""The rows of the store as frozen values."""

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
from memgardend.core.records.memories import (
    Evidence,
    Memory,
    MemoryChange,
    MemoryVersion,
    quote_hash,
)
from memgardend.core.records.recalls import Recall
from memgardend.core.records.windows import (
    Cursor,
    Event,
    IngestBatch,
    IngestResult,
    NewEvent,
    Project,
    Span,
    Window,
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
