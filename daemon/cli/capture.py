"""`memgardend capture`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memgardend.core.editorial.policies import PolicyName
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import answer


def capture(
    window_file: Annotated[
        Path,
        typer.Option(
            "--window-file",
            metavar="FILE",
            help='What is to be judged: plain text, or JSON lines of {"role", "text"}; - is stdin.',
        ),
    ],
    locale: Annotated[
        str, typer.Option("--locale", metavar="LOCALE", help="Language of the cards: en, zh-Hans.")
    ],
    model_cmd: Annotated[
        str | None,
        typer.Option(
            "--model-cmd",
            metavar="COMMAND",
            help="Asks this model: prompt on stdin, reply on stdout. It runs in an empty folder, so name files by "
            "whole paths. Default: offline rules, no model.",
        ),
    ] = None,
    policy: Annotated[
        PolicyName, typer.Option("--policy", help=f"What is worth a card: {', '.join(PolicyName)}.")
    ] = PolicyName.CONVERSATION_CAPTURE,
    keep_specifics: Annotated[
        bool,
        typer.Option("--keep-specifics", help="history_import: keep what happened only once, too."),
    ] = False,
    buckets: Annotated[
        str, typer.Option("--buckets", metavar="NAMES", help="Buckets in use, comma-separated.")
    ] = "",
    threads: Annotated[
        str, typer.Option("--threads", metavar="NAMES", help="Threads in use, comma-separated.")
    ] = "",
    ai_name: Annotated[
        str, typer.Option("--ai-name", metavar="NAME", help="The assistant's name.")
    ] = "",
    user_name: Annotated[
        str, typer.Option("--user-name", metavar="NAME", help="The person's name.")
    ] = "",
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge what of a text is worth remembering, and print it; nothing is stored.

    Needs no workspace: the settings of none are read.

    Exit codes: 0 judged, even if nothing is worth keeping · 1 the reply is of no use · 69 model unavailable.
    """
    import os

    from memgardend.daemon.capturing import capture_text
    from memgardend.daemon.clock import clock
    from memgardend.daemon.screens.capture import capture_lines
    from memgardend.daemon.text_file import read_text

    document = capture_text(
        read_text(window_file),
        locale=locale,
        policy=policy,
        keep_specifics=keep_specifics,
        buckets=buckets,
        threads=threads,
        user_name=user_name,
        ai_name=ai_name,
        command=model_cmd,
        clock=clock(os.environ),
        environ=os.environ,
    )
    answer(document, lambda width: capture_lines(document, width), as_json=as_json)
