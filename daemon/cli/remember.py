"""`memgardend remember TEXT`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.core.words import PERSONAL_LAYERS, Layer, Subcategory
from memgardend.daemon.cli.options import (
    IMPORTANCE_HELP,
    SUBCATEGORY_HELP,
    JsonOption,
    KeywordsOption,
    ProjectsOption,
    WorkspaceOption,
)
from memgardend.daemon.cli.output import answer


def remember(
    content: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="What to remember, in sentences that stand alone."),
    ],
    layer: Annotated[
        Layer,
        typer.Option(
            "--layer", help="soul, user, project, fact, lesson, topic or rules.", show_default=True
        ),
    ] = Layer.FACT,
    project: ProjectsOption = None,
    keyword: KeywordsOption = None,
    importance: Annotated[int | None, typer.Option("--importance", help=IMPORTANCE_HELP)] = None,
    title: Annotated[str | None, typer.Option("--title", help="A short title.")] = None,
    goal: Annotated[
        str | None, typer.Option("--goal", help="Of a topic: its goal, in one sentence.")
    ] = None,
    subcategory: Annotated[
        Subcategory | None,
        typer.Option("--subcategory", help=SUBCATEGORY_HELP),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Of a lesson: somebody had to be corrected.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep one thing by hand; much the same is joined with it.

    Without --project what is about people, and principles, are global.
    The rest belongs to the project of this folder, where the memory knows it.
    """
    from memgardend.daemon.cli.by_hand import tooling
    from memgardend.daemon.screens.remembered import remembered_lines
    from memgardend.daemon.screens.times import View
    from memgardend.jobs.tools import NewMemory
    from memgardend.jobs.tools import remember as keep
    from memgardend.jobs.tools.documents import remembered_document

    with tooling(workspace) as (context, where):
        asked = NewMemory(
            content=content,
            projects=tuple(project or ()) or _home(layer, context.project),
            keywords=tuple(keyword or ()),
            importance=importance,
            layer=layer,
            title=title,
            goal=goal,
            subcategory=subcategory,
            corrected=corrected or None,
        )
        document = remembered_document(context.garden.store, keep(context, asked))
        now, zone = context.garden.clock.now_ms(), context.garden.zone
    answer(
        document,
        lambda width: remembered_lines(document, View(now, zone, width, where)),
        as_json=as_json,
    )


def _home(layer: Layer, here: str | None) -> tuple[str, ...]:
    """Where it belongs when nobody says so."""
    return ("global",) if layer in PERSONAL_LAYERS else (here or "unset",)
