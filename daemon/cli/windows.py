"""`memgardend windows`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import AtOption, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from pathlib import Path


def windows(
    workspace: WorkspaceOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also windows of sub-agents and of our own runs.")
    ] = False,
    archive: Annotated[
        str | None,
        typer.Option(
            metavar="WINDOW",
            help="Archive a window: it is never dreamed by itself.",
            autocompletion=completion.windows,
        ),
    ] = None,
    unarchive: Annotated[
        str | None,
        typer.Option(
            metavar="WINDOW",
            help="Take a window out of the archive.",
            autocompletion=completion.windows,
        ),
    ] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every conversation with its state, newest activity first."""
    named = archive if archive is not None else unarchive
    if archive is not None and unarchive is not None:
        raise UsageError("--archive or --unarchive, not both", hint="memgardend windows --help")
    if named is not None:
        _set_archived(named, workspace, archive is not None, as_json=as_json)
        return
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.windows import windows_lines
    from memgardend.jobs.look import windows_document

    with looking(workspace) as place:
        instant = place.instant(at)
        document = windows_document(place.outlook, instant, aside=every)
    answer(
        document, lambda width: windows_lines(document, place.view(instant, width)), as_json=as_json
    )


def _set_archived(text: str, workspace: Path | None, archived: bool, *, as_json: bool) -> None:
    from rich.text import Text

    from memgardend.daemon.cli.opening import looking
    from memgardend.jobs.look import find_window

    with looking(workspace) as place:
        window_id = find_window(place.store, text)
        changed = place.store.set_archived(window_id, archived)
    document = {"schema": 1, "window": window_id, "archived": archived, "changed": changed}
    says = {
        (True, True): "is archived",
        (True, False): "is archived already",
        (False, True): "is no longer archived",
        (False, False): "was not archived",
    }[archived, changed]
    answer(document, lambda _: [Text(f"{window_id} {says}.")], as_json=as_json)
