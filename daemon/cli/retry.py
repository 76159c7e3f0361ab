"""`memgardend retry [WINDOW]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from memgardend.core.records import Dream
    from memgardend.daemon.cli.opening import Looking


def retry(
    window: Annotated[
        str | None,
        typer.Argument(
            metavar="WINDOW",
            help="A window id, or the start of one. Default: every window that waits for this.",
            autocompletion=completion.windows,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let dreams that failed, were set aside or parked start again now, as soon as their gates allow it.

    One that was set aside has all its attempts again. A daemon starts them at once, `run --once` at its next pass.
    Exit code 1 when the window named has no such dream.
    """
    from pathlib import Path

    from memgardend.daemon import doorbell
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.logs import configure_logs
    from memgardend.daemon.screens.retry import retry_lines
    from memgardend.jobs.look import find_window
    from memgardend.jobs.retrying import retry_dreams

    with looking(workspace) as place:
        configure_logs(workspace=Path(place.outlook.workspace))
        named = None if window is None else find_window(place.store, window)
        now = place.instant(None)
        retried = retry_dreams(place.store, now, named)
        document = {"schema": 1, "dreams": [_row(place, one) for one in retried]}
        if retried:
            doorbell.ring(Path(place.outlook.workspace))
    answer(document, lambda width: retry_lines(document, place.view(now, width)), as_json=as_json)


def _row(place: Looking, before: Dream) -> dict[str, Any]:
    """What it was, and what holds it all the same."""
    from memgardend.jobs.look import why_document

    why = why_document(place.outlook, before.window, place.outlook.now_ms)
    held = next((gate for gate in why["gates"] if not gate["open"]), None)
    return {
        "id": before.id,
        "window": before.window,
        "was": str(before.state),
        "attempts": before.attempts,
        "may": why["may"],
        "next_at": why["next_at"],
        "held_by": held["gate"] if held and not why["may"] else None,
    }
