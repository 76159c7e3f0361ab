"""Edits outside of dreams: those of tools, people and the library, each request in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.ports.library import RevisionConflict
from memgardend.core.records import GardenReading, MemoryVersion
from memgardend.core.words import Status
from memgardend.daemon.store import rows
from memgardend.daemon.store.memories import INSERT_PROJECT, Memories
from memgardend.daemon.store.memory_rows import (
    put_evidence,
    put_memories,
    put_versions,
    put_written,
    remove_memory,
)
from memgardend.daemon.store.state import REVISION_KEY, State, known_result, raise_revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memgardend.core.ports import GardenView
    from memgardend.core.records import EditRequest, Edits, Memory, MemoryEdit
    from memgardend.daemon.store.driver import Transaction

_STATE = "SELECT value FROM garden_state WHERE garden = :garden AND key = :key"
_SET_STATE = """
INSERT INTO garden_state (garden, key, value) VALUES (:garden, :key, :value)
ON CONFLICT (garden, key) DO UPDATE SET value = excluded.value
"""
_KEEP_RESULT = """
INSERT INTO idempotency (garden, key, digest, result, at)
VALUES (:garden, :key, :digest, :result, :at)
"""


class Editing(Memories, State):
    """The one place where a request changes memories."""

    def edit(self, request: EditRequest, decide: Callable[[GardenView], Edits]) -> str:
        with self._database.write() as transaction:
            self._forget_keys(transaction, request)
            if request.key is not None:
                known = known_result(transaction, self._garden, request.key, request.digest)
                if known is not None:
                    return known
            view = _View(transaction, self._garden)
            if request.expected_revision not in (None, view.revision):
                raise RevisionConflict(str(request.expected_revision), str(view.revision))
            edits = decide(view)
            self._write(transaction, request, edits)
            self._failpoints.hit("edit.inside")
        return edits.result

    def read_garden(
        self,
        *,
        statuses: Iterable[Status] = (),
        ids: Iterable[str] | None = None,
        state_prefix: str,
    ) -> GardenReading:
        with self._database.snapshot():
            found = self._database.read(
                """SELECT key, value FROM garden_state
                WHERE garden = :garden AND substr(key, 1, length(:prefix)) = :prefix""",
                {"garden": self._garden, "prefix": state_prefix},
            )
            return GardenReading(
                revision=int(self.state(REVISION_KEY) or 0),
                memories=tuple(self.memories(ids=ids, statuses=statuses)),
                state={row["key"]: row["value"] for row in found},
            )

    def _forget_keys(self, transaction: Transaction, request: EditRequest) -> None:
        if request.forget_before is not None:
            transaction.execute(
                "DELETE FROM idempotency WHERE garden = :garden AND at < :before",
                {"garden": self._garden, "before": request.forget_before},
            )

    def _write(self, transaction: Transaction, request: EditRequest, edits: Edits) -> None:
        transaction.execute_many(
            INSERT_PROJECT, [rows.to_row(one, self._garden) for one in edits.projects]
        )
        kept = [(edit, edit.after) for edit in edits.edits if edit.after is not None]
        put_memories(transaction, self._garden, [(edit.before, after) for edit, after in kept])
        put_versions(
            transaction, self._garden, [_version(edit, after, request) for edit, after in kept]
        )
        put_evidence(transaction, self._garden, [one for edit, _ in kept for one in edit.evidence])
        if request.window is not None:
            ids = [after.id for _, after in kept]
            put_written(transaction, self._garden, request.window, ids, request.at)
        for edit in edits.edits:
            if edit.after is None and edit.before is not None:
                remove_memory(transaction, self._garden, edit.before.id)
        transaction.execute_many(
            _SET_STATE,
            [{"garden": self._garden, "key": k, "value": v} for k, v in edits.state.items()],
        )
        if edits.moved:
            raise_revision(transaction, self._garden)
        if request.key is not None:
            transaction.execute(
                _KEEP_RESULT,
                {
                    "garden": self._garden,
                    "key": request.key,
                    "digest": request.digest,
                    "result": edits.result,
                    "at": request.at,
                },
            )


class _View:
    """`core.ports.GardenView` inside a transaction."""

    def __init__(self, transaction: Transaction, garden: str) -> None:
        self._transaction = transaction
        self._garden = garden
        self.revision = int(self.state(REVISION_KEY) or 0)

    def memory(self, memory_id: str) -> Memory | None:
        row = self._transaction.one(
            "SELECT * FROM memories WHERE garden = :garden AND id = :id",
            {"garden": self._garden, "id": memory_id},
        )
        return None if row is None else rows.memory_of(row)

    def replaced_by(self, memory_id: str) -> Sequence[str]:
        found = self._transaction.read(
            "SELECT id FROM memories WHERE garden = :garden AND superseded_by = :id ORDER BY id",
            {"garden": self._garden, "id": memory_id},
        )
        return [row["id"] for row in found]

    def active_ids(self) -> frozenset[str]:
        found = self._transaction.read(
            "SELECT id FROM memories WHERE garden = :garden AND status = :status",
            {"garden": self._garden, "status": Status.ACTIVE.value},
        )
        return frozenset(row["id"] for row in found)

    def state(self, key: str) -> str | None:
        row = self._transaction.one(_STATE, {"garden": self._garden, "key": key})
        return None if row is None else str(row["value"])


def _version(edit: MemoryEdit, after: Memory, request: EditRequest) -> MemoryVersion:
    return MemoryVersion(
        memory=after.id,
        revision=after.revision,
        before=edit.before,
        after=after,
        operation=edit.operation,
        reason=edit.reason,
        dream=None,
        round=None,
        actor=request.actor,
        at=request.at,
    )
