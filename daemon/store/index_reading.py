"""What the index over memories answers, without reading them. Light, as a hook asks it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.impacts import Surface
from memgardend.core.ports.index import Candidate, TermStatistics
from memgardend.core.words import Status
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.ports.index import Within

TABLES = {Surface.CUES: "index_cues", Surface.WHOLE: "index_postings"}

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
# A text for each term, as SQLite hands out thousands of rows more slowly than it writes them into one.
_POSTINGS = {
    surface: f"""
    SELECT t.term, (
        SELECT group_concat(p.memory || ',' || p.impact) FROM {table} AS p
        WHERE p.term = t.number AND p.retired IN (SELECT value FROM json_each(:retired))) AS pairs
    FROM json_each(:terms) AS a CROSS JOIN index_terms AS t
    WHERE t.garden = :garden AND t.term = a.value"""
    for surface, table in TABLES.items()
}
# The tables in the order of the joins: few memories, and few terms of a query.
_CANDIDATES = {
    surface: f"""
    WITH asked AS MATERIALIZED (
        SELECT t.number, t.term FROM json_each(:terms) AS a CROSS JOIN index_terms AS t
        WHERE t.garden = :garden AND t.term = a.value
    )
    SELECT m.number, m.memory, m.as_of, m.importance, (
        SELECT json_group_object(a.term, p.impact) FROM asked AS a CROSS JOIN {table} AS p
        WHERE p.term = a.number AND p.retired = (m.status <> '{Status.ACTIVE}')
            AND p.memory = m.number) AS impacts
    FROM json_each(:numbers) AS n CROSS JOIN index_memories AS m
    WHERE m.number = n.value AND {_WITHIN}"""
    for surface, table in TABLES.items()
}


class IndexReading(Part):
    """The reading side of the index of one garden."""

    def term_statistics(self, terms: Iterable[str]) -> TermStatistics:
        memories = self._database.value(
            "SELECT memories FROM index_state WHERE garden = :garden", {"garden": self._garden}
        )
        found = self._database.read(
            """SELECT term, memories, most_cues, most_whole FROM index_terms
            WHERE garden = :garden AND term IN (SELECT value FROM json_each(:terms))""",
            {"garden": self._garden, "terms": rows.to_json(list(terms))},
        )
        return TermStatistics(
            memories=memories or 0,
            found={row["term"]: row["memories"] for row in found},
            most={row["term"]: (row["most_cues"], row["most_whole"]) for row in found},
        )

    def postings(
        self, terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[str, Mapping[int, int]]:
        retired = {int(status is not Status.ACTIVE) for status in within.statuses}
        if within.done_todos:
            retired.add(1)
        asked = {
            "garden": self._garden,
            "terms": rows.to_json(list(terms)),
            "retired": rows.to_json(sorted(retired)),
        }
        found = {}
        for row in self._database.read(_POSTINGS[surface], asked):
            pairs = json.loads(f"[{row['pairs'] or ''}]")
            found[row["term"]] = dict(zip(pairs[::2], pairs[1::2], strict=True))
        return found

    def candidates(
        self, numbers: Iterable[int], terms: Iterable[str], surface: Surface, within: Within
    ) -> Mapping[int, Candidate]:
        asked = {
            "garden": self._garden,
            "numbers": rows.to_json(list(numbers)),
            "terms": rows.to_json(list(terms)),
            "statuses": rows.to_json([status.value for status in within.statuses]),
            "done_todos": within.done_todos,
            "any_layer": not within.layers,
            "layers": rows.to_json([layer.value for layer in within.layers]),
            "everywhere": within.everywhere,
            "projects": rows.to_json(within.projects),
            "since": within.since,
            "without": rows.to_json(sorted(within.without)),
        }
        return {
            row["number"]: Candidate(
                id=row["memory"],
                as_of=row["as_of"],
                importance=row["importance"],
                impacts=json.loads(row["impacts"]),
            )
            for row in self._database.read(_CANDIDATES[surface], asked)
        }
