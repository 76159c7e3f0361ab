"""How far each file of a source was read, and since when the source is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.records import Cursor
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.store.driver import Transaction

_COLUMNS = rows.names(Cursor)
_UPSERT = (
    rows.insert_sql("cursors", _COLUMNS)
    + " ON CONFLICT (garden, source, path) DO UPDATE SET "
    + ", ".join(f"{c} = excluded.{c}" for c in _COLUMNS if c not in ("source", "path"))
)


def move_cursor(
    transaction: Transaction, garden: str, cursor: Cursor, expected_offset: int | None
) -> bool:
    """Write the cursor if it still stands where it was read (None: there is none yet)."""
    row = rows.to_row(cursor, garden)
    stored = transaction.one(
        "SELECT offset FROM cursors WHERE garden = :garden AND source = :source AND path = :path",
        {name: row[name] for name in ("garden", "source", "path")},
    )
    if (stored["offset"] if stored else None) != expected_offset:
        return False
    transaction.execute(_UPSERT, row)
    return True


class Cursors(Part):
    """Cursors and adoption of one garden."""

    def cursor(self, source: str, path: str) -> Cursor | None:
        row = self._database.one(
            "SELECT * FROM cursors WHERE garden = :garden AND source = :source AND path = :path",
            {"garden": self._garden, "source": source, "path": path},
        )
        return rows.cursor_of(row) if row else None

    def cursors(self, source: str) -> Sequence[Cursor]:
        found = self._database.read(
            "SELECT * FROM cursors WHERE garden = :garden AND source = :source ORDER BY path",
            {"garden": self._garden, "source": source},
        )
        return [rows.cursor_of(row) for row in found]

    def save_cursor(self, cursor: Cursor, expected_offset: int | None) -> bool:
        with self._database.write() as transaction:
            return move_cursor(transaction, self._garden, cursor, expected_offset)

    def save_cursors(self, moves: Sequence[tuple[Cursor, int | None]]) -> int:
        with self._database.write() as transaction:
            return sum(
                move_cursor(transaction, self._garden, cursor, expected_offset)
                for cursor, expected_offset in moves
            )

    def adopted_at(self, source: str) -> int | None:
        value = self._database.value(
            "SELECT value FROM garden_state WHERE garden = :garden AND key = :key",
            {"garden": self._garden, "key": _adoption_key(source)},
        )
        return None if value is None else int(value)

    def adopt(self, source: str, now: int) -> int:
        with self._database.write() as transaction:
            transaction.execute(
                """INSERT INTO garden_state (garden, key, value) VALUES (:garden, :key, :now)
                ON CONFLICT (garden, key) DO NOTHING""",
                {"garden": self._garden, "key": _adoption_key(source), "now": str(now)},
            )
            row = transaction.one(
                "SELECT value FROM garden_state WHERE garden = :garden AND key = :key",
                {"garden": self._garden, "key": _adoption_key(source)},
            )
        return int(row["value"]) if row else now


def _adoption_key(source: str) -> str:
    return f"adopted_at.{source}"
