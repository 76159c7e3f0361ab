"""`memgardend edit MEMORY` and `memgardend archive MEMORY`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memgardend.core.words import Layer, Status, Subcategory
from memgardend.daemon.cli.options import (
    IMPORTANCE_HELP,
    SUBCATEGORY_HELP,
    JsonOption,
    KeywordsOption,
    MemoryArgument,
    ProjectsOption,
    ReasonOption,
    WorkspaceOption,
)
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.jobs.tools import MemoryUpdate


def edit(
    memory: MemoryArgument,
    content: Annotated[
        str | None, typer.Option("--content", help="What it says from now on.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="The new title.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", help="Of a topic: its new goal.")] = None,
    layer: Annotated[
        Layer | None, typer.Option("--layer", help=f"The layer to move it to: {', '.join(Layer)}.")
    ] = None,
    project: ProjectsOption = None,
    keyword: KeywordsOption = None,
    importance: Annotated[int | None, typer.Option("--importance", help=IMPORTANCE_HELP)] = None,
    status: Annotated[
        Status | None, typer.Option("--status", help="active, stale (done) or archived.")
    ] = None,
    subcategory: Annotated[
        Subcategory | None,
        typer.Option("--subcategory", help=SUBCATEGORY_HELP),
    ] = None,
    corrected: Annotated[
        bool | None,
        typer.Option("--corrected/--not-corrected", help="Of a lesson: somebody was corrected."),
    ] = None,
    reason: ReasonOption = None,
    revision: Annotated[
        int | None,
        typer.Option("--revision", help="Change it only if this is its revision still."),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a memory by hand. What is not given stays; `why MEMORY` keeps what it said before.

    --project '' takes it away from all projects; --status active brings an archived one back.
    """
    from memgardend.jobs.tools import MemoryUpdate

    asked = MemoryUpdate(
        id=memory,
        content=content,
        title=title,
        goal=goal,
        layer=layer,
        projects=None if project is None else tuple(one for one in project if one),
        keywords=None if keyword is None else tuple(keyword),
        importance=importance,
        status=status,
        subcategory=subcategory,
        corrected=corrected,
        reason=reason,
        revision=revision,
    )
    _change(asked, workspace, as_json=as_json)


def archive(
    memory: MemoryArgument,
    reason: ReasonOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Archive a memory that is no longer true: nothing recalls it any more.

    `edit MEMORY --status active` brings it back.
    """
    from memgardend.jobs.tools import MemoryUpdate

    _change(
        MemoryUpdate(id=memory, status=Status.ARCHIVED, reason=reason), workspace, as_json=as_json
    )


def _change(asked: MemoryUpdate, workspace: Path | None, *, as_json: bool) -> None:
    from memgardend.daemon.cli.by_hand import tooling
    from memgardend.daemon.screens.remembered import updated_lines
    from memgardend.daemon.screens.times import View
    from memgardend.jobs.tools import update
    from memgardend.jobs.tools.documents import updated_document

    with tooling(workspace) as (context, where):
        document = updated_document(context.garden.store, update(context, asked))
        now, zone = context.garden.clock.now_ms(), context.garden.zone
    answer(
        document,
        lambda width: updated_lines(document, View(now, zone, width, where)),
        as_json=as_json,
    )
