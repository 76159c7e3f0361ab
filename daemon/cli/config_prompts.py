"""`memgardend config prompts [--check]`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memgardend.core.errors import UsageError
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say

WRONG = 78


def prompts(
    check: Annotated[
        bool, typer.Option("--check", help="Show every mistake in the packs and overrides.")
    ] = False,
    locale: Annotated[
        str | None, typer.Option("--locale", help="Another pack than that of the workspace.")
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Where each slot of the prompts comes from: built in, from you, or from the workspace.

    Exit code 78 when --check finds a mistake.
    """
    from memgardend.config.pack_check import check_packs
    from memgardend.config.packs import locales
    from memgardend.daemon.prompts import check_document, pack_of, slots_document, user_dir
    from memgardend.daemon.screens.prompts import check_lines, slots_lines

    root, own = _settings(workspace)
    chosen = own if locale is None else _valid(locale)
    if check:
        problems = check_packs(root, user_dir(), chosen)
        document = check_document(problems, locales(root, user_dir()))
        answer(document, lambda width: check_lines(document, width), as_json=as_json)
        if document["problems"]:
            raise typer.Exit(WRONG)
        return
    document = slots_document(pack_of(_trusted(root, workspace), chosen))
    answer(document, lambda width: slots_lines(document, width), as_json=as_json)


def _settings(given: Path | None) -> tuple[Path | None, str]:
    """The workspace and its locale; English where there is none around: packs can be written before `init`."""
    from memgardend.config.load import find, load
    from memgardend.config.packs import EXAMPLE
    from memgardend.daemon.cli.config import settings_file
    from memgardend.daemon.registry import resolved

    if given is None and find(Path()) is None:
        return None, EXAMPLE
    file = settings_file(given)
    return resolved(file.parent), load(file).locale


def _valid(locale: str) -> str:
    """The locale, if settings could name it. Raises UsageError otherwise."""
    from memgardend.config.pack_check import name_problem

    problem = name_problem(locale)
    if problem is not None:
        raise UsageError(problem.message, hint=problem.hint)
    return locale


def _trusted(root: Path | None, given: Path | None) -> Path | None:
    """The workspace if its overrides count; says so where they are there and do not."""
    from memgardend.config.packs import override_folders
    from memgardend.daemon.registry import Registry, registry_dir

    if root is None or given is not None or Registry(registry_dir()).is_registered(root):
        return root
    folder = override_folders(root, None)["workspace"]
    if folder.is_dir():
        say(f"warning: {root} is not registered, so {folder} is not used")
    return None
