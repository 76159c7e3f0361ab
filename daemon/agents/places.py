"""Where each agent keeps its hooks, and what a person types to connect the tools."""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError
from memgardend.daemon.agents.hook_settings import EVENTS, PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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

    def remarks(self) -> Iterator[str]:
        """What a person should know of the settings around it."""
        if self.agent is not Agent.CODEX:
            return
        yield "Codex runs new hooks only after you have looked at them: type /hooks in it"
        try:
            said = tomllib.loads(self.config.read_text("utf-8"))
        except FileNotFoundError:
            return
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

    def tools_command(self, program: Path) -> str:
        """What connects the memory tools, which are no hooks."""
        serve = shlex.join([str(program.with_name("memgardend")), "mcp"])
        if self.agent is Agent.CODEX:
            return f"codex mcp add memgardend -- {serve}"
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
