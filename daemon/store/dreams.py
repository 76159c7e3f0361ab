"""Dreams: the claim, and what is known of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from memgardend.daemon.store import rows
from memgardend.daemon.store.part import OPEN, Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Dream
    from memgardend.core.words import DreamState

_CLAIM = f"""
INSERT INTO dreams (garden, id, window, state, manual, overrode, from_seq, next_attempt_at, created_at)
SELECT w.garden, :id, w.id, 'pending', :manual, :overrode, w.dreamed_seq, :now, :now
FROM windows AS w
WHERE w.garden = :garden AND w.id = :window AND w.rev = :rev AND NOT EXISTS (
    SELECT 1 FROM dreams AS d WHERE d.garden = w.garden AND d.window = w.id AND d.{OPEN}
)
"""
_LATEST = """
SELECT * FROM (
    SELECT id, finished_at FROM dreams WHERE garden = :garden AND state = '{state}'
    ORDER BY finished_at DESC LIMIT :sample
)
"""
# A state at a time, because the index on dreams is by state.
_LENGTHS = f"""
SELECT sum(r.duration_ms) AS duration_ms
FROM (
    {_LATEST.format(state="applied")} UNION ALL {_LATEST.format(state="empty")}
    ORDER BY finished_at DESC LIMIT :sample
) AS d CROSS JOIN receipts AS r ON r.garden = :garden AND r.dream = d.id
WHERE r.outcome = 'ok' GROUP BY d.id
"""
_MIN_FOR_P90 = 5
_P90_SAMPLE = 100


class Dreams(Part):
    """The dreams of one garden (running them is Leases')."""

    def claim(
        self,
        window_id: str,
        rev: int,
        dream_id: str,
        now: int,
        *,
        manual: bool = False,
        overrode: Sequence[str] = (),
    ) -> bool:
        self._failpoints.hit("claim.before")
        with self._database.write() as transaction:
            inserted = transaction.execute(
                _CLAIM,
                {
                    "garden": self._garden,
                    "id": dream_id,
                    "window": window_id,
                    "rev": rev,
                    "manual": int(manual),
                    "overrode": rows.to_json(list(overrode)),
                    "now": now,
                },
            )
        self._failpoints.hit("claim.after")
        return inserted == 1

    def cancel(self, dream_id: str, now: int, reason: str, *, running: bool = False) -> bool:
        with self._database.write() as transaction:
            changed = transaction.execute(
                f"""UPDATE dreams SET
                    state = 'cancelled', reason = :reason, finished_at = :now, next_attempt_at = NULL,
                    owner = NULL, lease_until = NULL
                WHERE garden = :garden AND id = :id AND {OPEN}
                    AND (state <> 'running' OR :running)""",
                {
                    "garden": self._garden,
                    "id": dream_id,
                    "now": now,
                    "reason": reason,
                    "running": running,
                },
            )
        return changed == 1

    def dream(self, dream_id: str) -> Dream | None:
        row = self._database.one(
            "SELECT * FROM dreams WHERE garden = :garden AND id = :id",
            {"garden": self._garden, "id": dream_id},
        )
        return rows.dream_of(row) if row else None

    def dreams(
        self, limit: int = 0, *, window: str | None = None, states: Iterable[DreamState] = ()
    ) -> Sequence[Dream]:
        wanted = [state.value for state in states]
        found = self._database.read(
            """SELECT * FROM dreams
            WHERE garden = :garden AND (:window IS NULL OR window = :window)
                AND (NOT :filtered OR state IN (SELECT value FROM json_each(:states)))
            ORDER BY created_at DESC, rowid DESC LIMIT :limit""",
            {
                "garden": self._garden,
                "window": window,
                "filtered": bool(wanted),
                "states": rows.to_json(wanted),
                "limit": limit or -1,
            },
        )
        return [rows.dream_of(row) for row in found]

    def find_dreams(self, prefix: str) -> Sequence[str]:
        return self._find("dreams", ("id",), prefix)

    def startable(self, now: int) -> Sequence[Dream]:
        found = self._database.read(
            """SELECT * FROM dreams
            WHERE garden = :garden AND state IN ('pending', 'failed') AND next_attempt_at <= :now
            ORDER BY created_at, rowid""",
            {"garden": self._garden, "now": now},
        )
        return [rows.dream_of(row) for row in found]

    def p90_duration_ms(self) -> int | None:
        found = self._database.read(_LENGTHS, {"garden": self._garden, "sample": _P90_SAMPLE})
        durations = sorted(row["duration_ms"] for row in found)
        if len(durations) < _MIN_FOR_P90:
            return None
        return int(durations[math.ceil(0.9 * len(durations)) - 1])  # nearest rank
