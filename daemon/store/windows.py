"""Windows, their events, and the facts that the gates judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.records import WindowFacts
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import FINAL, OPEN, SPEECH, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Dream, Event, Window
    from memgardend.daemon.store.driver import Row

_REPLACED = """EXISTS (
    SELECT 1 FROM events AS r
    WHERE r.garden = e.garden AND r.window = e.window AND r.replaces = e.seq
) AS replaced"""

_WINDOWS = """
SELECT * FROM windows
WHERE garden = :garden AND (:window IS NULL OR id = :window)
    AND (:aside OR :window IS NOT NULL OR kind = 'main')
ORDER BY last_event_at DESC, id
"""
# CROSS JOIN fixes the order: from the few windows with news to their events, not from all events.
_NEWS = f"""
SELECT w.id AS window, count(*) AS number, min(e.at) AS oldest
FROM windows AS w CROSS JOIN events AS e INDEXED BY events_speech
WHERE w.garden = :garden AND (:window IS NULL OR w.id = :window)
    AND w.last_speech_seq > w.dreamed_seq
    AND e.garden = w.garden AND e.window = w.id AND e.seq > w.dreamed_seq AND {SPEECH}
GROUP BY w.id
"""
_REVIEW = """
SELECT d.window, sum(r.review) AS number FROM dream_rounds AS r
JOIN dreams AS d ON d.garden = r.garden AND d.id = r.dream
WHERE r.garden = :garden AND r.review > 0 AND (:window IS NULL OR d.window = :window)
    AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL
GROUP BY d.window
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
            windows = [rows.window_of(row) for row in self._database.read(_WINDOWS, params)]
            news, review, open_dreams, last_dreams = (
                {row["window"]: row for row in self._database.read(sql, params)}
                for sql in (_NEWS, _REVIEW, _OPEN_DREAMS, _LAST_DREAMS)
            )
        return [
            WindowFacts(
                window=window,
                new_events=news[window.id]["number"] if window.id in news else 0,
                oldest_new_at=news[window.id]["oldest"] if window.id in news else None,
                open_dream=_dream(open_dreams.get(window.id)),
                last_dream=_dream(last_dreams.get(window.id)),
                review=review[window.id]["number"] if window.id in review else 0,
            )
            for window in windows
        ]

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


def _dream(row: Row | None) -> Dream | None:
    return None if row is None else rows.dream_of(row)
