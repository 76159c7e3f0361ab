"""`memgardend mcp`."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer

from memgardend.core.errors import ConfigError
from memgardend.daemon.cli.options import JsonOption, WorkspaceOption


def mcp(
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            envvar="MEMGARDEND_WINDOW",
            metavar="WINDOW",
            help="The conversation that calls, as <source>:<id>. Default: one of its own for each start; "
            "a call may name another.",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the memory to an agent over stdin and stdout, by the Model Context Protocol.

    For the settings of any client: command `memgardend`, arguments `mcp -w DIR`. Needs the extra `mcp`.
    """
    if importlib.util.find_spec("mcp") is None:
        raise ConfigError(
            "the SDK of the protocol is not installed", hint="pip install 'memgardend[mcp]'"
        )
    import anyio

    from memgardend.daemon.garden import find_workspace
    from memgardend.daemon.logs import configure_logs
    from memgardend.daemon.mcp.server import serve
    from memgardend.daemon.mcp.serving import Serving, new_window
    from memgardend.daemon.registry import Registry, registry_dir
    from memgardend.daemon.trust import require_registered

    place = find_workspace(workspace, Path.cwd())
    require_registered(Registry(registry_dir()), place.root, place.named)
    configure_logs(workspace=place.root)
    anyio.run(serve, Serving(place, window or new_window(os.environ)))
