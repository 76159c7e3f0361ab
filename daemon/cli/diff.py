"""`memgardend diff DREAM`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli.options import DreamArgument, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def diff(
    dream: DreamArgument,
    workspace: WorkspaceOption = None,
    stat: Annotated[bool, typer.Option("--stat", help="Only a line for each memory.")] = False,
    as_json: JsonOption = False,
) -> None:
    """What one dream changed, memory by memory: words before and after, and the quotes."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.diff import diff_lines, stat_lines
    from memgardend.jobs.look import diff_document

    with looking(workspace) as place:
        document = diff_document(place.store, dream)
        now = place.instant(None)
    lines = stat_lines if stat else diff_lines
    answer(document, lambda width: lines(document, place.view(now, width)), as_json=as_json)
