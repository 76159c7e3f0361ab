"""Where each agent keeps its hooks, and what a person types to connect the tools."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import ConfigError
from memgardend.daemon.agents.hook_settings import EVENTS, PROGRAM, positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOLDER_VARIABLES = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")
"""In which folders we and agents keep things: without these a server finds neither registry nor conversations."""


class Agent(StrEnum):
    """An agent that calls hooks."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


@dataclass(frozen=True, slots=True)
class Place:
    """The file with the hooks of an agent, for all of a person's work or for one folder."""

    agent: Agent
    file: Path
    folder: Path | None = None  # None: for all of the person's work

    @property
    def config(self) -> Path:
        """Codex's other settings, beside its hooks."""
        return self.file.with_name("config.toml")

    @property
    def dream_command(self) -> Path | None:
        """The file that makes `/dream` a command; Codex has no such files."""
        if self.agent is Agent.CODEX:
            return None
        return self.file.parent / "commands" / "dream.md"

    def remarks(self) -> Iterator[str]:
        """What a person should know of the settings around it."""
        if self.agent is not Agent.CODEX:
            return
        yield "Codex runs new hooks only after you have trusted them: it asks at its next start, or at /hooks"
        try:
            said = self._config()
        except (OSError, ValueError) as error:
            yield f"{self.config} cannot be read: {error}"
            return
        features = said.get("features")
        switches = features if isinstance(features, dict) else {}
        if False in (switches.get("hooks"), switches.get("codex_hooks")):
            yield f"{self.config} switches hooks off, under [features]"
        hooks = said.get("hooks")
        if isinstance(hooks, dict) and set(EVENTS) & set(hooks):
            yield f"{self.config} has hooks, too; Codex runs both, and says so at each start"

    def untrusted(self) -> list[str]:
        """The events at which Codex does not run our hook: nobody has trusted it. Raises OSError and ValueError.

        Trust is kept in its config by file, event and place in the list, with a hash (seen in 0.171).
        """
        if self.agent is not Agent.CODEX:
            return []
        said = self._config().get("hooks")
        states = said.get("state") if isinstance(said, dict) else None
        known = states if isinstance(states, dict) else {}
        missing = []
        for event, group, index in positions(self.file.read_text("utf-8-sig")):
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
            state = known.get(f"{self.file}:{name}:{group}:{index}")
            if (
                not isinstance(state, dict)
                or "trusted_hash" not in state
                or state.get("enabled") is False
            ):
                missing.append(event)
        return missing

    def _config(self) -> dict[str, Any]:
        """What Codex's other settings say; nothing where there are none."""
        try:
            return tomllib.loads(self.config.read_text("utf-8"))
        except FileNotFoundError:
            return {}

    def tools_command(self, program: Path, environ: Mapping[str, str]) -> str:
        """What connects the memory tools, which are no hooks.

        Codex starts a server with little of the environment: what says where things lie has to be named.
        """
        serve = shlex.join([str(program.with_name("memgardend")), "mcp"])
        if self.agent is Agent.CODEX:
            moved = [
                f"--env {shlex.quote(f'{name}={environ[name]}')} "
                for name in _FOLDER_VARIABLES
                if environ.get(name)
            ]
            return f"codex mcp add memgardend {''.join(moved)}-- {serve}"
        scope = "user" if self.folder is None else "local"
        return f"claude mcp add --scope {scope} memgardend -- {serve}"


def place_of(agent: Agent, environ: Mapping[str, str], folder: Path | None = None) -> Place:
    """The place for all of the person's work, or for a folder.

    A folder's file holds a path of this machine, so for Claude Code it is the one that is not shared.
    """
    if agent is Agent.CODEX:
        home = Path(environ.get("CODEX_HOME") or Path.home() / ".codex")
        return Place(agent, (folder / ".codex" if folder else home) / "hooks.json", folder)
    home = Path(environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    if folder is None:
        return Place(agent, home / "settings.json")
    return Place(agent, folder / ".claude" / "settings.local.json", folder)


def hook_program(python: Path) -> Path:
    """The installed hook beside the program that runs now. Raises ConfigError where there is none."""
    program = python.with_name(PROGRAM)
    if not program.is_file():
        raise ConfigError(f"there is no {program}", hint="pip install --force-reinstall memgardend")
    return program
