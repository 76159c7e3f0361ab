"""Ask the person before what wants a yes."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import typer

from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def ask(
    plan: str,
    command: Sequence[str],
    workspace: Path | None,
    *,
    yes: bool,
    as_json: bool,
    question: str = "Go on?",
) -> None:
    """Come back only after a yes, said with --yes or on the terminal.

    Raises UsageError when nobody can be asked; its hint is the same command, with all that narrowed it.
    """
    if yes:
        return
    if as_json or not sys.stdin.isatty():
        where = [] if workspace is None else ["-w", str(workspace)]
        again = shlex.join(["memgardend", *command, *where, "--yes"])
        raise UsageError(f"{plan}: this wants a yes", hint=again)
    typer.confirm(f"{plan}. {question}", abort=True, err=True)
