"""The store as a hook opens it: what recall needs and no more, since an agent waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.index_reading import IndexReading
from memgardend.daemon.store.memories import Memories
from memgardend.daemon.store.migrations import MIGRATIONS, version_of
from memgardend.daemon.store.recall import RecallState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memgardend.core.records.window_recall import Marks


FOLDED_BY_A_HOOK = 4
"""How many waiting marks a hook writes beside its own: more than one, so that some day none is left."""


class LightGarden(Memories, IndexReading, RecallState):
    """`core.ports.recall.RecallStore` over one connection. `settle` is called before marks are noted."""

    folded_at_once = FOLDED_BY_A_HOOK

    def __init__(self, database: Database, garden: str, settle: Callable[[], object]) -> None:
        super().__init__(database, garden, NoFailpoints())
        self._settle = settle

    def note_marks(self, marks: Marks) -> bool:
        self._settle()
        return super().note_marks(marks)

    def close(self) -> None:
        """Give the connection back."""
        self._database.close()

    def project_around(self, folder: str) -> str | None:
        """The id of the known project whose root is nearest around a folder."""
        found = self._database.one(
            """SELECT id FROM projects WHERE garden = :garden AND root IS NOT NULL
                AND (:folder = root OR substr(:folder, 1, length(root) + 1) = root || '/')
            ORDER BY length(root) DESC""",
            {"garden": self._garden, "folder": folder},
        )
        return found["id"] if found else None


def open_light(path: Path, garden: str, settle: Callable[[], object]) -> LightGarden | None:
    """The store in this file; None for one that another version made: who works on it brings it up to date.

    Raises StoreError for a file that is no store, and StoreUnavailableError when it cannot be read now.
    """
    database = Database.open(path, light=True)
    if version_of(database) != len(MIGRATIONS):
        database.close()
        return None
    return LightGarden(database, garden, settle)
