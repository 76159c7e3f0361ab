"""The index over memories: what ranks and compares them by their terms, without reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.indexing import FIELDS, index_version
from memgardend.core.ports.index import TermStatistics
from memgardend.core.words import Status
from memgardend.daemon.store import rows
from memgardend.daemon.store.index_rows import index_some, locale_of
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.ports.index import Formula, Probe, Within
    from memgardend.daemon.store.driver import Transaction

_CLEAR = (
    """DELETE FROM index_postings WHERE memory IN (
        SELECT number FROM index_memories WHERE garden = :garden)""",
    "DELETE FROM index_memories WHERE garden = :garden",
    "DELETE FROM index_terms WHERE garden = :garden",
    """INSERT INTO index_queue (garden, memory) SELECT garden, id FROM memories
    WHERE garden = :garden ON CONFLICT DO NOTHING""",
    "DELETE FROM index_state WHERE garden = :garden",
    "INSERT INTO index_state (garden, version, building) VALUES (:garden, :version, 1)",
)
_WITHIN = """
m.garden = :garden
AND (m.status IN (SELECT value FROM json_each(:statuses))
    OR (:done_todos AND m.status = 'stale' AND EXISTS (SELECT 1 FROM memories AS x
        WHERE x.garden = m.garden AND x.id = m.memory AND x.subcategory = 'todo')))
AND (:any_layer OR m.layer IN (SELECT value FROM json_each(:layers)))
AND (:everywhere OR m.scope IN ('global', 'unset') OR EXISTS (
    SELECT 1 FROM json_each(:projects) AS w
    WHERE instr(',' || m.scope || ',', ',' || w.value || ',') > 0))
AND (:since IS NULL OR EXISTS (SELECT 1 FROM memories AS x
    WHERE x.garden = m.garden AND x.id = m.memory AND max(x.created_at, x.updated_at) >= :since))
AND m.memory NOT IN (SELECT value FROM json_each(:without))
"""
_FREQUENCY = " + ".join(f"p.{name} * :{name}" for name in FIELDS)
_LENGTH = " + ".join(f"m.{name} * (:{name} > 0)" for name in FIELDS)
# The tables in the order of the joins: a query has few terms, and each has its memories beside it.
_FOUND = """
FROM json_each(:weights) AS a CROSS JOIN index_terms AS t CROSS JOIN index_postings AS p
WHERE t.garden = :garden AND t.term = a.key AND p.term = t.number AND p.memory > :after
"""
_FOUND_AMONG = """
FROM json_each(:only) AS o CROSS JOIN index_memories AS n
    CROSS JOIN json_each(:weights) AS a CROSS JOIN index_terms AS t CROSS JOIN index_postings AS p
WHERE n.garden = :garden AND n.memory = o.value AND t.garden = :garden AND t.term = a.key
    AND p.term = t.number AND p.memory = n.number
"""
_BEST = f"""
WITH found AS (SELECT p.memory AS number, a.value AS weight, {_FREQUENCY} AS frequency {{found}}),
scored AS (
    SELECT m.memory, m.as_of, round(sum(f.weight * f.frequency * (:k1 + 1) / (f.frequency + :k1
        * (1 - :b + :b * (CASE WHEN :lone THEN m.characters ELSE {_LENGTH} END) / :average))), 9)
        AS score
    FROM found AS f CROSS JOIN index_memories AS m
    WHERE f.frequency > 0 AND m.number = f.number AND {_WITHIN}
    GROUP BY f.number
)
SELECT memory, score FROM scored WHERE score > 0 ORDER BY score DESC, as_of DESC, memory LIMIT :limit
"""
_BEST_OF_ALL, _BEST_AMONG = _BEST.format(found=_FOUND), _BEST.format(found=_FOUND_AMONG)
_AFTER = """
SELECT p.memory FROM index_terms AS t JOIN index_postings AS p ON p.term = t.number
WHERE t.garden = :garden AND t.term IN (SELECT key FROM json_each(:weights))
ORDER BY p.memory DESC LIMIT 1 OFFSET :most
"""
_PROBE = """
SELECT DISTINCT m.memory FROM (SELECT value AS name FROM json_each(:names)) AS a
    CROSS JOIN index_terms AS t CROSS JOIN index_postings AS p CROSS JOIN index_memories AS m
WHERE t.garden = :garden AND t.term = a.name AND p.term = t.number AND m.number = p.memory
    AND (CASE WHEN :by_frame THEN m.frame ELSE m.said END) BETWEEN :least AND :most
    AND m.status = :active
"""


class Index(Part):
    """The index of one garden: its building, and what it answers."""

    def keep_index(self, locale: str) -> None:
        version = index_version(locale)
        while not self._is_kept(version):
            with self._database.write() as transaction:
                self._build(transaction, version)

    def rebuild_index(self) -> int:
        state = self._database.one(
            "SELECT version FROM index_state WHERE garden = :garden", {"garden": self._garden}
        )
        locale = locale_of(state["version"]) if state else None
        if locale is None:
            return 0
        with self._database.write() as transaction:
            self._begin(transaction, index_version(locale))
        self.keep_index(locale)
        return self.term_statistics(()).memories

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics:
        state = self._database.one(
            "SELECT * FROM index_state WHERE garden = :garden", {"garden": self._garden}
        )
        if state is None:
            return TermStatistics(memories=0, lengths=(0,) * len(FIELDS), characters=0, found={})
        found = self._database.read(
            """SELECT term, memories FROM index_terms
            WHERE garden = :garden AND term IN (SELECT value FROM json_each(:terms))""",
            {"garden": self._garden, "terms": rows.to_json(list(terms))},
        )
        return TermStatistics(
            memories=state["memories"],
            lengths=tuple(state[name] for name in FIELDS),
            characters=state["characters"],
            found={row["term"]: row["memories"] for row in found},
        )

    def best(self, formula: Formula, within: Within, limit: int) -> Sequence[tuple[float, str]]:
        asked = {
            "garden": self._garden,
            "weights": rows.to_json(dict(formula.weights)),
            **dict(zip(FIELDS, formula.fields, strict=True)),
            "k1": formula.k1,
            "b": formula.b,
            "average": formula.average,
            "lone": formula.lone,
            "most": formula.most,
            "statuses": rows.to_json([status.value for status in within.statuses]),
            "done_todos": within.done_todos,
            "any_layer": not within.layers,
            "layers": rows.to_json([layer.value for layer in within.layers]),
            "everywhere": within.everywhere,
            "projects": rows.to_json(within.projects),
            "since": within.since,
            "without": rows.to_json(sorted(within.without)),
            "limit": limit,
        }
        if within.only is not None:
            asked["only"] = rows.to_json(sorted(within.only))
            found = self._database.read(_BEST_AMONG, asked)
        else:
            after = None if formula.most is None else self._database.value(_AFTER, asked)
            found = self._database.read(_BEST_OF_ALL, {**asked, "after": after or 0})
        return [(row["score"], row["memory"]) for row in found]

    def probe(self, probes: Iterable[Probe]) -> frozenset[str]:
        found = set()
        for one in probes:
            asked = {
                "garden": self._garden,
                "names": rows.to_json(one.names),
                "by_frame": one.by_frame,
                "least": one.least,
                "most": one.most,
                "active": Status.ACTIVE.value,
            }
            found |= {row["memory"] for row in self._database.read(_PROBE, asked)}
        return frozenset(found)

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
