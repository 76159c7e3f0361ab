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
WHERE garden = :garden AND (:aside OR kind = 'main')
ORDER BY last_event_at DESC, id
"""
_HAS_NEWS = """windows INDEXED BY windows_news
WHERE garden = :garden AND kind = 'main' AND last_speech_seq > dreamed_seq"""
_NEWS_WINDOWS = f"SELECT * FROM {_HAS_NEWS} ORDER BY last_event_at DESC, id"
_ONE_WINDOW = "SELECT * FROM windows WHERE garden = :garden AND id = :window"
# CROSS JOIN fixes the order: from the few windows with news to their events, not from all events.
_NEWS = f"""
SELECT w.id AS window, count(*) AS number, min(e.at) AS oldest
FROM windows AS w CROSS JOIN events AS e INDEXED BY events_speech
WHERE w.garden = :garden {{one}} AND w.last_speech_seq > w.dreamed_seq
    AND e.garden = w.garden AND e.window = w.id AND e.seq > w.dreamed_seq AND {SPEECH}
GROUP BY w.id
"""
_REVIEW = """
SELECT d.window, sum(r.review) AS number FROM dream_rounds AS r
JOIN dreams AS d ON d.garden = r.garden AND d.id = r.dream
WHERE r.garden = :garden AND r.review > 0 {one}
    AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL
GROUP BY d.window
"""
_OPEN_DREAMS = f"SELECT * FROM dreams WHERE garden = :garden {{one}} AND {OPEN}"
_ENDED = f"SELECT DISTINCT window FROM dreams WHERE garden = :garden {{one}} AND {FINAL}"
_ABOUT_WINDOWS = (
    (_NEWS, "w.id"),
    (_REVIEW, "d.window"),
    (_OPEN_DREAMS, "window"),
    (_ENDED, "window"),
)
"""Each with its column of the window's id."""
_WITH_NEWS = f"""
SELECT w.id FROM windows AS w INDEXED BY windows_news
CROSS JOIN events AS e INDEXED BY events_speech
WHERE w.garden = :garden AND w.last_speech_seq > w.dreamed_seq
    AND w.kind = 'main' AND w.skip = 0 AND w.archived = 0
    AND (:quiet_since IS NULL OR w.last_event_at <= :quiet_since OR w.last_event_at > :beyond)
    AND e.garden = w.garden AND e.window = w.id AND e.seq > w.dreamed_seq AND {SPEECH}
GROUP BY w.id ORDER BY min(e.at), w.id
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
        self, window_id: str | None = None, *, aside: bool = False, with_news: bool = False
    ) -> Sequence[WindowFacts]:
        params = {"garden": self._garden, "window": window_id, "aside": aside}
        if window_id is not None:
            chosen, only = _ONE_WINDOW, "AND {} = :window"
        elif with_news:  # of thousands of windows a few, each time that somebody wrote
            chosen, only = _NEWS_WINDOWS, f"AND {{}} IN (SELECT id FROM {_HAS_NEWS})"
        else:
            chosen, only = _WINDOWS, ""
        with self._database.snapshot():
            windows = [rows.window_of(row) for row in self._database.read(chosen, params)]
            news, review, open_dreams, ended = (
                {row["window"]: row for row in self._database.read(sql, params)}
                for sql in (sql.format(one=only.format(column)) for sql, column in _ABOUT_WINDOWS)
            )
        return [
            WindowFacts(
                window=window,
                new_events=news[window.id]["number"] if window.id in news else 0,
                oldest_new_at=news[window.id]["oldest"] if window.id in news else None,
                open_dream=_dream(open_dreams.get(window.id)),
                ended=window.id in ended,
                review=review[window.id]["number"] if window.id in review else 0,
            )
            for window in windows
        ]

    def windows_with_news(
        self, quiet_since: int | None = None, beyond: int | None = None
    ) -> Sequence[str]:
        found = self._database.read(
            _WITH_NEWS,
            {"garden": self._garden, "quiet_since": quiet_since, "beyond": beyond},
        )
        return [row["id"] for row in found]

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
