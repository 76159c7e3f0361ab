"""`memgardend model show|test|schema|presets`."""

from __future__ import annotations

import typer

from memgardend.daemon.cli.commands import Commands
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer

app = Commands(help="The model command: what is run, try it, what it reads and writes.")
UNAVAILABLE = 69


@app.command()
def test(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Ask the model command one small question.

    Exit code 69 when it cannot be used.
    """
    import os

    from memgardend.daemon.cli.hints import here, placed
    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.clock import clock
    from memgardend.daemon.model import CommandModel
    from memgardend.daemon.model_test import test_document, try_model
    from memgardend.daemon.registry import Registry, registry_dir
    from memgardend.daemon.screens.model import test_lines
    from memgardend.daemon.trust import require_trust

    place = find(workspace)
    require_trust(Registry(registry_dir()), place.root, place.named, place.config)
    model = CommandModel(place.config.dreaming_model, clock(os.environ), os.environ)
    document = test_document(place.config, try_model(model, place.config))
    document["hint"] = placed(document["hint"], here(workspace))
    answer(document, lambda width: test_lines(document, width), as_json=as_json)
    if not document["ok"]:
        raise typer.Exit(UNAVAILABLE)


@app.command()
def show(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The exact command that dreams, what it reads and sees, and its deadlines. Nothing is run."""
    import os

    from memgardend.daemon.cli.opening import find
    from memgardend.daemon.clock import clock
    from memgardend.daemon.model import CommandModel
    from memgardend.daemon.model_show import show_document
    from memgardend.daemon.screens.model import show_lines

    settings = find(workspace).config.dreaming_model
    document = show_document(CommandModel(settings, clock(os.environ), os.environ))
    answer(document, lambda width: show_lines(document, width), as_json=as_json)


@app.command()
def schema(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The JSON schemas of the request that `input: json` sends, and of the answer."""
    import json
    import sys

    from memgardend.core.answer_schema import ANSWER_SCHEMA
    from memgardend.core.request_schema import REQUEST_SCHEMA

    both = {"schema": 1, "request": REQUEST_SCHEMA, "answer": ANSWER_SCHEMA}
    sys.stdout.write(json.dumps(both, ensure_ascii=False, indent=2) + "\n")


@app.command()
def presets(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The model commands that memgardend knows by name."""
    from memgardend.config.presets import PRESETS
    from memgardend.daemon.screens.model import presets_lines

    document = {
        "schema": 1,
        "presets": [
            {
                "name": preset.name,
                "command": list(preset.argv),
                "input": str(preset.input),
                "needs_model": preset.needs_model,
            }
            for preset in PRESETS.values()
        ],
    }
    answer(document, lambda width: presets_lines(document, width), as_json=as_json)
