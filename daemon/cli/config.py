"""`memgardend config check|show|schema|trust`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from memgardend.core.clean import printable
from memgardend.daemon.cli.commands import Commands
from memgardend.daemon.cli.config_explain import explain
from memgardend.daemon.cli.config_prompts import prompts
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

if TYPE_CHECKING:
    from pathlib import Path

WRONG = 78

app = Commands(help="The settings: check, show, explain, their schema, trust, prompts.")
app.command()(explain)
app.command()(prompts)


@app.command()
def check(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Every mistake in memgarden.yaml at once, by line and column.

    Exit code 78 when there is one.
    """
    from memgardend.config.doubts import warnings
    from memgardend.config.load import check as check_text
    from memgardend.config.load import read_text
    from memgardend.config.pack_check import locale_problem
    from memgardend.config.prompting import room_problem
    from memgardend.daemon.policy_check import policy_problem
    from memgardend.daemon.prompts import pack_of
    from memgardend.daemon.registry import Registry, registry_dir, resolved
    from memgardend.daemon.screens.config import check_lines

    file = settings_file(workspace)
    text = read_text(file)
    config, problems = check_text(text)
    if config is not None:
        pack = pack_of(resolved(file.parent), config.locale)
        problems += locale_problem(text, pack) or room_problem(text, config, pack)
        if workspace is not None or Registry(registry_dir()).is_registered(resolved(file.parent)):
            problems += policy_problem(text, config)  # runs code of the person's
    lines = text.splitlines()
    document = {
        "schema": 1,
        "file": str(file),
        "problems": [
            {
                "line": problem.line,
                "column": problem.column,
                "message": problem.message,
                "hint": problem.hint,
                "text": lines[problem.line - 1] if problem.line <= len(lines) else "",
            }
            for problem in problems
        ],
        "warnings": [] if config is None else warnings(config),
    }
    answer(document, lambda width: check_lines(document, width), as_json=as_json)
    if problems:
        raise typer.Exit(WRONG)


@app.command()
def show(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Every setting in force, and whether it comes from the file or is the default."""
    from memgardend.config.load import load, read_text
    from memgardend.config.settings import origins
    from memgardend.daemon.screens.config import settings_lines

    file = settings_file(workspace)
    found = origins(read_text(file), load(file))
    document = {
        "schema": 1,
        "file": str(file),
        "settings": [
            {"key": one.key, "value": one.value, "origin": one.origin, "doc": one.doc}
            for one in found
        ],
    }
    answer(document, lambda width: settings_lines(document, width), as_json=as_json)


@app.command()
def schema(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The JSON schema that editors check memgarden.yaml against."""
    from memgardend.config.settings import schema_text

    sys.stdout.write(schema_text())


@app.command()
def trust(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Agree to the model command as memgarden.yaml names it now; the command is the yes, it asks nothing."""
    from rich.text import Text

    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.registry import Registry, registry_dir
    from memgardend.daemon.setup import model_line

    place = find(workspace)
    Registry(registry_dir()).trust(place.root, place.config)
    document = {"schema": 1, "workspace": str(place.root), "model": model_line(place.config)}
    says = printable(f"Dreams of {place.root} may run: {document['model']}")
    answer(document, lambda _: [Text(says)], as_json=as_json)


@app.command()
def unregister(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Let no daemon tend the workspace any more, and agree to its model command no longer.

    Its files stay, and `memgardend init` takes it in again. Works also where the folder is gone.
    Exit code 1 when it was not registered.
    """
    from rich.text import Text

    from memgardend.core.errors import MemgardendError
    from memgardend.daemon.registry import Registry, registry_dir, resolved

    root = resolved(settings_file(workspace).parent)
    if not Registry(registry_dir()).unregister(root):
        raise MemgardendError(f"{root} is not registered", hint="memgardend doctor")
    document = {"schema": 1, "workspace": str(root)}
    answer(
        document, lambda _: [Text(printable(f"Not registered any more: {root}"))], as_json=as_json
    )


def settings_file(workspace: Path | None) -> Path:
    """The settings file of the workspace, right or wrong. Raises ConfigError when there is none."""
    from pathlib import Path

    from memgardend.config.load import FILENAME, find
    from memgardend.core.errors import ConfigError

    if workspace is not None:
        return workspace if workspace.name == FILENAME else workspace / FILENAME
    file = find(Path())
    if file is None:
        raise ConfigError(f"no {FILENAME} in {Path.cwd()} or above", hint="memgardend init")
    return file
