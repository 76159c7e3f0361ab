"""`memgardend pause` and `memgardend resume`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import MemgardendError
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.text import Text

    from memgardend.core.ports import Store

AllOption = Annotated[bool, typer.Option("--all", help="All registered workspaces.")]


def pause(
    duration: Annotated[
        str | None,
        typer.Option("--for", metavar="DURATION", help="For so long, such as 90m, 2h or 7d."),
    ] = None,
    every: AllOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let no dream start until `resume`, or for a while.

    Conversations are still read. A dream that runs goes on to its end.
    """
    from memgardend.config.times import typed_duration

    length_ms = None if duration is None else typed_duration(duration)
    _set_paused(workspace, every, paused=True, length_ms=length_ms, as_json=as_json)


def resume(
    every: AllOption = False, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """Let dreams start again after `pause`; what is due starts at once."""
    _set_paused(workspace, every, paused=False, length_ms=None, as_json=as_json)


def _set_paused(
    given: Path | None, every: bool, *, paused: bool, length_ms: int | None, as_json: bool
) -> None:
    rows, lines, failed = [], [], False
    for root in _roots(given, every):
        try:
            row, line = _set_one(root, paused=paused, length_ms=length_ms)
        except MemgardendError as error:
            if not every:
                raise
            failed = True
            say(f"warning: {error}")
        else:
            rows.append(row)
            lines.append(line)
    answer({"schema": 1, "workspaces": rows}, lambda _: lines, as_json=as_json)
    if failed:
        raise typer.Exit(1)


def _set_one(
    root: Path | None, *, paused: bool, length_ms: int | None
) -> tuple[dict[str, Any], Text]:
    """The row and the line that say how it is now."""
    import structlog
    from rich.text import Text

    from memgardend.core.times import rfc3339
    from memgardend.daemon.cli.opening import working
    from memgardend.daemon.screens.times import View, moment

    with working(root, feeding=True, ring=True) as (place, garden):
        now = garden.clock.now_ms()
        until = None if length_ms is None else rfc3339(now + length_ms)
        value = None if length_ms is None else now + length_ms
        changed = _write(garden.store, json.dumps({"until": value}) if paused else None)
        if changed:
            log = structlog.get_logger(__name__)
            log.info("dreams_paused" if paused else "dreams_resumed", until=until)
        view = View(now, garden.zone, None)
    says = {
        (True, True): "is paused",
        (True, False): "is paused already",
        (False, True): "is no longer paused",
        (False, False): "was not paused",
    }[paused, changed]
    says += f" until {moment(until, view)} {view.zone}" if until else ""
    row = {"workspace": str(place.root), "paused": paused, "until": until, "changed": changed}
    return row, Text(f"{place.root} {says}.")


def _roots(given: Path | None, every: bool) -> Iterator[Path | None]:
    """The workspaces meant: None stands for the nearest one."""
    from memgardend.daemon.registry import Registry, registry_dir

    if not every:
        yield given
        return
    yield from (one.path for one in Registry(registry_dir()).workspaces() if one.present)


def _write(store: Store, text: str | None) -> bool:
    """Set or clear the pause; False when it was so already."""
    from memgardend.jobs.shared import PAUSED_KEY

    while True:
        before = store.state(PAUSED_KEY)
        if before == text:
            return False
        if store.set_state(PAUSED_KEY, before, text):
            return True
