"""`memgardend doctor`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def doctor(
    workspace: WorkspaceOption = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair what is safe to repair: permissions, the index.")
    ] = False,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Also ask the model a small question; it may cost a little."),
    ] = False,
    failpoints: Annotated[
        bool, typer.Option("--failpoints", help="Only list the names for MEMGARDEND_FAILPOINT.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check everything the gardener needs, with a remedy for each failure.

    Exit code 1 when one failed.
    """
    if failpoints:
        _list_failpoints(as_json=as_json)
        return
    import os

    from memgardend.daemon.check import FAILED
    from memgardend.daemon.cli.config import settings_file
    from memgardend.daemon.cli.hints import here, placed
    from memgardend.daemon.doctor import examine
    from memgardend.daemon.doctor import fix as repair
    from memgardend.daemon.registry import resolved
    from memgardend.daemon.screens.doctor import doctor_lines

    root = resolved(settings_file(workspace).parent)
    done = repair(root) if fix else []
    found = examine(root, os.environ, named=workspace is not None, ask=ask)
    where = here(workspace)
    document: dict[str, Any] = {
        "schema": 1,
        "ok": all(one.level != FAILED for one in found),
        "fixed": done,
        "checks": [
            {
                "name": one.name,
                "level": one.level,
                "detail": one.detail,
                "hint": placed(one.hint, where),
            }
            for one in found
        ],
    }
    answer(document, lambda width: doctor_lines(document, width), as_json=as_json)
    if not document["ok"]:
        raise typer.Exit(1)


def _list_failpoints(*, as_json: bool) -> None:
    from memgardend.daemon.failpoints import NAMES
    from memgardend.daemon.screens.doctor import failpoints_lines

    document = {
        "schema": 1,
        "failpoints": [{"name": name, "place": place} for name, place in NAMES.items()],
    }
    answer(document, lambda width: failpoints_lines(document, width), as_json=as_json)
