"""The options that many commands take, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memgardend.core.words import Subcategory
from memgardend.daemon.cli import completion

WORKSPACE_VARIABLE = "MEMGARDEND_WORKSPACE"
LOOK, TEND, FEED, SET_UP, RUN = "Look", "Tend", "Feed", "Set up", "Run"
"""The groups of `memgardend --help`."""

# Every command takes it, also those that ask no workspace anything: scripts may say it everywhere.
WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "-w",
        "--workspace",
        envvar=WORKSPACE_VARIABLE,
        metavar="DIR",
        help="The folder to tend. Default: the nearest one upwards with a memgarden.yaml.",
    ),
]
# Without `envvar`: of an option that may be given several times typer would split the variable at each colon.
WorkspacesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "-w",
        "--workspace",
        metavar="DIR",
        help="A folder to tend; may be given several times. Default: the one in MEMGARDEND_WORKSPACE, else all "
        "that are registered, or with --once the nearest one upwards with a memgarden.yaml.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Answer with one JSON document, errors included.")
]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Log every step on stderr.")]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="TIME",
        help="Judge as of this time, read in dream.time_zone unless it names a zone.",
    ),
]
WindowArgument = Annotated[
    str,
    typer.Argument(
        metavar="WINDOW",
        help="A window id, or the start of one (with or without its source).",
        autocompletion=completion.windows,
    ),
]
DreamArgument = Annotated[
    str,
    typer.Argument(
        metavar="DREAM",
        help="A dream id, or the start of one.",
        autocompletion=completion.dreams,
    ),
]
OpenDreamArgument = Annotated[
    str,
    typer.Argument(
        metavar="DREAM",
        help="The id of a dream that has not ended, or its start.",
        autocompletion=completion.open_dreams,
    ),
]
MemoryArgument = Annotated[
    str,
    typer.Argument(
        metavar="MEMORY",
        help="A memory id, or the start of one.",
        autocompletion=completion.memories,
    ),
]
ProjectsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--project",
        metavar="NAME",
        help="A project that it applies to; may be given several times. Also: global, unset.",
        autocompletion=completion.projects,
    ),
]
KeywordsOption = Annotated[
    list[str] | None,
    typer.Option(
        "-k",
        "--keyword",
        metavar="WORD",
        help="A word that should bring it to mind; may be given several times.",
    ),
]
ReasonOption = Annotated[
    str | None, typer.Option("--reason", help="Why, for the history of the memory.")
]
SUBCATEGORY_HELP = f"Of a project memory: its shelf, {', '.join(Subcategory)}."
IMPORTANCE_HELP = "1 ordinary, 2 useful, 3 serious, 4 vital."
