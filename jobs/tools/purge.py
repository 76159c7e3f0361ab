"""Purge a memory because a person asked for it: the one way in which something is deleted for good."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.records import EditRequest, Edits, MemoryEdit

if TYPE_CHECKING:
    from memgardend.core.ports import GardenView
    from memgardend.jobs.tools.context import ToolContext

OPERATION = "purge"


def purge(context: ToolContext, memory_id: str) -> bool:
    """Delete a memory with its history, its quotes and what dreams said of it; False where it is gone already.

    What it took the place of stays archived, without a successor. `memory_id` is a whole id.
    """
    now = context.garden.clock.now_ms()

    def decide(view: GardenView) -> Edits:
        memory = view.memory(memory_id)
        if memory is None:
            return Edits(edits=(), result="", moved=False)
        replaced = [one for one in map(view.memory, view.replaced_by(memory_id)) if one]
        released = [
            MemoryEdit(
                before=one,
                after=replace(one, superseded_by=None, revision=one.revision + 1),
                operation=OPERATION,
            )
            for one in replaced
        ]
        gone = MemoryEdit(before=memory, after=None, operation=OPERATION)
        return Edits(edits=(*released, gone), result=memory_id, moved=True)

    return bool(context.garden.store.edit(EditRequest(actor=context.actor, at=now), decide))
