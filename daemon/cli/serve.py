"""`memgardend serve` and `memgardend manifest`."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer, say
from memgardend.daemon.cli.version import installed

if TYPE_CHECKING:
    from memgardend.daemon.serve.desk import Desk

StorageOption = Annotated[
    str,
    typer.Option(
        "--storage",
        metavar="URL",
        help="Where cards are kept: sqlite:///PATH, or memory:// for this process alone.",
    ),
]
ModelCommandOption = Annotated[
    str | None,
    typer.Option(
        "--model-cmd",
        metavar="COMMAND",
        help="The model: the prompt on its stdin, the reply on its stdout. No shell reads it. Without one, "
        "callers ask their own.",
    ),
]
ModelEnvOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-env",
        metavar="NAME",
        help="An environment variable that the model command may see; may be given several times.",
    ),
]


def serve(
    storage: StorageOption = "memory://",
    model_command: ModelCommandOption = None,
    model_env: ModelEnvOption = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the schema of requests and answers, and end.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The library for programs in any language: requests as JSON lines on stdin, answers on stdout.

    {"id": 1, "method": "health.get", "params": {}}

    Ends with its input. No line, however wrong, ends it before.
    """
    from memgardend.daemon.serve.about import schema_document
    from memgardend.daemon.serve.lines import serve as answer_lines
    from memgardend.daemon.serve.service import METHODS, Service

    if schema:
        document = schema_document(METHODS.values())
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        return
    service = Service(_desk(storage, model_command, model_env or []))
    if storage == "memory://":
        say("cards are kept in this process alone; --storage sqlite:///PATH keeps them")
    if sys.stdin.isatty():
        say("waits for requests, one a line; Ctrl-D ends it")
    answer_lines(service, sys.stdin.buffer, sys.stdout.buffer)


def manifest(
    storage: StorageOption = "memory://",
    model_command: ModelCommandOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """What the library can do with this model and this store: policies, locales, tools, and what is off."""
    from memgardend.daemon.screens.manifest import manifest_lines
    from memgardend.daemon.serve.about import manifest_document

    desk = _desk(storage, model_command, [])
    document = manifest_document(desk.component, desk.store, desk.version)
    answer(document, lambda width: manifest_lines(document, width), as_json=as_json)


def _desk(storage: str, model_command: str | None, model_env: list[str]) -> Desk:
    """Where requests are answered, with this store and this model."""
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.selection import Chain
    from memgardend.core.editorial.stages import RelevanceStage
    from memgardend.daemon.clock import clock as clock_of
    from memgardend.daemon.library.model_command import ModelCommand
    from memgardend.daemon.library.places import open_place
    from memgardend.daemon.serve.desk import Desk
    from memgardend.daemon.serve.sessions import Sessions

    clock = clock_of(os.environ)
    model = None
    if model_command is not None:
        model = ModelCommand(
            model_command,
            clock=clock,
            environ=os.environ,
            env=model_env,
            tell=lambda text: say(f"model: {text}"),
        )
    # What fits what is said, and nothing else: a caller that wants recent cards too asks for a page.
    component = GardenComponent(model=model, selection=Chain((RelevanceStage(limit=100),)))
    return Desk(component, open_place(storage, clock), Sessions(clock), installed())
