"""Small shared state of a garden, request keys, and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.ports.library import IdempotencyConflict
from memgardend.core.words import DreamState, Status
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from memgardend.daemon.store.driver import Database, Transaction

_CHECK_KEY = "checked_at"
REVISION_KEY = "revision"

_COUNTS = """
SELECT 'windows' AS word, count(*) AS number FROM windows
    WHERE garden = :garden AND kind = 'main'
UNION ALL SELECT 'events', count(*) FROM events WHERE garden = :garden
UNION ALL SELECT 'unreadable_lines', coalesce(sum(unreadable), 0) FROM cursors
    WHERE garden = :garden
UNION ALL SELECT 'review', coalesce(sum(r.review), 0) FROM dream_rounds AS r
    JOIN dreams AS d ON d.garden = r.garden AND d.id = r.dream
    WHERE r.garden = :garden AND r.review > 0
        AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL
UNION ALL SELECT state, count(*) FROM dreams WHERE garden = :garden GROUP BY state
UNION ALL SELECT status, count(*) FROM memories WHERE garden = :garden GROUP BY status
"""


def raise_revision(transaction: Transaction, garden: str) -> None:
    """Count one more change of the garden's memories."""
    transaction.execute(
        """INSERT INTO garden_state (garden, key, value) VALUES (:garden, :key, '1')
        ON CONFLICT (garden, key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)""",
        {"garden": garden, "key": REVISION_KEY},
    )


def known_result(reader: Database | Transaction, garden: str, key: str, digest: str) -> str | None:
    """The stored result of a request key. Raises IdempotencyConflict when it was another request's."""
    row = reader.one(
        "SELECT digest, result FROM idempotency WHERE garden = :garden AND key = :key",
        {"garden": garden, "key": key},
    )
    if row is None:
        return None
    if row["digest"] != digest:
        raise IdempotencyConflict(key)
    result: str = row["result"]
    return result


class State(Part):
    """State that all processes of a garden share."""

    def state(self, key: str) -> str | None:
        value: str | None = self._database.value(
            "SELECT value FROM garden_state WHERE garden = :garden AND key = :key",
            {"garden": self._garden, "key": key},
        )
        return value

    def set_state(self, key: str, expected: str | None, value: str | None) -> bool:
        row = {"garden": self._garden, "key": key, "value": value, "expected": expected}
        if value is None:
            sql = "DELETE FROM garden_state WHERE garden = :garden AND key = :key AND value = :expected"
        elif expected is None:
            sql = """INSERT INTO garden_state (garden, key, value) VALUES (:garden, :key, :value)
                ON CONFLICT (garden, key) DO NOTHING"""
        else:
            sql = """UPDATE garden_state SET value = :value
                WHERE garden = :garden AND key = :key AND value = :expected"""
        if value is None and expected is None:
            return self.state(key) is None
        with self._database.write() as transaction:
            return transaction.execute(sql, row) == 1

    def pass_check_gate(self, now: int, interval_ms: int) -> bool:
        with self._database.write() as transaction:
            passed = transaction.execute(
                """INSERT INTO garden_state (garden, key, value) VALUES (:garden, :key, :now)
                ON CONFLICT (garden, key) DO UPDATE SET value = excluded.value
                WHERE CAST(value AS INTEGER) <= CAST(:now AS INTEGER) - :interval_ms
                    OR CAST(value AS INTEGER) > CAST(:now AS INTEGER)""",
                {
                    "garden": self._garden,
                    "key": _CHECK_KEY,
                    "now": str(now),
                    "interval_ms": interval_ms,
                },
            )
        return passed == 1

    def remembered(self, key: str, digest: str) -> str | None:
        return known_result(self._database, self._garden, key, digest)

    def remember_result(self, key: str, digest: str, result: str, now: int) -> None:
        with self._database.write() as transaction:
            transaction.execute(
                """INSERT INTO idempotency (garden, key, digest, result, at)
                VALUES (:garden, :key, :digest, :result, :now) ON CONFLICT DO NOTHING""",
                {
                    "garden": self._garden,
                    "key": key,
                    "digest": digest,
                    "result": result,
                    "now": now,
                },
            )
        self.remembered(key, digest)

    def version(self) -> int:
        return int(self._database.value("PRAGMA data_version"))

    def counts(self) -> dict[str, int]:
        zero = {word.value: 0 for word in (*DreamState, *Status)}
        found = self._database.read(_COUNTS, {"garden": self._garden})
        return {**zero, **{row["word"]: row["number"] for row in found}}
