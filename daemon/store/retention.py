"""Forgetting: copies of messages and answers that were dreamed long ago. Their marks stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.forgetting import forgotten_mark, is_forgotten
from memgardend.core.words import Role
from memgardend.daemon.store.ingest import insert_events
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from memgardend.daemon.store.driver import Row

_DREAMED = """
SELECT d.window, min(max(d.through_seq), w.dreamed_seq) AS through FROM dreams AS d
JOIN windows AS w ON w.garden = d.garden AND w.id = d.window
WHERE d.garden = :garden AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL
    AND d.finished_at < :before
GROUP BY d.window
"""
_EVENTS = """
SELECT * FROM events
WHERE garden = :garden AND window = :window AND seq <= :through ORDER BY seq
"""
_DELETE = "DELETE FROM events WHERE garden = :garden AND window = :window AND seq = :seq"
_ANSWERS = """
UPDATE dream_rounds SET answer = NULL
WHERE garden = :garden AND answer IS NOT NULL AND dream IN (
    SELECT id FROM dreams WHERE garden = :garden AND finished_at < :before
        AND state IN ('applied', 'empty', 'cancelled'))
"""


class Retention(Part):
    """What a garden no longer needs once it was dreamed."""

    def forget(self, events_before: int, answers_before: int) -> tuple[int, int]:
        with self._database.write() as transaction:
            answers = transaction.execute(
                _ANSWERS, {"garden": self._garden, "before": answers_before}
            )
        dreamed = self._database.read(_DREAMED, {"garden": self._garden, "before": events_before})
        return sum(map(self._forget_window, dreamed)), answers

    def _forget_window(self, dreamed: Row) -> int:
        """A window a transaction, so that nobody waits long. Events never change: each makes room for its mark."""
        params = {"garden": self._garden, **dreamed}
        kept = [
            row for row in self._database.read(_EVENTS, params) if not is_forgotten(row["text"])
        ]
        if not kept:
            return 0
        with self._database.write() as transaction:
            for row in kept:
                transaction.execute(_DELETE, row)
            insert_events(
                transaction,
                [
                    row
                    | {
                        "role": Role.OWN.value,
                        "text": forgotten_mark(row["text"]),
                        "pasted": "[]",
                        "tool": None,
                    }
                    for row in kept
                ],
            )
        return len(kept)
