"""`memgardend mcp`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from memgardend.core.errors import ConfigError
from memgardend.daemon.cli.extras import missing_tools
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption
from memgardend.daemon.cli.output import say


def mcp(
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            envvar="MEMGARDEND_WINDOW",
            metavar="WINDOW",
            help="The conversation that calls, as <source>:<id>. Default: what Claude Code or Codex say, "
            "else one of its own for each start; a call may name another.",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the memory to an agent over stdin and stdout, by the Model Context Protocol.

    For the settings of any client: command `memgardend`, arguments `mcp -w DIR`. Needs the extra `mcp`.
    Without -w, in a folder of no registered workspace, it offers nothing.
    """
    missing = missing_tools()
    if missing is not None:
        raise ConfigError("the SDK of the protocol is not installed", hint=missing)
    if sys.stdin.isatty():
        say("an agent starts this and speaks here; Ctrl-D ends it")
        say(
            "To add it to Claude Code, try: claude mcp add --scope user memgardend -- memgardend mcp"
        )
    import anyio

    from memgardend.daemon.garden import find_workspace
    from memgardend.daemon.logs import configure_logs
    from memgardend.daemon.mcp.server import serve, server_of, server_of_nothing
    from memgardend.daemon.mcp.serving import Serving, new_window
    from memgardend.daemon.registry import Registry, registry_dir
    from memgardend.daemon.trust import require_registered

    try:
        place = find_workspace(workspace)
        require_registered(Registry(registry_dir()), place.root, place.named)
    except ConfigError as error:
        if workspace is not None:
            raise
        anyio.run(serve, server_of_nothing(str(error)))
        return
    configure_logs(workspace=place.root)
    anyio.run(serve, server_of(Serving(place, window or new_window(os.environ), bool(window))))
