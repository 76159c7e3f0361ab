"""The backlog of a window that was old at adoption: its earlier events, under the numbers up to 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.records import IngestResult
from memgardend.core.words import SPEECH_ROLES
from memgardend.daemon.store import rows
from memgardend.daemon.store.ingest import Ingest, insert_events

if TYPE_CHECKING:
    from memgardend.core.records import IngestBatch
    from memgardend.daemon.store.driver import Row

_OWED = """
SELECT w.* FROM windows AS w
WHERE w.garden = :garden AND w.id = :window AND w.baseline = 0 AND w.dreamed_seq = 0
    AND NOT EXISTS (SELECT 1 FROM dreams AS d WHERE d.garden = w.garden AND d.window = w.id)
"""
_SET_BACK = """
UPDATE windows SET baseline = :mark, dreamed_seq = :mark, rev = rev + 1,
    last_speech_seq = CASE WHEN last_speech_seq > 0 THEN last_speech_seq ELSE :last_speech_seq END
WHERE garden = :garden AND id = :window
"""


class Backlog(Ingest):
    """Ingest that may also go back before a baseline."""

    def ingest_backlog(self, batch: IngestBatch) -> IngestResult:
        with self._database.write() as transaction:
            params = {"garden": self._garden, "window": batch.window.id}
            stored = transaction.one(_OWED, params)
            if stored is None:
                return IngestResult(stale=True)
            window = rows.window_of(stored)
            found, result = self._new_events(transaction, window, batch)
            earlier = _numbered_down(found, window.last_seq)
            if not earlier:
                return IngestResult(duplicate=result.duplicate)
            insert_events(transaction, earlier)
            speech = [event["seq"] for event in earlier if event["role"] in SPEECH_ROLES]
            mark = earlier[0]["seq"] - 1
            transaction.execute(
                _SET_BACK, {**params, "mark": mark, "last_speech_seq": max(speech, default=mark)}
            )
        return IngestResult(
            accepted=len(earlier), duplicate=result.duplicate, replays=result.replays
        )


def _numbered_down(events: list[Row], last_seq: int) -> list[Row]:
    """The same events with numbers that end at 0. What corrects a later event is no earlier one."""
    earlier = [event for event in events if not 0 < (event["replaces"] or 0) <= last_seq]
    numbers = {event["seq"]: n for n, event in enumerate(earlier, start=1 - len(earlier))}
    return [
        event | {"seq": numbers[event["seq"]], "replaces": numbers.get(event["replaces"])}
        for event in earlier
    ]
