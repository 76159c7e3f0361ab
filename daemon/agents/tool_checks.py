"""What `doctor` says of the tools: which agents are told to start our server, and whether it can start here."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.daemon.agents.places import Agent, place_of
from memgardend.daemon.check import FAILED, OK, Check
from memgardend.daemon.cli.extras import missing_tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.daemon.garden import Workspace

NAME = "tools"
_PROGRAM, _COMMAND = "memgardend", "mcp"


def check_tools(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Check]:
    """Each agent whose settings name our server. Where none does, nothing is said: hooks do without."""
    missing = missing_tools()
    for agent, file in _told(workspace.root, environ):
        if missing is None:
            yield Check(NAME, OK, f"{agent}: {file} starts {_PROGRAM} {_COMMAND}")
        else:
            detail = f"{agent}: {file} starts {_PROGRAM} {_COMMAND}, which needs the extra `mcp`"
            yield Check(NAME, FAILED, detail, missing)


def _told(root: Path, environ: Mapping[str, str]) -> Iterator[tuple[Agent, Path]]:
    """The settings that name our server, for all of the person's work or for this workspace."""
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or Path.home()) / ".claude.json"
    said = _json(claude)
    project = _table(_table(said, "projects"), str(root))
    for file, servers in (
        (claude, {**_table(said, "mcpServers"), **_table(project, "mcpServers")}),
        (root / ".mcp.json", _table(_json(root / ".mcp.json"), "mcpServers")),
    ):
        if any(map(_is_ours, servers.values())):
            yield Agent.CLAUDE_CODE, file
    for folder in (None, root):
        config = place_of(Agent.CODEX, environ, folder).config
        if any(map(_is_ours, _table(_toml(config), "mcp_servers").values())):
            yield Agent.CODEX, config


def _is_ours(server: object) -> bool:
    """Whether an entry starts our server, by whatever path or runner."""
    if not isinstance(server, dict):
        return False
    arguments = server.get("args")
    words = [server.get("command"), *(arguments if isinstance(arguments, list) else [])]
    names = [Path(word).name for word in words if isinstance(word, str)]
    return _PROGRAM in names and _COMMAND in names[names.index(_PROGRAM) :]


def _table(said: dict[str, Any], name: str) -> dict[str, Any]:
    found = said.get(name)
    return found if isinstance(found, dict) else {}


def _json(file: Path) -> dict[str, Any]:
    """What a file of the agent's own says; nothing where it says nothing that can be read: that is its matter."""
    try:
        found = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
