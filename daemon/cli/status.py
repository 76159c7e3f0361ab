"""`memgardend status`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli.options import AtOption, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

WANTS_ATTENTION = 1
NO_DAEMON = 3


def status(
    workspace: WorkspaceOption = None,
    at: AtOption = None,
    exit_status: Annotated[
        bool,
        typer.Option(
            "--exit-status",
            help="Exit 1 when something wants attention (failed, quarantined, review, breaker, "
            "unreadable lines), else 3 when no daemon runs.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """What the gardener does, what is next, and what holds it back."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.cli.version import installed
    from memgardend.daemon.screens.status import status_lines
    from memgardend.jobs.look import status_document, wants_attention

    with looking(workspace) as place:
        instant = place.instant(at)
        document = status_document(place.outlook, instant)
    answer(
        document,
        lambda width: status_lines(document, place.view(instant, width), installed()),
        as_json=as_json,
    )
    if exit_status and wants_attention(document):
        raise typer.Exit(WANTS_ATTENTION)
    if exit_status and document["daemon"]["state"] != "running":
        raise typer.Exit(NO_DAEMON)
