"""`memgardend status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli.options import AtOption, JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.daemon.cli.watching import Lines

EVERY_SECONDS = 2.0
WANTS_ATTENTION = 1
NO_DAEMON = 3


def status(
    seconds: Annotated[
        float | None,
        typer.Argument(
            min=0.1,
            metavar="SECONDS",
            help="With --watch: how often. Default: 2.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    at: AtOption = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Show it again and again until Ctrl-C: in place on a terminal, else one after the other.",
        ),
    ] = False,
    exit_status: Annotated[
        bool,
        typer.Option(
            "--exit-status",
            help="Exit 1 when something wants attention (failed, quarantined, review, breaker, "
            "changed model settings, unreadable lines), else 3 when no daemon runs.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """What the gardener does, what is next, and what holds it back."""
    if seconds is not None and not watch:
        raise UsageError("SECONDS goes with --watch", hint=f"memgardend status --watch {seconds:g}")
    if watch and (at is not None or exit_status):
        other = "--at" if at is not None else "--exit-status"
        raise UsageError(f"--watch goes without {other}", hint="memgardend status --watch")
    if watch:
        _watch(workspace, seconds or EVERY_SECONDS, as_json=as_json)
    document, lines, _ = _page(workspace, at)
    answer(document, lines, as_json=as_json)
    if exit_status:
        raise typer.Exit(_exit_code(document))


def _watch(workspace: Path | None, seconds: float, *, as_json: bool) -> NoReturn:
    from memgardend.daemon.cli.watching import show_again

    clock: Clock | None = None

    def read() -> tuple[dict[str, Any], Lines]:
        nonlocal clock
        document, lines, clock = _page(workspace, None, clock)
        return document, lines

    show_again(read, seconds, as_json=as_json)


def _page(
    workspace: Path | None, at: str | None, clock: Clock | None = None
) -> tuple[dict[str, Any], Lines, Clock]:
    """The document, how it looks, and the clock that it was read by."""
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.cli.version import installed
    from memgardend.daemon.screens.status import status_lines
    from memgardend.jobs.look import status_document

    with looking(workspace, clock) as place:
        instant = place.instant(at)
        document = status_document(place.outlook, instant)
    return (
        document,
        lambda width: status_lines(document, place.view(instant, width), installed()),
        place.clock,
    )


def _exit_code(document: dict[str, Any]) -> int:
    from memgardend.jobs.look import wants_attention

    if wants_attention(document):
        return WANTS_ATTENTION
    return 0 if document["daemon"]["state"] == "running" else NO_DAEMON
