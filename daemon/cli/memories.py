"""`memgardend memories [QUERY]`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.core.words import Layer
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def memories(
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY",
            help="Only those that answer it, the best first, as agents would find them.",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    layer: Annotated[
        Layer | None,
        typer.Option(
            "--layer", help="Only this layer: soul, user, project, fact, lesson, topic or rules."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also stale and archived ones.")] = False,
    as_json: JsonOption = False,
) -> None:
    """What is remembered, each memory with the quotes that prove it."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.memories import memories_lines
    from memgardend.jobs.look import memories_document

    with looking(workspace) as place:
        now = place.instant(None)
        locale = place.outlook.config.locale
        document = memories_document(
            place.store, query=query, layer=layer, every=every, locale=locale, at=now
        )
    answer(
        document, lambda width: memories_lines(document, place.view(now, width)), as_json=as_json
    )
