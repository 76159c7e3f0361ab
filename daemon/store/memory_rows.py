"""How memories and their history are written: by a dream's commit, and by edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError
from memgardend.core.records import Memory, MemoryVersion
from memgardend.daemon.store import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.store.driver import Row, Transaction

_COLUMNS = rows.names(Memory)
_INSERT = rows.insert_sql("memories", _COLUMNS)
_UPDATE = (
    "UPDATE memories SET "
    + ", ".join(f"{c} = :{c}" for c in _COLUMNS if c not in ("id", "created_at"))
    + " WHERE garden = :garden AND id = :id AND revision = :before_revision"
)
_INSERT_VERSION = rows.insert_sql("memory_versions", rows.names(MemoryVersion))


def put_memory(transaction: Transaction, garden: str, before: Memory | None, after: Memory) -> None:
    """Insert a memory, or take it one revision further. Raises StoreError when it is not as `before`."""
    row = rows.to_row(after, garden)
    if before is None:
        transaction.execute(_INSERT, row)
        return
    row["before_revision"] = before.revision
    if transaction.execute(_UPDATE, row) != 1:
        raise StoreError(f"memory {after.id} changed inside its own commit")


def put_versions(transaction: Transaction, garden: str, versions: Sequence[MemoryVersion]) -> None:
    """Append steps to the history of memories."""
    transaction.execute_many(_INSERT_VERSION, [_version_row(one, garden) for one in versions])


def remove_memory(transaction: Transaction, garden: str, memory_id: str) -> None:
    """Take a memory out with its quotes, uses and history. Whatever it replaced must not point at it."""
    about = {"garden": garden, "memory": memory_id}
    for table in ("evidence", "memory_use", "window_memories"):
        transaction.execute(
            f"DELETE FROM {table} WHERE garden = :garden AND memory = :memory", about
        )
    transaction.execute("DELETE FROM memories WHERE garden = :garden AND id = :memory", about)
    transaction.execute(
        "DELETE FROM memory_versions WHERE garden = :garden AND memory = :memory", about
    )


def _version_row(version: MemoryVersion, garden: str) -> Row:
    return {
        "garden": garden,
        **{name: getattr(version, name) for name in rows.names(MemoryVersion)},
        "before": rows.memory_json(version.before) if version.before else None,
        "after": rows.memory_json(version.after),
    }
