"""`memgardend project NAME`."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def project(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="The name of a project, or several.",
            autocompletion=completion.projects,
            show_default=False,
        ),
    ] = None,
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
        known = garden.store.projects()
        if not names:
            raise _unnamed(sorted({one.name for one in known}))
        ids = known_ids(names, known)
        request = PanoramaRequest(projects=ids, at=now)
        document = panorama_document(garden.store, ids, panorama(recall_context(garden), request))
    answer(
        document,
        lambda width: panorama_lines(document, View(now, zone, width, where)),
        as_json=as_json,
    )


def _unnamed(known: list[str]) -> UsageError:
    """Which projects there are, and one of them to type; where there is none, what brings them."""
    if not known:
        return UsageError("no project is known yet", hint="memgardend run --once")
    hint = f"memgardend project {shlex.quote(known[0])}"
    return UsageError(f"which project? known: {', '.join(known)}", hint=hint)
