"""`memgardend logs`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, answer_more, say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memgardend.daemon.cli.opening import Looking
    from memgardend.daemon.log_file import Tail

POLL_SECONDS = 0.5


def logs(
    of: Annotated[
        str | None,
        typer.Argument(
            metavar="WINDOW",
            help="With --recalls: only of this window.",
            autocompletion=completion.windows,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    follow: Annotated[
        bool, typer.Option("-f", "--follow", help="Go on with what happens from now on.")
    ] = False,
    since: Annotated[
        str | None,
        typer.Option(metavar="AGE|TIME", help="Only from then on: 1h, or 2026-12-24 18:00."),
    ] = None,
    dream: Annotated[
        str | None,
        typer.Option(metavar="DREAM", help="Only of this dream.", autocompletion=completion.dreams),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="WINDOW",
            help="Only of this window and its dreams.",
            autocompletion=completion.windows,
        ),
    ] = None,
    recalls: Annotated[
        bool,
        typer.Option(
            "--recalls", help="What was recalled, and why the rest was not; no content in it."
        ),
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option("--memory", metavar="MEMORY", help="With --recalls: what became of this one."),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query", metavar="TEXT", help="With --recalls: where exactly this was said."
        ),
    ] = None,
    limit: Annotated[int, typer.Option("-n", min=0, help="How many at most; 0 = all.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """What happened, event by event, newest last.

    The log of this user lies in the state folder, beside the registry, and is kept small.
    With -f and --json each event is one line.
    """
    if recalls:
        _answer_recalls(workspace, of or window, since, memory, query, limit, as_json=as_json)
        return
    if of is not None or memory is not None or query is not None:
        raise UsageError(
            "WINDOW, --memory and --query go with --recalls", hint="memgardend logs --recalls"
        )
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.log_file import log_file
    from memgardend.daemon.log_filter import Wanted
    from memgardend.daemon.screens.logs import logs_lines
    from memgardend.jobs.look import find_dream, find_window

    with looking(workspace) as place:
        wanted = Wanted(
            store=place.store,
            workspace=place.outlook.workspace,
            since=None if since is None else _since(place, since),
            dream=None if dream is None else find_dream(place.store, dream),
            window=None if window is None else find_window(place.store, window),
        )
        _mention_journal(place)
        entries, tail = log_file().read()
        found = [entry for entry in entries if wanted(entry)]
        lines = found[-limit:] if limit else found
        if follow:
            for entry in lines:
                _print(entry, place, as_json=as_json)
            _follow(tail, wanted, place, as_json=as_json)
        now = place.instant(None)
    document = {"schema": 1, "lines": lines}
    answer(document, lambda width: logs_lines(document, place.view(now, width)), as_json=as_json)


def _answer_recalls(
    workspace: Path | None,
    window: str | None,
    since: str | None,
    memory: str | None,
    query: str | None,
    limit: int,
    *,
    as_json: bool,
) -> None:
    from memgardend.daemon.cli.opening import looking
    from memgardend.daemon.screens.recalls import recalls_lines
    from memgardend.jobs.look.recalls import recalls_document

    with looking(workspace) as place:
        document = recalls_document(
            place.store,
            window=window,
            memory=memory,
            query=query,
            since=None if since is None else _since(place, since),
            limit=limit,
        )
        now = place.instant(None)
    answer(document, lambda width: recalls_lines(document, place.view(now, width)), as_json=as_json)


def _follow(
    tail: Tail, wanted: Callable[[dict[str, Any]], bool], place: Looking, *, as_json: bool
) -> NoReturn:
    """Until somebody interrupts."""
    from memgardend.core.clock import SystemClock

    while True:
        for entry in tail.new():
            if wanted(entry):
                _print(entry, place, as_json=as_json)
        SystemClock().sleep(POLL_SECONDS)  # whoever watches lives in real time


def _print(entry: dict[str, Any], place: Looking, *, as_json: bool) -> None:
    from memgardend.daemon.screens.logs import entry_lines

    if as_json:
        sys.stdout.write(json.dumps(entry, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        return
    now = place.instant(None)
    answer_more(lambda width: entry_lines(entry, place.view(now, width)))


def _since(place: Looking, text: str) -> int:
    """An age, or a time."""
    from memgardend.config.times import typed_duration

    try:
        return place.outlook.now_ms - typed_duration(text)
    except UsageError:
        return place.instant(text)


def _mention_journal(place: Looking) -> None:
    """systemd keeps all that the daemon says, for longer than we do."""
    from memgardend.daemon.procfs import unit_of
    from memgardend.jobs.shared import DAEMON_KEY

    heartbeat = json.loads(place.store.state(DAEMON_KEY) or "{}")
    unit = unit_of(heartbeat["pid"]) if heartbeat else None
    if unit is not None and unit.startswith("memgardend"):
        user = "" if "@" in unit else "--user "
        say(f"the daemon runs under systemd, whose journal has more: journalctl {user}-u {unit}")
