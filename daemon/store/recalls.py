"""Records of what was recalled and why the rest was not: how they are read, and forgotten. Marks bring them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.records import Recall
from memgardend.daemon.store.part import Part
from memgardend.daemon.store.spool import spool_beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Recalls(Part):
    """The records of one garden."""

    def recalls(self, window_id: str | None = None, *, limit: int = 0) -> Sequence[Recall]:
        waiting = list(self._waiting(window_id))  # before what it may be folded into
        where = "" if window_id is None else "AND window = :window"
        found = self._database.read(
            f"""SELECT window, at, record FROM recalls WHERE garden = :garden {where}
            ORDER BY at DESC, id DESC LIMIT :limit""",
            {"garden": self._garden, "window": window_id, "limit": limit or -1},
        )
        stored = [
            Recall(window=row["window"], at=row["at"], record=json.loads(row["record"]))
            for row in found
        ]
        new = [one for one in waiting if one not in stored]
        newest = sorted([*new, *stored], key=lambda one: -one.at)
        return newest[:limit] if limit else newest

    def forget_recalls(self, before: int) -> int:
        with self._database.write() as transaction:
            return transaction.execute(
                "DELETE FROM recalls WHERE garden = :garden AND at < :before",
                {"garden": self._garden, "before": before},
            )

    def _waiting(self, window_id: str | None) -> Iterator[Recall]:
        """The records that lie in the spool, the newest first."""
        spool = spool_beside(self._database.path, self._garden)
        for marks in reversed(list(spool.waiting().values()) if spool else []):
            if marks.record is not None and window_id in (None, marks.window):
                yield Recall(window=marks.window, at=marks.at, record=marks.record)
