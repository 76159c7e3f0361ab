"""Windows, their events, and the facts that the gates judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.records import WindowFacts
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import FINAL, OPEN, SPEECH, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Dream, Event, Window

_REPLACED = """EXISTS (
    SELECT 1 FROM events AS r
    WHERE r.garden = e.garden AND r.window = e.window AND r.replaces = e.seq
) AS replaced"""

_FACTS = f"""
SELECT w.*,
    (SELECT count(*) FROM events AS e WHERE e.garden = w.garden AND e.window = w.id
        AND e.seq > w.dreamed_seq AND {SPEECH}) AS new_events,
    (SELECT min(e.at) FROM events AS e WHERE e.garden = w.garden AND e.window = w.id
        AND e.seq > w.dreamed_seq AND {SPEECH}) AS oldest_new_at,
    (SELECT coalesce(sum(r.review), 0) FROM dreams AS d
        JOIN dream_rounds AS r ON r.garden = d.garden AND r.dream = d.id AND r.review > 0
        WHERE d.garden = w.garden AND d.window = w.id
        AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL) AS review
FROM windows AS w
WHERE w.garden = :garden AND (:window IS NULL OR w.id = :window)
    AND (:aside OR :window IS NOT NULL OR w.kind = 'main')
ORDER BY w.last_event_at DESC, w.id
"""

_OPEN_DREAMS = f"""
SELECT * FROM dreams
WHERE garden = :garden AND (:window IS NULL OR window = :window) AND {OPEN}
"""

_LAST_DREAMS = f"""
SELECT * FROM dreams WHERE garden = :garden AND id IN (
    SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY window ORDER BY finished_at DESC, id DESC) AS rank
        FROM dreams
        WHERE garden = :garden AND (:window IS NULL OR window = :window) AND {FINAL}
    ) WHERE rank = 1
)
"""


class Windows(Part):
    """Windows and events of one garden (writing them in batches is ingest's)."""

    def window(self, window_id: str) -> Window | None:
        row = self._database.one(
            "SELECT * FROM windows WHERE garden = :garden AND id = :id",
            {"garden": self._garden, "id": window_id},
        )
        return rows.window_of(row) if row else None

    def window_facts(
        self, window_id: str | None = None, *, aside: bool = False
    ) -> Sequence[WindowFacts]:
        params = {"garden": self._garden, "window": window_id, "aside": aside}
        with self._database.snapshot():
            found = self._database.read(_FACTS, params)
            open_dreams = self._by_window(_OPEN_DREAMS, window_id)
            last_dreams = self._by_window(_LAST_DREAMS, window_id)
        facts = []
        for row in found:
            new_events, oldest, review = (
                row.pop(name) for name in ("new_events", "oldest_new_at", "review")
            )
            window = rows.window_of(row)
            facts.append(
                WindowFacts(
                    window=window,
                    new_events=new_events,
                    oldest_new_at=oldest,
                    open_dream=open_dreams.get(window.id),
                    last_dream=last_dreams.get(window.id),
                    review=review,
                )
            )
        return facts

    def _by_window(self, sql: str, window_id: str | None) -> dict[str, Dream]:
        found = self._database.read(sql, {"garden": self._garden, "window": window_id})
        return {row["window"]: rows.dream_of(row) for row in found}

    def find_windows(self, prefix: str) -> Sequence[str]:
        return self._find("windows", ("id", "native_id"), prefix)

    def events(self, window_id: str, after: int = 0, through: int | None = None) -> Sequence[Event]:
        found = self._database.read(
            f"""SELECT e.*, {_REPLACED} FROM events AS e
            WHERE e.garden = :garden AND e.window = :window AND e.seq > :after
                AND (:through IS NULL OR e.seq <= :through)
            ORDER BY e.seq""",
            {"garden": self._garden, "window": window_id, "after": after, "through": through},
        )
        return [rows.event_of(row) for row in found]

    def events_before(self, window_id: str, through: int, limit: int) -> Sequence[Event]:
        found = self._database.read(
            f"""SELECT e.*, {_REPLACED} FROM events AS e
            WHERE e.garden = :garden AND e.window = :window AND e.seq <= :through AND {SPEECH}
            ORDER BY e.seq DESC LIMIT :limit""",
            {"garden": self._garden, "window": window_id, "through": through, "limit": limit},
        )
        return [rows.event_of(row) for row in reversed(found)]

    def set_skip(self, window_id: str, skip: bool) -> bool:
        return self._set_flag("skip", window_id, skip)

    def set_archived(self, window_id: str, archived: bool) -> bool:
        return self._set_flag("archived", window_id, archived)

    def _set_flag(self, column: str, window_id: str, value: bool) -> bool:
        with self._database.write() as transaction:
            changed = transaction.execute(
                f"""UPDATE windows SET {column} = :value, rev = rev + 1
                WHERE garden = :garden AND id = :id AND {column} <> :value""",
                {"garden": self._garden, "id": window_id, "value": int(value)},
            )
        return changed == 1
