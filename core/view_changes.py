"""Carry changes into a staged view: the next round sees what the earlier ones did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.judgement import StagedView
    from memgardend.core.records import MemoryChange


def new_handles(view: StagedView, changes: Iterable[MemoryChange]) -> dict[str, str]:
    """A handle for each changed memory that has none yet: the next free numbers, in order."""
    known = {memory.id for memory in view.memories.values()}
    free = 1 + max((int(h[1:]) for h in view.memories if h[1:].isdigit()), default=0)
    joining = dict.fromkeys(c.after.id for c in changes if c.after.id not in known)
    return {f"m{number}": memory_id for number, memory_id in enumerate(joining, free)}


def apply_changes(
    view: StagedView, changes: Iterable[MemoryChange], handles: Mapping[str, str]
) -> StagedView:
    """The view after these changes; `handles` names the memories that join it."""
    changes = tuple(changes)
    by_id = {memory.id: handle for handle, memory in view.memories.items()}
    by_id |= {memory_id: handle for handle, memory_id in handles.items()}
    memories = dict(view.memories)
    retired = set(view.retired)
    for change in changes:
        handle = by_id[change.after.id]
        memories[handle] = change.after
        if change.after.status is Status.ARCHIVED:
            retired.add(handle)
    return replace(
        view, memories=memories, changes=view.changes + changes, retired=frozenset(retired)
    )
