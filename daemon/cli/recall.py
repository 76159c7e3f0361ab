"""`memgardend recall [TEXT]`."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli import completion
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.core.ports import Store
    from memgardend.jobs.recall import Injection


def recall(
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="A message of a person; `-` reads it from stdin."),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="WINDOW",
            help="The conversation that it is said in: what comes is noted there, and does not come again.",
            autocompletion=completion.windows,
        ),
    ] = None,
    first: Annotated[
        bool, typer.Option("--first", help="Without a window: as if it were the first message.")
    ] = False,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            help="The project worked in. Default: that of this folder, where the memory knows it.",
            autocompletion=completion.projects,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a message would bring to mind: with the first one of a conversation the block, later the hits.

    Without --window only a look: nothing is noted.
    """
    if first and window:
        raise UsageError(
            "--first is for a look, and a window knows itself what was first",
            hint="memgardend recall TEXT --first",
        )
    if text is None and not (first or window):
        raise UsageError("say what the message says", hint="memgardend recall TEXT")
    said = sys.stdin.read() if text == "-" else text or ""
    found, elsewhere = (
        (_in_window(workspace, window, said, project), None)
        if window
        else _ahead(workspace, said, project, first=first)
    )
    answer(_document(found), lambda width: _lines(found, width, elsewhere), as_json=as_json)


def _in_window(
    workspace: Path | None, window: str, text: str, project: str | None
) -> Injection | None:
    from memgardend.daemon.cli.by_hand import tooling
    from memgardend.daemon.tooling import speaking_window
    from memgardend.jobs.look import find_window
    from memgardend.jobs.recall import Turn, message

    with tooling(workspace) as (context, _):
        store = context.garden.store
        known = bool(store.find_windows(window)) or ":" not in window  # agents know theirs first
        name = find_window(store, window) if known else window
        turn = Turn(
            window=speaking_window(store, name),
            at=context.garden.clock.now_ms(),
            text=text,
            project=_project(store, project) or context.project,
        )
        return message(context.recall, turn)


def _ahead(
    workspace: Path | None, text: str, project: str | None, *, first: bool
) -> tuple[Injection | None, str | None]:
    """What would come; and, where no project is worked in, what to type to look in one."""
    from memgardend.daemon.cli.by_hand import looking_garden, project_here
    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.look_ahead import look_ahead

    root = find(workspace).root
    with looking_garden(workspace, signing=True) as (garden, where):
        within = _project(garden.store, project) or project_here(garden.store, root)
        names = [] if within else sorted(one.name for one in garden.store.projects())
        typed = [f"memgardend recall TEXT --project {shlex.quote(one)}{where}" for one in names[:1]]
        return look_ahead(garden, text, within, first=first), next(iter(typed), None)


def _project(store: Store, name: str | None) -> str | None:
    from memgardend.jobs.tools.scopes import known_ids

    return known_ids([name], store.projects())[0] if name else None


def _document(found: Injection | None) -> dict[str, Any]:
    kind, text = (str(found.kind), found.text) if found else ("none", "")
    return {"schema": 1, "kind": kind, "text": text, "memories": list(found.ids) if found else []}


def _lines(found: Injection | None, width: int | None, elsewhere: str | None) -> list[Any]:
    """The text itself, whole where it may be piped into an agent; that there is none is no part of it.

    Whoever reads it on a terminal needs no marker.
    """
    from rich.text import Text

    from memgardend.core.clean import printable
    from memgardend.core.recall.frame import unframed

    if found is None:
        say("nothing comes to mind" + (" of what holds everywhere" if elsewhere else ""))
        if elsewhere:
            say(f"To look in a project, too, try: {elsewhere}")
        return []
    text = found.text if width is None else unframed(found.text)
    return [Text(printable(line)) for line in text.splitlines()]
