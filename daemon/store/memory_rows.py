"""How memories and their history are written: by a dream's commit, and by edits."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError
from memgardend.core.purging import without_memory
from memgardend.core.records import Memory, MemoryVersion
from memgardend.daemon.store import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Evidence
    from memgardend.daemon.store.driver import Row, Transaction

_COLUMNS = rows.names(Memory)
_INSERT = rows.insert_sql("memories", _COLUMNS)
_UPDATE = (
    "UPDATE memories SET "
    + ", ".join(f"{c} = :{c}" for c in _COLUMNS if c not in ("id", "created_at"))
    + " WHERE garden = :garden AND id = :id AND revision = :before_revision"
)
_INSERT_VERSION = rows.insert_sql("memory_versions", rows.names(MemoryVersion))

_INSERT_EVIDENCE = rows.insert_sql("evidence", rows.evidence_columns()) + " ON CONFLICT DO NOTHING"
_WRITTEN = """
INSERT INTO window_memories (garden, window, memory, how, at)
VALUES (:garden, :window, :memory, 'written', :at)
ON CONFLICT (garden, window, memory, how) DO UPDATE SET at = max(at, excluded.at)
"""

_ROUNDS = """
SELECT r.dream, r.name, r.operations FROM dream_rounds AS r
JOIN dreams AS d ON d.garden = r.garden AND d.id = r.dream
WHERE r.garden = :garden AND instr(r.operations, :memory) > 0
    AND d.state IN ('applied', 'empty', 'cancelled')
"""
_FORGET_ROUND = """
UPDATE dream_rounds SET operations = :operations, review = :review,
    answer = NULL, problems = '[]', questions = '[]', summary = NULL
WHERE garden = :garden AND dream = :dream AND name = :name
"""


def put_memories(
    transaction: Transaction, garden: str, steps: Iterable[tuple[Memory | None, Memory]]
) -> None:
    """Take each step in order: a memory inserted, or one revision further.

    Raises StoreError when one is not as it was before.
    """
    for are_new, alike in groupby(steps, key=lambda step: step[0] is None):
        if are_new:
            new = [rows.to_row(after, garden) for _, after in alike]
            transaction.execute_many(_INSERT, new)
            continue
        for before, after in alike:
            row = rows.to_row(after, garden) | {"before_revision": before and before.revision}
            if transaction.execute(_UPDATE, row) != 1:
                raise StoreError(f"memory {after.id} changed inside its own commit")


def put_versions(transaction: Transaction, garden: str, versions: Sequence[MemoryVersion]) -> None:
    """Append steps to the history of memories."""
    transaction.execute_many(_INSERT_VERSION, [_version_row(one, garden) for one in versions])


def put_evidence(transaction: Transaction, garden: str, evidence: Iterable[Evidence]) -> None:
    """Add quotes that prove memories; those that do already stay as they are."""
    transaction.execute_many(_INSERT_EVIDENCE, [rows.evidence_row(one, garden) for one in evidence])


def put_written(
    transaction: Transaction, garden: str, window: str, memory_ids: Iterable[str], at: int
) -> None:
    """Note that a window wrote memories; the last time counts."""
    about = {"garden": garden, "window": window, "at": at}
    transaction.execute_many(_WRITTEN, [about | {"memory": one} for one in memory_ids])


def remove_memory(transaction: Transaction, garden: str, memory_id: str) -> None:
    """Take a memory out with its quotes, uses and history, and what dreams that have ended said of it.

    Whatever it replaced must not point at it.
    """
    about = {"garden": garden, "memory": memory_id}
    for found in transaction.read(_ROUNDS, about):
        operations, waiting = without_memory(found["operations"], memory_id)
        left = {"operations": operations, "review": waiting}
        transaction.execute(_FORGET_ROUND, {**about, **found, **left})
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
