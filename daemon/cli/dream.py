"""`memgardend dream [WINDOW]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, VerboseOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from memgardend.jobs.context import DreamReport, Garden


def dream(
    window: Annotated[
        str | None,
        typer.Argument(
            metavar="WINDOW",
            help="The window to dream now; overrides idle time, skip and peak.",
            autocompletion=completion.windows,
        ),
    ] = None,
    due: Annotated[
        bool, typer.Option("--due", help="Dream every window that is due, oldest first.")
    ] = False,
    workspace: WorkspaceOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Dream now, in the foreground.

    Reads what agents wrote meanwhile first.

    Exit codes: 0 dreamed, or nothing to do · 1 failed · 69 model unavailable · 75 a gate holds it.
    """
    if (window is None) != due:
        raise UsageError("name one WINDOW, or say --due", hint="memgardend dream --due")
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.cli.progress import watcher
    from memgardend.daemon.feed import ingest_workspace
    from memgardend.daemon.screens.endings import endings_lines

    with working(workspace, watch=watcher(), verbose=verbose) as (place, garden):
        ingest_workspace(place, garden)
        reports = _dream(garden, window)
    document = {"schema": 1, "dreams": [ended(report) for report in reports]}
    answer(document, lambda width: endings_lines(document, width), as_json=as_json)
    raise typer.Exit(exit_code(reports))


def _dream(garden: Garden, window: str | None) -> list[DreamReport]:
    from memgardend.jobs.heal import heal
    from memgardend.jobs.look import find_window
    from memgardend.jobs.manual import dream_window
    from memgardend.jobs.sweep import sweep

    heal(garden)
    if window is None:
        return list(sweep(garden).dreams)
    return [dream_window(garden, find_window(garden.store, window))]


def ended(report: DreamReport) -> dict[str, Any]:
    """How one dream ended, as a document."""
    return {
        "id": report.dream,
        "window": report.window,
        "ending": str(report.ending),
        "reason": report.reason,
        "error": report.error,
        "hint": report.hint,
    }


def exit_code(reports: list[DreamReport]) -> int:
    """69 before 1 before 75 before 0: what a caller must know first."""
    from memgardend.core.words import Ending

    codes = {
        Ending.MODEL_UNAVAILABLE: 69,
        Ending.FAILED: 1,
        Ending.QUARANTINED: 1,
        Ending.HELD: 75,
        Ending.NOT_STARTED: 75,
        Ending.PARKED: 75,
        Ending.FENCED: 75,
    }
    found = {codes.get(report.ending, 0) for report in reports}
    return next((code for code in (69, 1, 75) if code in found), 0)
