"""`memgardend event`."""

from __future__ import annotations

import sys
from typing import Any

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def event(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Push events: one JSON object a line on stdin.

    {"window": "mail-1", "id": "1", "at": "2026-12-01T08:00:00Z", "role": "human", "text": "…"}

    Roles: human, assistant, tool, system, script. Optional: tool, cwd, title, parent.
    Exit code 1 when a line was rejected; the others are kept.
    """
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.feed import push
    from memgardend.daemon.screens.feed import event_lines

    with working(workspace, feeding=True, ring=True) as (place, garden):
        report = push(place, garden, sys.stdin.buffer)
    document: dict[str, Any] = {
        "schema": 1,
        "accepted": report.accepted,
        "duplicate": report.duplicate,
        "rejected": [{"line": one.line, "reason": one.reason} for one in report.rejected],
    }
    answer(document, lambda width: event_lines(document, width), as_json=as_json)
    if document["rejected"]:
        raise typer.Exit(1)
