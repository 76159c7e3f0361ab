"""Memories, their evidence and history, and the projects they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.records import Project
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Evidence, Memory, MemoryVersion
    from memgardend.core.words import Layer, Status

_OF_PROJECTS = """
scope NOT IN ('global', 'unset') AND EXISTS (
    SELECT 1 FROM json_each(:projects) AS p
    WHERE instr(',' || scope || ',', ',' || p.value || ',') > 0)
"""
INSERT_PROJECT = rows.insert_sql("projects", rows.names(Project)) + " ON CONFLICT DO NOTHING"


class Memories(Part):
    """The reading side of memories; a commit writes them."""

    def memory(self, memory_id: str) -> Memory | None:
        return next(iter(self.memories(ids=(memory_id,))), None)

    def memories(
        self,
        *,
        ids: Iterable[str] | None = None,
        layers: Iterable[Layer] = (),
        statuses: Iterable[Status] = (),
        projects: Iterable[str] = (),
    ) -> Sequence[Memory]:
        conditions, params = ["garden = :garden"], {"garden": self._garden}
        wanted = {
            "id": None if ids is None else list(ids),
            "layer": [layer.value for layer in layers] or None,
            "status": [status.value for status in statuses] or None,
        }
        for column, values in wanted.items():
            if values is not None:
                # Where ids are given they lead: `+` keeps the others from being looked up.
                name = column if ids is None else f"+{column}"
                name = column if column == "id" else name
                conditions.append(f"{name} IN (SELECT value FROM json_each(:{column}))")
                params[column] = rows.to_json(values)
        named = list(projects)
        if named:
            conditions.append(_OF_PROJECTS)
            params["projects"] = rows.to_json(named)
        found = self._database.read(
            f"SELECT * FROM memories WHERE {' AND '.join(conditions)} ORDER BY created_at, id",
            params,
        )
        return [rows.memory_of(row) for row in found]

    def active_count(self) -> int:
        count: int = self._database.value(
            "SELECT count(*) FROM memories WHERE garden = :garden AND status = 'active'",
            {"garden": self._garden},
        )
        return count

    def find_memories(self, prefix: str) -> Sequence[str]:
        return self._find("memories", ("id",), prefix)

    def evidence(self, memory_ids: Iterable[str]) -> Sequence[Evidence]:
        found = self._database.read(
            """SELECT * FROM evidence
            WHERE garden = :garden AND memory IN (SELECT value FROM json_each(:ids))
            ORDER BY memory, at, window, event, span_start""",
            {"garden": self._garden, "ids": rows.to_json(list(memory_ids))},
        )
        return [rows.evidence_of(row) for row in found]

    def versions(self, memory_id: str) -> Sequence[MemoryVersion]:
        found = self._database.read(
            """SELECT * FROM memory_versions WHERE garden = :garden AND memory = :memory
            ORDER BY revision""",
            {"garden": self._garden, "memory": memory_id},
        )
        return [rows.version_of(row) for row in found]

    def dream_changes(self, dream_id: str) -> Sequence[MemoryVersion]:
        found = self._database.read(
            """SELECT * FROM memory_versions WHERE garden = :garden AND dream = :dream
            ORDER BY id""",
            {"garden": self._garden, "dream": dream_id},
        )
        return [rows.version_of(row) for row in found]

    def window_memory_ids(self, window_id: str) -> Sequence[str]:
        found = self._database.read(
            """SELECT DISTINCT memory FROM window_memories
            WHERE garden = :garden AND window = :window ORDER BY memory""",
            {"garden": self._garden, "window": window_id},
        )
        return [row["memory"] for row in found]

    def archived_since(self, since: int) -> int:
        count: int = self._database.value(
            """SELECT count(DISTINCT v.memory) FROM memory_versions AS v
            JOIN memories AS m ON m.garden = v.garden AND m.id = v.memory
            WHERE v.garden = :garden AND v.at >= :since AND v.dream IS NOT NULL
                AND json_extract(v.after, '$.status') = 'archived'
                AND coalesce(json_extract(v.before, '$.status'), '') <> 'archived'
                AND m.status = 'archived' AND m.superseded_by IS NULL""",
            {"garden": self._garden, "since": since},
        )
        return count

    def projects(self) -> Sequence[Project]:
        found = self._database.read(
            "SELECT * FROM projects WHERE garden = :garden ORDER BY name, id",
            {"garden": self._garden},
        )
        return [rows.project_of(row) for row in found]

    def ensure_project(self, project: Project) -> Project:
        column = "root" if project.root is not None else "remote"
        with self._database.write() as transaction:
            stored = transaction.one(
                f"""SELECT * FROM projects WHERE garden = :garden AND {column} = :value
                ORDER BY id""",
                {"garden": self._garden, "value": getattr(project, column)},
            )
            if stored is not None:
                return rows.project_of(stored)
            transaction.execute(INSERT_PROJECT, rows.to_row(project, self._garden))
        return project
