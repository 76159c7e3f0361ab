"""`memgardend dream [WINDOW]`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, VerboseOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from rich.text import Text

    from memgardend.daemon.screens.times import View
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
    backlog: Annotated[
        bool,
        typer.Option(
            "--backlog",
            help="Also read what old windows said before this workspace was first read, after an estimate; "
            "then dream what is due.",
        ),
    ] = False,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="AGE", help="With --backlog: only windows no older than this, such as 7d."
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Ask the model and show what it would change; store nothing."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Dream now, in the foreground.

    Reads what agents wrote meanwhile first. A dry run does all of it on a copy of the store in memory.

    Exit codes: 0 dreamed, or nothing to do · 1 failed · 69 model unavailable · 75 a gate holds it.
    """
    if since is not None and not backlog:
        hint = f"memgardend dream --backlog --since {shlex.quote(since)}"
        raise UsageError("--since goes with --backlog", hint=hint)
    if (window is not None) + due + backlog != 1:
        raise UsageError(
            "name one WINDOW, or say --due or --backlog", hint="memgardend dream --due"
        )
    from memgardend.daemon.cli.backlog import read_backlog
    from memgardend.daemon.cli.hints import here
    from memgardend.daemon.cli.ingest import warn
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.cli.progress import watcher
    from memgardend.daemon.feed import ingest_workspace
    from memgardend.daemon.screens.times import View

    with working(workspace, watch=watcher(), verbose=verbose, rehearsal=dry_run, ring=True) as (
        place,
        garden,
    ):
        warn(ingest_workspace(place, garden))
        owed = (
            read_backlog(place, garden, since, given=workspace, yes=yes or dry_run, as_json=as_json)
            if backlog
            else []
        )
        reports = _dream(garden, window, rehearsal=dry_run)
        where = here(workspace)
        document: dict[str, Any] = {
            "schema": 1,
            "dry_run": dry_run,
            "backlog": owed,
            "dreams": [ended(report, where) for report in reports],
        }
        if dry_run:
            document["plans"] = _plans(garden, reports)
        now, zone = garden.clock.now_ms(), garden.zone
    answer(document, lambda width: _lines(document, View(now, zone, width, where)), as_json=as_json)
    raise typer.Exit(exit_code(reports))


def _lines(document: dict[str, Any], view: View) -> list[Text]:
    """How each dream ended; of a dry run also what it would have changed."""
    from rich.text import Text

    from memgardend.daemon.screens.dreams import show_lines
    from memgardend.daemon.screens.endings import endings_lines
    from memgardend.daemon.screens.text import paragraph

    lines = endings_lines(document, view.width)
    for plan in document.get("plans", []):
        lines += [Text(""), *show_lines(plan, view)]
    if document["dry_run"]:
        lines += [Text(""), *paragraph(_rehearsed(document["plans"]), view.width)]
    return lines


def _rehearsed(plans: list[dict[str, Any]]) -> str:
    """What is stored of a dry run: nothing, so that its calls are in no sum either."""
    from memgardend.daemon.screens.text import many

    calls = sum(plan["spent"]["calls"] for plan in plans)
    uncounted = f"; the budget does not count its {many(calls, 'model call')}" if calls else ""
    return f"A dry run: nothing of this was stored{uncounted}."


def _plans(garden: Garden, reports: list[DreamReport]) -> list[dict[str, Any]]:
    from memgardend.jobs.look import show_document

    return [
        show_document(garden.store, one.dream) for one in reports if garden.store.dream(one.dream)
    ]


def _dream(garden: Garden, window: str | None, *, rehearsal: bool) -> list[DreamReport]:
    from memgardend.jobs.heal import heal
    from memgardend.jobs.look import find_window
    from memgardend.jobs.manual import dream_window
    from memgardend.jobs.sweep import sweep

    if not rehearsal:  # healing ends processes, and the copy's orphans are the store's
        heal(garden)
    if window is None:
        return list(sweep(garden).dreams)
    return [dream_window(garden, find_window(garden.store, window))]


def ended(report: DreamReport, where: str) -> dict[str, Any]:
    """How one dream ended, as a document; its hint can be typed `where` the command was."""
    from memgardend.daemon.cli.hints import placed

    return {
        "id": report.dream,
        "window": report.window,
        "ending": str(report.ending),
        "reason": report.reason,
        "error": report.error,
        "hint": placed(report.hint, where),
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
