"""The commit of a dream: memories, history, evidence and watermark in one transaction, or nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError
from memgardend.core.records import CommitResult, MemoryVersion
from memgardend.core.words import Decision, DreamState
from memgardend.daemon.store import rows
from memgardend.daemon.store.leases import fenced, hold
from memgardend.daemon.store.memory_rows import (
    put_evidence,
    put_memories,
    put_versions,
    put_written,
)
from memgardend.daemon.store.part import Part
from memgardend.daemon.store.state import raise_revision

if TYPE_CHECKING:
    from memgardend.core.records import CommitBatch, MemoryChange
    from memgardend.daemon.store.driver import Transaction


class Commit(Part):
    """The one place where a dream changes memories."""

    def commit(self, batch: CommitBatch) -> CommitResult:
        _require_rising(batch.changes)
        self._failpoints.hit("commit.before")
        with self._database.write() as transaction:
            hold(transaction, self._garden, batch.lease)
            refused = self._refused(transaction, batch)
            if refused is None:
                self._write_memories(transaction, batch)
                self._failpoints.hit("commit.inside")
                self._move_watermark(transaction, batch)
                self._finish(transaction, batch)
        self._failpoints.hit("commit.after")
        return refused or CommitResult(committed=True)

    def _refused(self, transaction: Transaction, batch: CommitBatch) -> CommitResult | None:
        """Why the batch no longer fits the store; None when it does."""
        window = transaction.one(
            "SELECT dreamed_seq FROM windows WHERE garden = :garden AND id = :window",
            {"garden": self._garden, "window": batch.window},
        )
        if window is None or window["dreamed_seq"] != batch.from_seq:
            return CommitResult(committed=False, watermark_moved=True)
        found = transaction.read(
            """SELECT id, revision FROM memories
            WHERE garden = :garden AND id IN (SELECT value FROM json_each(:ids))""",
            {
                "garden": self._garden,
                "ids": rows.to_json(sorted({change.after.id for change in batch.changes})),
            },
        )
        revisions: dict[str, int] = {row["id"]: row["revision"] for row in found}
        changed: dict[str, None] = {}
        for change in batch.changes:
            expected = change.before.revision if change.before else None
            if revisions.get(change.after.id) != expected:
                changed[change.after.id] = None
            revisions[change.after.id] = change.after.revision
        return CommitResult(committed=False, changed=tuple(changed)) if changed else None

    def _write_memories(self, transaction: Transaction, batch: CommitBatch) -> None:
        steps = [(change.before, change.after) for change in batch.changes]
        put_memories(transaction, self._garden, steps)
        put_versions(
            transaction,
            self._garden,
            [
                MemoryVersion(
                    memory=change.after.id,
                    revision=change.after.revision,
                    before=change.before,
                    after=change.after,
                    operation=change.operation,
                    reason=change.reason,
                    dream=batch.lease.dream,
                    round=change.round.value,
                    actor="dream",
                    at=batch.at,
                )
                for change in batch.changes
            ],
        )
        quotes = [quote for change in batch.changes for quote in change.evidence]
        put_evidence(transaction, self._garden, quotes)
        written = dict.fromkeys(after.id for _, after in steps)
        put_written(transaction, self._garden, batch.window, written, batch.at)
        if batch.changes:
            raise_revision(transaction, self._garden)

    def _move_watermark(self, transaction: Transaction, batch: CommitBatch) -> None:
        moved = transaction.execute(
            """UPDATE windows SET dreamed_seq = :through_seq, rev = rev + 1
            WHERE garden = :garden AND id = :window AND dreamed_seq = :from_seq""",
            {
                "garden": self._garden,
                "window": batch.window,
                "from_seq": batch.from_seq,
                "through_seq": batch.through_seq,
            },
        )
        if moved != 1:
            raise StoreError(f"the watermark of {batch.window} moved inside its own commit")

    def _finish(self, transaction: Transaction, batch: CommitBatch) -> None:
        for name, operations in batch.operations.items():
            transaction.execute(
                """UPDATE dream_rounds SET operations = :operations, review = :review
                WHERE garden = :garden AND dream = :dream AND name = :name""",
                {
                    "garden": self._garden,
                    "dream": batch.lease.dream,
                    "name": name.value,
                    "operations": operations,
                    "review": _review_count(operations),
                },
            )
        fenced(
            transaction,
            self._garden,
            batch.lease,
            """state = :state, owner = NULL, lease_until = NULL, finished_at = :at, failures = 0,
            reason = :reason, error = NULL, from_seq = :from_seq, through_seq = :through_seq""",
            {
                "state": (DreamState.APPLIED if batch.changes else DreamState.EMPTY).value,
                "at": batch.at,
                "reason": batch.reason,
                "from_seq": batch.from_seq,
                "through_seq": batch.through_seq,
            },
        )


def _require_rising(changes: tuple[MemoryChange, ...]) -> None:
    """A change is one step of one memory. Raises ValueError: anything else is a mistake of the caller."""
    for change in changes:
        before = change.before
        if before is not None and before.id != change.after.id:
            raise ValueError(f"a change turns memory {before.id} into {change.after.id}")
        if change.after.revision != (before.revision if before else 0) + 1:
            raise ValueError(f"the revision of memory {change.after.id} must rise by one")


def _review_count(operations: str) -> int:
    return sum(1 for one in json.loads(operations) if one["decision"] == Decision.REVIEW)
