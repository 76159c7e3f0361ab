"""`memgardend backup [TARGET]`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def backup(
    target: Annotated[
        Path | None,
        typer.Argument(metavar="TARGET", help="The new file. Default: .memgarden/backups/, dated."),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the store while it is in use, and verify the copy."""
    import os

    from rich.text import Text

    from memgardend.core.times import rfc3339
    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.garden import look
    from memgardend.daemon.store.folder import disk_errors

    place = find(workspace)
    store, clock = look(place, os.environ)
    try:
        if target is None:
            stamp = rfc3339(clock.now_ms() // 1000 * 1000).replace(":", "").replace("-", "")
            target = place.folder / "backups" / f"memory-{stamp}.db"
            if place.store_file.exists():
                with disk_errors(target.parent):
                    target.parent.mkdir(mode=0o700, exist_ok=True)
        store.backup(target)
    finally:
        store.close()
    document = {"schema": 1, "backup": str(target), "bytes": target.stat().st_size}
    says = f"Copied and verified: {target} ({document['bytes']} bytes)"
    answer(document, lambda _: [Text(says)], as_json=as_json)
