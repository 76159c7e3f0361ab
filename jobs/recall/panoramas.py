"""All that is known of a project, for whoever begins to work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall.forms import NAME_CHARS, line
from memgardend.core.recall.panorama import (
    EVERYWHERE,
    EVERYWHERE_LAYERS,
    MEMORIES,
    PANORAMA_CHARS,
    ids_of,
    shelves,
    shown,
)
from memgardend.core.words import Use
from memgardend.jobs.recall.context import forms_of
from memgardend.jobs.recall.marks import note, only_one

if TYPE_CHECKING:
    from collections.abc import Collection

    from memgardend.core.recall.forms import Forms
    from memgardend.core.recall.lookups import Panorama, PanoramaRequest
    from memgardend.core.recall.requests import RecallContext


def panorama(context: RecallContext, request: PanoramaRequest) -> Panorama:
    """All that covers the projects. One named alone anchors the window; after a compaction it comes again."""
    found = panorama_of(
        context, request.projects, forms_of(context, request.at), room_chars=PANORAMA_CHARS
    )
    if request.window is not None:
        note(
            context,
            context.store.window_recall(request.window),
            request.at,
            used={Use.INJECTED: ids_of(found)},
            anchor=only_one(request.projects),
            projects_asked=request.projects,
        )
    return found


def panorama_of(
    context: RecallContext,
    projects: tuple[str, ...],
    forms: Forms,
    *,
    room_chars: int,
    without: Collection[str] = (),
) -> Panorama:
    """The panorama of these projects, without some memories, noted nowhere."""
    everywhere = [
        memory
        for layer in EVERYWHERE_LAYERS
        for memory in context.store.weightiest(layer, project=None, importance=1, limit=EVERYWHERE)
        if memory.id not in without
    ]
    naming = context.store.naming(projects, MEMORIES)
    named = (line(forms.projects.get(one, one), NAME_CHARS) for one in projects)
    return shown(
        shelves([memory for memory in naming if memory.id not in without], everywhere),
        " / ".join(named),
        forms,
        room_chars,
    )
