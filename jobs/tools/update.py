"""Change one memory as asked: what is not given stays, and what changes nothing is said."""

from __future__ import annotations

import json
from dataclasses import fields as fields_in
from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.checks.form import MAX_REASON_CHARS
from memgardend.core.effects import edited
from memgardend.core.errors import ConflictError
from memgardend.core.mask import mask
from memgardend.core.recall.forms import line
from memgardend.core.records import EditRequest, Edits, MemoryEdit
from memgardend.core.tools.problems import Problem
from memgardend.core.tools.values import Updated
from memgardend.core.words import OperationName, Status
from memgardend.jobs.look.find import find_memory, gone
from memgardend.jobs.recall import anchor
from memgardend.jobs.tools.alike import MOST_TOLD, Alike
from memgardend.jobs.tools.readback import read_back
from memgardend.jobs.tools.scopes import scope_of
from memgardend.jobs.tools.texts import (
    fields_of,
    require_fit,
    require_new_words,
    spoken,
    weighed,
)

if TYPE_CHECKING:
    from memgardend.core.ports import GardenView
    from memgardend.core.records import Memory
    from memgardend.core.tools.values import MemoryUpdate
    from memgardend.jobs.tools.context import ToolContext

_BOOKKEEPING = frozenset(
    {"status_at", "keywords_auto", "updated_at", "as_of", "origin", "revision", "superseded_by"}
)
_CONFLICT_CHARS = 200
"""So much of what a memory says now is shown, on one line of ours."""
_SAYING = frozenset({"content", "title", "goal", "layer", "importance", "scope"})
_OPERATIONS = {
    Status.ARCHIVED: OperationName.ARCHIVE,
    Status.STALE: OperationName.COMPLETE,
    Status.ACTIVE: OperationName.UPDATE,
}


def update(context: ToolContext, asked: MemoryUpdate) -> Updated:
    """Change a memory in one transaction, and read it back.

    Raises UsageError for an unknown id, for one that starts several, and for what no memory can say;
    ConflictError where the memory is of another revision than was read; and what the store raises.
    """
    garden, now = context.garden, context.garden.clock.now_ms()
    store, locale = garden.store, garden.config.locale
    memory_id = find_memory(store, asked.id)
    fields = fields_of(context, asked)
    words = asked.projects
    scope, fresh = (
        (None, ()) if words is None else scope_of(words, store.projects(), context.project)
    )
    alike = Alike(store, locale)
    if fields.content:
        alike.of(fields.content)

    def decide(view: GardenView) -> Edits:
        before = _current(view, memory_id, asked.revision)
        require_fit(fields, fields.layer or before.layer)
        after = edited(before, fields, scope, now=now, locale=locale)
        after = _changed(before, after, asked.status, now)
        if _speaks_for_the_person(_differences(before, after)):
            after = weighed(context, after)
        changed = _differences(before, after)
        said = after.content != before.content
        moved = said or after.layer is not before.layer
        found = alike.of(after.content, view.revision) if moved else []
        found = [one for one in found if one.id != before.id]
        require_new_words(after, found, locale)
        edit = MemoryEdit(
            before=before,
            after=replace(after, revision=before.revision + 1),
            operation=str(
                _OPERATIONS[after.status] if "status" in changed else OperationName.UPDATE
            ),
            reason=mask(asked.reason)[:MAX_REASON_CHARS] if asked.reason else None,
            evidence=spoken(context, after, store.evidence([after.id])) if said else (),
        )
        told = [one.id for one in found[:MOST_TOLD]] if said else []
        result = {"changed": changed, "alike": told}
        return Edits(
            edits=(edit,) if changed else (),
            projects=fresh,
            result=json.dumps(result),
            moved=bool(changed),
        )

    request = EditRequest(actor=context.actor, at=now, window=context.window)
    done = json.loads(store.edit(request, decide))
    if context.window and scope is not None:
        anchor(context.recall, context.window, scope.projects, now)
    memory, others = read_back(store, memory_id, done["alike"])
    return Updated(memory=memory, changed=tuple(done["changed"]), alike=others, new_projects=fresh)


def _current(view: GardenView, memory_id: str, revision: int | None) -> Memory:
    memory = view.memory(memory_id)
    if memory is None:
        raise gone(memory_id)
    if revision is not None and revision != memory.revision:
        now = line(memory.content, _CONFLICT_CHARS)
        raise ConflictError(
            f"memory {memory_id} is at revision {memory.revision}, not {revision}; it says now: {now}",
            hint=f"memgardend why {memory_id}",
            label=Problem.CHANGED_SINCE,
            id=memory_id,
            known=memory.revision,
            given=revision,
            detail=now,
        )
    return memory


def _changed(before: Memory, after: Memory, status: Status | None, now: int) -> Memory:
    """The edited memory as known since now, if it says something else, and with its new status."""
    if after.content != before.content:
        after = replace(after, as_of=max(before.as_of, now))
    if status is not None and status is not before.status:
        after = replace(after, status=status, status_at=now, superseded_by=None)
    return after


def _speaks_for_the_person(changed: list[str]) -> bool:
    """Whether such a change makes a memory say more, or reach further, than it did."""
    return not _SAYING.isdisjoint(changed)


def _differences(before: Memory, after: Memory) -> list[str]:
    """The names of the fields that say something else."""
    return [
        one.name
        for one in fields_in(before)
        if one.name not in _BOOKKEEPING and getattr(before, one.name) != getattr(after, one.name)
    ]
