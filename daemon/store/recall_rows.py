"""How the marks of a recall are written: every instant only rises, so late and repeated ones do no harm.

A record of the same instant, window and words is the same record.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.words import Use
from memgardend.daemon.store import rows

if TYPE_CHECKING:
    from memgardend.core.records.window_recall import Marks
    from memgardend.daemon.store.driver import Transaction

COLUMNS = ("anchor", "anchored_at", "block_at", "prompted_at", "released_at", "restored_at")

_RISING = ", ".join(
    f"{name} = max(coalesce({name}, excluded.{name}), coalesce(excluded.{name}, {name}))"
    for name in COLUMNS[2:]
)
_STATE = f"""
INSERT INTO window_recall (garden, window, {", ".join(COLUMNS)})
VALUES (:garden, :window, {", ".join(f":{name}" for name in COLUMNS)})
ON CONFLICT (garden, window) DO UPDATE SET
    anchor = CASE WHEN excluded.anchored_at >= coalesce(anchored_at, -1)
        THEN excluded.anchor ELSE anchor END,
    anchored_at = CASE WHEN excluded.anchored_at >= coalesce(anchored_at, -1)
        THEN excluded.anchored_at ELSE anchored_at END,
    {_RISING}
"""
_PROJECT = """
INSERT INTO window_projects (garden, window, project, at) VALUES (:garden, :window, :project, :at)
ON CONFLICT (garden, window, project) DO UPDATE SET at = max(at, excluded.at)
"""
# A memory may have been purged since; and only what is news is counted as one more use.
_USES = """
INSERT INTO window_memories (garden, window, memory, how, at)
SELECT m.garden, :window, m.id, :how, :at FROM json_each(:ids) AS i CROSS JOIN memories AS m
WHERE m.garden = :garden AND m.id = i.value
ON CONFLICT (garden, window, memory, how) DO UPDATE SET at = excluded.at WHERE excluded.at > at
RETURNING memory
"""
_COUNT = """
INSERT INTO memory_use (garden, memory, hits, last_access_at)
SELECT :garden, value, :hits, :at FROM json_each(:ids) WHERE true
ON CONFLICT (garden, memory) DO UPDATE SET hits = hits + excluded.hits,
    last_access_at = max(coalesce(last_access_at, 0), excluded.last_access_at)
"""
# The same marks may come twice: a fold may die before it removes what it has written.
_RECORD = """
INSERT INTO recalls (garden, window, at, record) SELECT :garden, :window, :at, :record
WHERE NOT EXISTS (SELECT 1 FROM recalls
    WHERE garden = :garden AND window = :window AND at = :at AND record = :record)
"""
_COUNTED = {Use.SEARCHED: 1, Use.ACCESSED: 0}
"""By how much a use raises the hits of a memory; the others are no access."""


def note(transaction: Transaction, garden: str, marks: Marks) -> None:
    """Write marks."""
    about = {"garden": garden, "window": marks.window, "at": marks.at}
    happened = {
        "anchored_at": marks.anchor is not None,
        "block_at": marks.block,
        "prompted_at": marks.prompted,
        "released_at": marks.released,
        "restored_at": marks.restored,
    }
    if any(happened.values()):
        instants = {name: marks.at if is_so else None for name, is_so in happened.items()}
        transaction.execute(_STATE, {**about, "anchor": marks.anchor, **instants})
    for project in marks.projects_asked:
        transaction.execute(_PROJECT, {**about, "project": project})
    for use, ids in marks.used.items():
        used = {**about, "how": use.value, "ids": rows.to_json(list(ids))}
        new = [row["memory"] for row in transaction.read(_USES, used)]
        if use in _COUNTED:
            transaction.execute(_COUNT, {**about, "ids": rows.to_json(new), "hits": _COUNTED[use]})
    if marks.record is not None:
        record = json.dumps(marks.record, separators=(",", ":"), sort_keys=True)
        transaction.execute(_RECORD, {**about, "record": record})
