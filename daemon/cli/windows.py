"""`memgardend windows`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli.options import AtOption, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def windows(
    workspace: WorkspaceOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also windows of sub-agents and of our own runs.")
    ] = False,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every conversation with its state, newest activity first."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.windows import windows_lines
    from memgardend.jobs.look import windows_document

    with looking(workspace) as place:
        instant = place.instant(at)
        document = windows_document(place.outlook, instant, aside=every)
    answer(
        document, lambda width: windows_lines(document, place.view(instant, width)), as_json=as_json
    )
