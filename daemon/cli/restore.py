"""`memgardend restore FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memgardend.daemon.cli.consent import ask
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or any store file.")],
    workspace: WorkspaceOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Put a backup in the place of the store.

    The replaced store is kept beside it.
    """
    import os

    from rich.text import Text

    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.clock import clock
    from memgardend.daemon.store import restore as put_back
    from memgardend.daemon.store import verify

    place = find(workspace)
    verify(file)  # nobody should say yes to a file that is missing or no store
    plan = f"{file} takes the place of {place.store_file}"
    ask(plan, ["restore", str(file)], workspace, yes=yes, as_json=as_json)
    kept = put_back(file, place.store_file, clock=clock(os.environ))
    document = {"schema": 1, "restored": str(file), "kept": None if kept is None else str(kept)}
    lines = [Text(f"Restored from {file}.")]
    if kept is not None:
        lines.append(Text(f"The replaced store is kept: {kept}"))
    answer(document, lambda _: lines, as_json=as_json)
