"""What the jobs need from the world. Implemented in `daemon`; tests bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.lazily import lazily

if TYPE_CHECKING:
    from memgardend.core.ports.dreams import DreamStore
    from memgardend.core.ports.edits import EditStore, GardenView
    from memgardend.core.ports.memories import MemoryStore, StateStore, Store
    from memgardend.core.ports.outside import (
        Chunk,
        Failpoints,
        Model,
        ModelCall,
        ModelReply,
        Source,
        SourceFile,
    )
    from memgardend.core.ports.recalls import RecallLog
    from memgardend.core.ports.windows import WindowStore
else:
    __getattr__ = lazily(
        __name__,
        {
            "dreams": "DreamStore",
            "edits": "EditStore GardenView",
            "memories": "MemoryStore StateStore Store",
            "outside": "Chunk Failpoints Model ModelCall ModelReply Source SourceFile",
            "recalls": "RecallLog",
            "windows": "WindowStore",
        },
    )

__all__ = [
    "Chunk",
    "DreamStore",
    "EditStore",
    "Failpoints",
    "GardenView",
    "MemoryStore",
    "Model",
    "ModelCall",
    "ModelReply",
    "RecallLog",
    "Source",
    "SourceFile",
    "StateStore",
    "Store",
    "WindowStore",
]
