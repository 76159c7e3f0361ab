"""Ask the person before what wants a yes."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import typer

from memgardend.core.clean import printable
from memgardend.core.errors import MemgardendError, UsageError
from memgardend.daemon.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memgardend.daemon.garden import Workspace


def ask(
    plan: str,
    command: Sequence[str],
    workspace: Path | None,
    *,
    yes: bool,
    as_json: bool,
    question: str = "Go on?",
) -> None:
    """Come back only after a yes, said with --yes or on the terminal; a no ends the command, with 1.

    Raises UsageError when nobody can be asked; its hint is the same command, with all that narrowed it.
    """
    if yes:
        return
    if as_json or not sys.stdin.isatty():
        where = [] if workspace is None else ["-w", str(workspace)]
        again = shlex.join(["memgardend", *command, *where, "--yes"])
        raise UsageError(f"{plan}: this wants a yes", hint=again)
    if not typer.confirm(printable(f"{plan}. {question}"), err=True):
        say("nothing was done")
        raise typer.Exit(MemgardendError.exit_code)


def ask_about_change(place: Workspace) -> None:
    """Ask on a terminal whether dreams may run a model command that is not the one agreed to.

    Without a yes, or with nobody to ask, it stays as it is: what would run it refuses.
    """
    from memgardend.daemon.registry import Registry, registry_dir
    from memgardend.daemon.setup import model_line

    registry = Registry(registry_dir())
    changed = registry.is_registered(place.root) and not registry.model_trusted(
        place.root, place.config
    )
    if not changed or not sys.stdin.isatty():
        return
    now = f"The model command of {place.root} is now: {model_line(place.config)}"
    if typer.confirm(f"{printable(now)}. May dreams run it?", err=True):
        registry.trust(place.root, place.config)
