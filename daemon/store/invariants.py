"""The invariants of the store, each one query: what `doctor` and the tests hold it to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError
from memgardend.core.records import Violation, quote_hash
from memgardend.daemon.store import rows
from memgardend.daemon.store.folder import too_open
from memgardend.daemon.store.part import OPEN, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.daemon.store.driver import Database

_CHECKS = {
    "running_has_lease": """
        SELECT id AS detail FROM dreams WHERE garden = :garden AND state = 'running'
            AND (lease_until IS NULL OR owner IS NULL OR fence < 1)""",
    "lease_only_while_running": """
        SELECT id AS detail FROM dreams WHERE garden = :garden AND state <> 'running'
            AND (lease_until IS NOT NULL OR owner IS NOT NULL)""",
    "waiting_has_instant": """
        SELECT id AS detail FROM dreams WHERE garden = :garden
            AND state IN ('pending', 'failed') AND next_attempt_at IS NULL""",
    "quarantined_has_reason": """
        SELECT id AS detail FROM dreams WHERE garden = :garden
            AND state = 'quarantined' AND reason IS NULL""",
    "final_has_end": """
        SELECT id AS detail FROM dreams WHERE garden = :garden
            AND state IN ('applied', 'empty', 'cancelled') AND finished_at IS NULL""",
    "one_open_dream": f"""
        SELECT window AS detail FROM dreams WHERE garden = :garden AND {OPEN}
        GROUP BY window HAVING count(*) > 1""",
    "watermark_within_window": """
        SELECT id AS detail FROM windows WHERE garden = :garden AND dreamed_seq > last_seq""",
    "watermark_covers_dreams": """
        SELECT d.id AS detail FROM dreams AS d
        JOIN windows AS w ON w.garden = d.garden AND w.id = d.window
        WHERE d.garden = :garden AND d.state IN ('applied', 'empty') AND d.undone_at IS NULL
            AND (d.through_seq IS NULL OR d.through_seq > w.dreamed_seq)""",
    "rounds_of_done_dreams": """
        SELECT r.dream || ' ' || r.name AS detail FROM dream_rounds AS r
        JOIN dreams AS d ON d.garden = r.garden AND d.id = r.dream
        WHERE d.garden = :garden AND d.state IN ('applied', 'empty')
            AND r.state NOT IN ('staged', 'skipped')""",
    "events_contiguous": """
        SELECT w.id AS detail FROM windows AS w
        JOIN (
            SELECT window, min(seq) AS low, max(seq) AS high, count(*) AS number
            FROM events WHERE garden = :garden GROUP BY window
        ) AS e ON e.window = w.id
        WHERE w.garden = :garden AND (e.high <> w.last_seq OR e.high - e.low + 1 <> e.number)""",
    "events_present": """
        SELECT w.id AS detail FROM windows AS w
        WHERE w.garden = :garden AND w.last_seq > w.dreamed_seq AND NOT EXISTS (
            SELECT 1 FROM events AS e
            WHERE e.garden = w.garden AND e.window = w.id AND e.seq = w.dreamed_seq + 1)""",
    "version_exists": """
        SELECT m.id AS detail FROM memories AS m WHERE m.garden = :garden AND NOT EXISTS (
            SELECT 1 FROM memory_versions AS v WHERE v.garden = m.garden AND v.memory = m.id)""",
    "successor_exists": """
        SELECT m.id AS detail FROM memories AS m
        WHERE m.garden = :garden AND m.superseded_by IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM memories AS s WHERE s.garden = m.garden AND s.id = m.superseded_by)""",
    "projects_exist": """
        SELECT m.id || ' ' || s.value AS detail FROM memories AS m,
            json_each('["' || replace(m.scope, ',', '","') || '"]') AS s
        WHERE m.garden = :garden AND m.scope NOT IN ('global', 'unset') AND NOT EXISTS (
            SELECT 1 FROM projects AS p WHERE p.garden = m.garden AND p.id = s.value)""",
    "index_follows": """
        SELECT m.id AS detail FROM memories AS m
        JOIN index_state AS s ON s.garden = m.garden AND NOT s.building
        LEFT JOIN index_memories AS i ON i.garden = m.garden AND i.memory = m.id
        WHERE m.garden = :garden AND i.revision IS NOT m.revision AND NOT EXISTS (
            SELECT 1 FROM index_queue AS q WHERE q.garden = m.garden AND q.memory = m.id)
        UNION ALL SELECT i.memory FROM index_memories AS i
        WHERE i.garden = :garden AND NOT EXISTS (
            SELECT 1 FROM memories AS m WHERE m.garden = i.garden AND m.id = i.memory)""",
    "index_counts": """
        SELECT count(*) || ' terms' AS detail FROM index_terms AS t
        WHERE t.garden = :garden AND t.memories <> (
            SELECT count(*) FROM index_postings AS p WHERE p.term = t.number)
        GROUP BY t.garden""",
}
_NEWEST_VERSIONS = """
SELECT m.*, v.after FROM memories AS m
JOIN memory_versions AS v ON v.garden = m.garden AND v.memory = m.id
WHERE m.garden = :garden AND v.revision = (
    SELECT max(n.revision) FROM memory_versions AS n
    WHERE n.garden = m.garden AND n.memory = m.id)
"""
_GARDENS = " UNION ".join(
    f"SELECT garden FROM {table}"
    for table in ("projects", "windows", "cursors", "memories", "dreams", "garden_state")
)


class Invariants(Part):
    """What `violations()` of the port finds."""

    def violations(self) -> Sequence[Violation]:
        with self._database.snapshot():
            return _violations(self._database, [self._garden])

    def damage(self) -> Sequence[Violation]:
        return damage(self._database, quick=True)


def every_violation(database: Database) -> Sequence[Violation]:
    """What is wrong with a store and with all its gardens."""
    with database.snapshot():
        return _violations(database, [row["garden"] for row in database.read(_GARDENS)])


def damage(database: Database, *, quick: bool = False) -> list[Violation]:
    """What is wrong with the file itself: pages, references, and unless it is to be `quick` indexes."""
    check = "quick_check" if quick else "integrity_check"
    found = []
    try:
        for row in database.read(f"PRAGMA {check}"):
            if row[check] != "ok":
                found.append(Violation(check="integrity", detail=str(row[check])))
        for row in database.read("PRAGMA foreign_key_check"):
            detail = f"{row['table']} {row['rowid']} -> {row['parent']}"
            found.append(Violation(check="foreign_keys", detail=detail))
    except StoreError as error:
        found.append(_unreadable(error))
    return found


def _permissions(database: Database) -> list[Violation]:
    """Who else may read the store."""
    names = too_open(database.path) if database.path is not None else []
    return [Violation(check="permissions", detail=name) for name in names]


def _violations(database: Database, gardens: Sequence[str]) -> list[Violation]:
    found = [*damage(database), *_permissions(database)]
    try:
        for garden in gardens:
            found += _of_garden(database, garden)
    except StoreError as error:
        found.append(_unreadable(error))
    return found


def _unreadable(error: StoreError) -> Violation:
    """Damaged pages end a query; what was found before it is still worth saying."""
    return Violation(check="unreadable", detail=str(error))


def _of_garden(database: Database, garden: str) -> list[Violation]:
    params = {"garden": garden}
    found = [
        Violation(check=check, detail=row["detail"])
        for check, sql in _CHECKS.items()
        for row in database.read(sql, params)
    ]
    for row in database.read(_NEWEST_VERSIONS, params):
        after = json.loads(row.pop("after"))
        if {"garden": garden, **after} != row:
            found.append(Violation(check="version_equals_memory", detail=row["id"]))
    for row in database.read("SELECT * FROM evidence WHERE garden = :garden", params):
        evidence = rows.evidence_of(row)
        if evidence.hash != quote_hash(evidence.quote):
            detail = f"{evidence.memory} {evidence.window} {evidence.event}"
            found.append(Violation(check="evidence_hash", detail=detail))
    return found
