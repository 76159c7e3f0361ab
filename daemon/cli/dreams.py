"""`memgardend dreams`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def dreams(
    workspace: WorkspaceOption = None,
    limit: Annotated[int, typer.Option("-n", min=0, help="How many; 0 = all.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Past and present dreams, newest first."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.dreams import dreams_lines
    from memgardend.jobs.look import dreams_document

    with looking(workspace) as place:
        document = dreams_document(place.store, limit)
        now = place.instant(None)
    answer(document, lambda width: dreams_lines(document, place.view(now, width)), as_json=as_json)
