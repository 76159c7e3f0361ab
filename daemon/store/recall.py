"""Recall's side of the store: the state of a window, marks that never wait, and what a block is made of."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from memgardend.core.editorial.observability import assert_content_free
from memgardend.core.errors import StoreLockedError
from memgardend.core.recall.window import noted
from memgardend.core.records.window_recall import WindowRecall
from memgardend.core.words import Use
from memgardend.daemon.store import rows
from memgardend.daemon.store.part import Part
from memgardend.daemon.store.recall_rows import COLUMNS, note
from memgardend.daemon.store.spool import spool_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Memory, Project
    from memgardend.core.records.window_recall import Marks
    from memgardend.core.words import Layer
    from memgardend.daemon.store.spool import Spool

FOLDED_AT_ONCE = 200
"""So much of a spool is folded in with one write."""

_USED = """
SELECT how, memory, at FROM window_memories WHERE garden = :garden AND window = :window
UNION ALL
SELECT 'written', id, created_at FROM memories
    WHERE garden = :garden AND source_window = :window
"""
_WEIGHTIEST = """
SELECT * FROM memories WHERE garden = :garden AND layer = :layer AND status = 'active'
    AND importance >= :importance AND (scope IN ('global', 'unset')
        OR instr(',' || scope || ',', ',' || :project || ',') > 0)
ORDER BY importance DESC, as_of DESC, id LIMIT :limit
"""
# From one scope to the next by the index: the cost follows the scopes, not the memories.
_SCOPES = """
WITH RECURSIVE named (scope) AS (
    SELECT min(scope) FROM memories WHERE garden = :garden AND scope NOT IN ('global', 'unset')
    UNION ALL
    SELECT (SELECT min(m.scope) FROM memories AS m
        WHERE m.garden = :garden AND m.scope NOT IN ('global', 'unset') AND m.scope > named.scope)
    FROM named WHERE named.scope IS NOT NULL
)
"""
_LIVE_PROJECTS = f"""{_SCOPES}
SELECT * FROM projects AS p WHERE p.garden = :garden AND EXISTS (
    SELECT 1 FROM named AS n WHERE instr(',' || n.scope || ',', ',' || p.id || ',') > 0
        AND EXISTS (SELECT 1 FROM memories AS m
            WHERE m.garden = :garden AND m.scope NOT IN ('global', 'unset')
                AND m.scope = n.scope AND m.status = 'active'))
ORDER BY p.name, p.id
"""
_NAMING = f"""{_SCOPES}
SELECT m.* FROM named AS n CROSS JOIN memories AS m
WHERE EXISTS (SELECT 1 FROM json_each(:projects) AS p
        WHERE instr(',' || n.scope || ',', ',' || p.value || ',') > 0)
    AND m.garden = :garden AND m.scope NOT IN ('global', 'unset') AND m.scope = n.scope
    AND (m.status = 'active' OR (m.status = 'stale' AND m.subcategory = 'todo'))
ORDER BY m.as_of DESC, m.id DESC LIMIT :limit
"""


class RecallState(Part):
    """What recall reads and notes; nothing here waits for others who write, save `fold_marks`."""

    folded_at_once = FOLDED_AT_ONCE

    def window_recall(self, window_id: str) -> WindowRecall:
        spool = self._spool()
        waiting = spool.of_window(window_id) if spool else []  # before what it may be folded into
        asked = {"garden": self._garden, "window": window_id}
        state = self._database.one(
            "SELECT * FROM window_recall WHERE garden = :garden AND window = :window", asked
        )
        used: dict[Use, dict[str, int]] = {}
        for row in self._database.read(_USED, asked):
            of_use = used.setdefault(Use(row["how"]), {})
            of_use[row["memory"]] = max(row["at"], of_use.get(row["memory"], row["at"]))
        projects = self._database.read(
            "SELECT project, at FROM window_projects WHERE garden = :garden AND window = :window",
            asked,
        )
        known = self._database.one(
            """SELECT project, first_speech_at AS spoke_at FROM windows
            WHERE garden = :garden AND id = :window""",
            asked,
        )
        stored = WindowRecall(
            window=window_id,
            **known or {},
            **{name: state[name] for name in COLUMNS} if state else {},
            projects_asked={row["project"]: row["at"] for row in projects},
            used=used,
        )
        return reduce(noted, waiting, stored)

    def note_marks(self, marks: Marks) -> bool:
        assert_content_free(marks.record or {})
        spool = self._spool()
        try:
            with self._database.impatient():
                self._put_marks(spool, [marks])
        except StoreLockedError:
            if spool is None:
                raise
            spool.put(marks)
            return False
        return True

    def fold_marks(self) -> int:
        spool, folded = self._spool(), 0
        while spool and (count := self._put_marks(spool, [])):
            folded += count
        return folded

    def weightiest(
        self, layer: Layer, *, project: str | None, importance: int, limit: int
    ) -> Sequence[Memory]:
        found = self._database.read(
            _WEIGHTIEST,
            {
                "garden": self._garden,
                "layer": layer.value,
                "importance": importance,
                "project": project or "",
                "limit": limit,
            },
        )
        return [rows.memory_of(row) for row in found]

    def naming(self, projects: Iterable[str], limit: int) -> Sequence[Memory]:
        found = self._database.read(
            _NAMING,
            {"garden": self._garden, "projects": rows.to_json(list(projects)), "limit": limit},
        )
        return [rows.memory_of(row) for row in found]

    def live_projects(self) -> Sequence[Project]:
        found = self._database.read(_LIVE_PROJECTS, {"garden": self._garden})
        return [rows.project_of(row) for row in found]

    def _put_marks(self, spool: Spool | None, marks: Sequence[Marks]) -> int:
        """Write what waits in the spool, as much as fits one write, and these marks; how much waited."""
        waiting = spool.waiting(self.folded_at_once) if spool else {}
        if not waiting and not marks:
            return 0
        with self._database.write() as transaction:
            for one in (*waiting.values(), *marks):
                note(transaction, self._garden, one)
        if spool:
            spool.remove(waiting)
        return len(waiting)

    def _spool(self) -> Spool | None:
        return spool_beside(self._database.path, self._garden)
