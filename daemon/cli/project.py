"""`memgardend project NAME`."""

from __future__ import annotations

from typing import Annotated

import typer

from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def project(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="The name of a project, or several.",
            autocompletion=completion.projects,
        ),
    ],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """All that is known of a project: its rules, overview, decisions and todos, and what else covers it."""
    from memgardend.daemon.cli.by_hand import looking_garden
    from memgardend.daemon.screens.remembered import panorama_lines
    from memgardend.daemon.screens.times import View
    from memgardend.daemon.tooling import recall_context
    from memgardend.jobs.recall import PanoramaRequest, panorama
    from memgardend.jobs.tools.documents import panorama_document
    from memgardend.jobs.tools.scopes import known_ids

    with looking_garden(workspace) as (garden, where):
        now, zone = garden.clock.now_ms(), garden.zone
        ids = known_ids(names, garden.store.projects())
        request = PanoramaRequest(projects=ids, at=now)
        document = panorama_document(garden.store, ids, panorama(recall_context(garden), request))
    answer(
        document,
        lambda width: panorama_lines(document, View(now, zone, width, where)),
        as_json=as_json,
    )
