"""`memgardend run`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli.options import (
    WORKSPACE_VARIABLE,
    JsonOption,
    VerboseOption,
    WorkspacesOption,
)
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memgardend.jobs.run_once import OnceReport


def run(
    once: Annotated[
        bool,
        typer.Option("--once", help="One pass: read, dream all that is due, say what is held."),
    ] = False,
    wait: Annotated[
        bool,
        typer.Option("--wait", help="Where a daemon of yours runs already, wait for its end."),
    ] = False,
    workspaces: WorkspacesOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Stay, read the conversations, and dream each when its time has come.

    Serves all registered workspaces, or those of -w. HUP reads all settings anew.
    TERM ends it within 15 seconds, when the running rounds are done or put back.
    Exit codes: 0 told to stop · 75 a daemon runs already, or no store can be opened now · 78 nothing to serve.
    With --once: 0 all due was dreamed or is held · 1 a dream failed · 69 the model could not be used.
    """
    workspaces = workspaces or _in_environment()
    if not once:
        return _stay(workspaces, wait=wait)
    if len(workspaces) > 1:
        hint = f"memgardend run --once -w {shlex.quote(str(workspaces[0]))}"
        raise UsageError("--once passes over one workspace", hint=hint)
    workspace = workspaces[0] if workspaces else None
    from memgardend.daemon.cli.hints import here
    from memgardend.daemon.cli.ingest import warn
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.cli.progress import watcher
    from memgardend.daemon.cli.version import installed
    from memgardend.daemon.feed import ingest_workspace
    from memgardend.daemon.screens.endings import once_lines
    from memgardend.daemon.textfile import write_textfile
    from memgardend.jobs.run_once import run_once

    with working(workspace, watch=watcher(), verbose=verbose) as (place, garden):
        report = run_once(garden, lambda: ingest_workspace(place, garden))
        warn(report.ingest)
        write_textfile(place, garden, installed())
        where = here(workspace)
        document = _document(report, garden.clock.now_ms(), where)
        zone = garden.zone
    answer(document, lambda width: once_lines(document, zone, width, where), as_json=as_json)
    raise typer.Exit(report.exit_code)


def _in_environment() -> list[Path]:
    """The folder that the variable names, whatever characters are in it."""
    from pathlib import Path

    named = os.environ.get(WORKSPACE_VARIABLE)
    return [Path(named)] if named else []


def _stay(workspaces: Sequence[Path], *, wait: bool) -> None:
    from memgardend.daemon.lean import lean_imports
    from memgardend.daemon.service.orders import told_early

    with told_early():
        with lean_imports():
            from memgardend.daemon.cli.version import installed
            from memgardend.daemon.logs import configure_logs
            from memgardend.daemon.service.launch import run_service
        configure_logs(verbose=True)
        run_service(workspaces, installed(), wait=wait)


def _document(report: OnceReport, now: int, where: str) -> dict[str, Any]:
    from memgardend.core.times import rfc3339
    from memgardend.daemon.cli.dream import ended
    from memgardend.daemon.cli.ingest import ingested

    return {
        "schema": 1,
        "now": rfc3339(now),
        "ingest": ingested(report.ingest),
        "healed": report.healed,
        "dreams": [ended(one, where) for one in report.sweep.dreams],
        "reflections": report.reflections,
        "held": {str(gate): count for gate, count in report.held.items()},
        "next_at": None if report.next_at is None else rfc3339(report.next_at),
    }
