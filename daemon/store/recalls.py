"""Records of what was recalled and why the rest was not: no content gets in here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.editorial.observability import assert_content_free
from memgardend.core.records import Recall
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.store.driver import Transaction

_INSERT = """
INSERT INTO recalls (garden, window, at, record) VALUES (:garden, :window, :at, :record)
"""


def insert_recall(transaction: Transaction, garden: str, recall: Recall) -> None:
    """Write one record. Raises AssertionError where it could hold content."""
    assert_content_free(recall.record)
    transaction.execute(
        _INSERT,
        {
            "garden": garden,
            "window": recall.window,
            "at": recall.at,
            "record": json.dumps(recall.record, separators=(",", ":"), sort_keys=True),
        },
    )


class Recalls(Part):
    """The records of one garden."""

    def note_recall(self, recall: Recall) -> None:
        with self._database.write() as transaction:
            insert_recall(transaction, self._garden, recall)

    def recalls(self, window_id: str | None = None, *, limit: int = 0) -> Sequence[Recall]:
        where = "" if window_id is None else "AND window = :window"
        found = self._database.read(
            f"""SELECT window, at, record FROM recalls WHERE garden = :garden {where}
            ORDER BY at DESC, id DESC LIMIT :limit""",
            {"garden": self._garden, "window": window_id, "limit": limit or -1},
        )
        return [
            Recall(window=row["window"], at=row["at"], record=json.loads(row["record"]))
            for row in found
        ]

    def forget_recalls(self, before: int) -> int:
        with self._database.write() as transaction:
            return transaction.execute(
                "DELETE FROM recalls WHERE garden = :garden AND at < :before",
                {"garden": self._garden, "before": before},
            )
