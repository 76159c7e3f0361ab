"""The index over memories: what ranks and compares them by their terms, without reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.indexing import index_version
from memgardend.core.words import Status
from memgardend.daemon.store import rows
from memgardend.daemon.store.index_reading import TABLES, IndexReading
from memgardend.daemon.store.index_rows import index_some, locale_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.ports.index import Probe
    from memgardend.daemon.store.driver import Transaction

_CLEAR = (
    *(
        f"""DELETE FROM {table} WHERE term IN (
            SELECT number FROM index_terms WHERE garden = :garden)"""
        for table in TABLES.values()
    ),
    """DELETE FROM index_contents WHERE memory IN (
        SELECT number FROM index_memories WHERE garden = :garden)""",
    "DELETE FROM index_memories WHERE garden = :garden",
    "DELETE FROM index_terms WHERE garden = :garden",
    """INSERT INTO index_queue (garden, memory) SELECT garden, id FROM memories
    WHERE garden = :garden ON CONFLICT DO NOTHING""",
    "DELETE FROM index_state WHERE garden = :garden",
    "INSERT INTO index_state (garden, version, building) VALUES (:garden, :version, 1)",
)
_CLEAR_LOST = (
    *(
        f"DELETE FROM {table} WHERE term NOT IN (SELECT number FROM index_terms)"
        for table in TABLES.values()
    ),
    "DELETE FROM index_contents WHERE memory NOT IN (SELECT number FROM index_memories)",
)
"""Of a damaged index: what no garden finds any more, and what is new would meet."""

# All probes at once: a statement takes longer to begin than to find what one of them asks for.
_PROBE = """
WITH asked AS MATERIALIZED (
    SELECT json_extract(value, '$[0]') AS names, json_extract(value, '$[1]') AS by_frame,
        json_extract(value, '$[2]') AS least, json_extract(value, '$[3]') AS most
    FROM json_each(:probes)
)
SELECT DISTINCT m.memory FROM asked AS q CROSS JOIN json_each(q.names) AS a
    CROSS JOIN index_terms AS t CROSS JOIN index_postings AS p CROSS JOIN index_memories AS m
WHERE t.garden = :garden AND t.term = a.value AND p.term = t.number AND p.retired = 0
    AND m.number = p.memory
    AND (CASE WHEN q.by_frame THEN m.frame ELSE m.said END) BETWEEN q.least AND q.most
    AND m.status = :active
"""


class Index(IndexReading):
    """The index of one garden: its building, too."""

    def keep_index(self, locale: str) -> None:
        version = index_version(locale)
        while not self._is_kept(version):
            with self._database.write() as transaction:
                self._build(transaction, version)

    def rebuild_index(self, locale: str) -> int:
        with self._database.write() as transaction:
            self._begin(transaction, index_version(locale))
            for statement in _CLEAR_LOST:
                transaction.execute(statement)
        self.keep_index(locale)
        return self.term_statistics(()).memories

    def probe(self, probes: Iterable[Probe]) -> frozenset[str]:
        asked = {
            "garden": self._garden,
            "probes": rows.to_json(
                [[one.names, one.by_frame, one.least, one.most] for one in probes]
            ),
            "active": Status.ACTIVE.value,
        }
        return frozenset(row["memory"] for row in self._database.read(_PROBE, asked))

    def _is_kept(self, version: str) -> bool:
        return bool(
            self._database.value(
                """SELECT NOT building AND version = :version AND NOT EXISTS (
                    SELECT 1 FROM index_queue AS q WHERE q.garden = s.garden)
                FROM index_state AS s WHERE garden = :garden""",
                {"garden": self._garden, "version": version},
            )
        )

    def _build(self, transaction: Transaction, version: str) -> None:
        """One step towards a whole index: begin anew where the rules differ, else read some more memories."""
        state = transaction.one(
            "SELECT version FROM index_state WHERE garden = :garden", {"garden": self._garden}
        )
        if state is None or state["version"] != version:
            self._begin(transaction, version)
        locale = locale_of(version)
        if locale is None or not index_some(transaction, self._garden, locale):
            transaction.execute(
                "UPDATE index_state SET building = 0 WHERE garden = :garden",
                {"garden": self._garden},
            )

    def _begin(self, transaction: Transaction, version: str) -> None:
        for statement in _CLEAR:
            transaction.execute(statement, {"garden": self._garden, "version": version})
