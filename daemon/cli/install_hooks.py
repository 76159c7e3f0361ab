"""`memgardend install claude-code|codex`, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.daemon.agents.install import Change
    from memgardend.daemon.agents.places import Place

ProjectOption = Annotated[
    bool,
    typer.Option(
        "--project/--user",
        help="Only for conversations in this workspace; or for all of yours, which is the default: "
        "hooks answer in registered workspaces alone.",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
]


def installer(name: str) -> Callable[..., None]:
    """The command that puts our hooks into the settings of the agent of this name."""
    return _command(name, _install)


def uninstaller(name: str) -> Callable[..., None]:
    """The command that takes them out again."""
    return _command(name, _uninstall)


def _command(name: str, act: Callable[..., None]) -> Callable[..., None]:
    def command(
        project: ProjectOption = False,
        workspace: WorkspaceOption = None,
        dry_run: DryRunOption = False,
        as_json: JsonOption = False,
    ) -> None:
        act(_place(name, project, workspace), dry_run=dry_run, as_json=as_json)

    return command


def _install(place: Place, *, dry_run: bool, as_json: bool) -> None:
    import os
    import shlex
    import sys

    from memgardend.daemon.agents.command_file import plan_command
    from memgardend.daemon.agents.install import apply, plan_install
    from memgardend.daemon.agents.notes import Notes
    from memgardend.daemon.agents.places import hook_program
    from memgardend.daemon.cli.extras import missing_tools
    from memgardend.daemon.locations import state_folder
    from memgardend.daemon.screens.install_hooks import install_lines

    program = hook_program(Path(sys.executable))
    notes = Notes(state_folder())
    command = f"{shlex.quote(str(program))} {place.agent}"
    change = plan_install(place, command, notes)
    named = plan_command(place.dream_command, notes) if place.dream_command else None
    for one in () if dry_run else filter(None, (change, named)):
        apply(one, notes, install=True)
    document = _document(place, change, named, dry_run=dry_run) | {
        "command": command,
        "backup": str(notes.file(change.file)),
        "remarks": list(place.remarks()),
        "next": [
            *filter(None, [missing_tools()]),
            place.tools_command(program, os.environ),
            "memgardend doctor",
        ],
    }
    answer(document, lambda width: install_lines(document, width), as_json=as_json)


def _uninstall(place: Place, *, dry_run: bool, as_json: bool) -> None:
    from memgardend.daemon.agents.command_file import plan_command_removal
    from memgardend.daemon.agents.install import apply, plan_removal
    from memgardend.daemon.agents.notes import Notes
    from memgardend.daemon.locations import state_folder
    from memgardend.daemon.screens.install_hooks import uninstall_lines

    notes = Notes(state_folder())
    change = plan_removal(place, notes)
    named = plan_command_removal(place.dream_command, notes) if place.dream_command else None
    for one in () if dry_run else filter(None, (named, change)):  # inner folders first
        apply(one, notes, install=False)
    document = _document(place, change, named, dry_run=dry_run)
    answer(document, lambda width: uninstall_lines(document, width), as_json=as_json)


def _place(name: str, project: bool, workspace: Path | None) -> Place:
    import os

    from memgardend.daemon.agents.places import Agent, place_of
    from memgardend.daemon.garden import find_workspace

    folder = find_workspace(workspace).root if project else None
    return place_of(Agent(name), os.environ, folder)


def _document(
    place: Place, change: Change, named: Change | None, *, dry_run: bool
) -> dict[str, Any]:
    from memgardend.daemon.agents.hook_settings import EVENTS

    return {
        "schema": 1,
        "dry_run": dry_run,
        "agent": str(place.agent),
        "file": str(change.file),
        "done": str(change.done),
        "dream_command": named and {"file": str(named.file), "done": str(named.done)},
        "events": list(EVENTS),
    }
