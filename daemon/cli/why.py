"""`memgardend why THING`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import AtOption, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def why(
    thing: Annotated[
        str,
        typer.Argument(
            metavar="WINDOW|MEMORY",
            help="An id of either, or the start of one.",
            autocompletion=completion.windows,
        ),
    ],
    workspace: WorkspaceOption = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Why a window waits, gate by gate; or how a memory came to be, step by step."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.memories import history_lines
    from memgardend.daemon.screens.windows import why_lines
    from memgardend.jobs.look import find_thing, history_document, why_document

    with looking(workspace) as place:
        instant = place.instant(at)
        kind, found = find_thing(place.store, thing)
        if kind == "window":
            document, lines = why_document(place.outlook, found, instant), why_lines
        else:
            document, lines = history_document(place.store, found), history_lines
    answer(document, lambda width: lines(document, place.view(instant, width)), as_json=as_json)
