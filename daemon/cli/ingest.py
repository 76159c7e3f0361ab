"""`memgardend ingest`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

if TYPE_CHECKING:
    from memgardend.jobs.ingest_report import IngestReport


def ingest(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="Only this file, or what lies below this folder."),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read what agents wrote since the last time.

    Their files are never changed.
    """
    from memgardend.daemon.cli.hints import here
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.feed import ingest_path, ingest_workspace
    from memgardend.daemon.screens.feed import ingest_lines

    with working(workspace, feeding=True, ring=True) as (place, garden):
        report = ingest_path(place, garden, path) if path else ingest_workspace(place, garden)
    warn(report)
    document = {"schema": 1, **ingested(report)}
    where = here(workspace)
    answer(document, lambda width: ingest_lines(document, width, where), as_json=as_json)


def warn(report: IngestReport) -> None:
    """Say what could not be read."""
    for problem in report.problems:
        say(f"warning: {problem.path}: {problem.reason}")


def ingested(report: IngestReport) -> dict[str, Any]:
    """What one ingest found, as a document."""
    return {
        "files": report.files,
        "events": report.events,
        "duplicates": report.duplicates,
        "replays": report.replays,
        "unreadable": report.unreadable,
        "old": report.old,
        "compressed": report.compressed,
        "homeless": report.homeless,
        "new_windows": report.new_windows,
        "problems": [{"path": one.path, "reason": one.reason} for one in report.problems],
    }
