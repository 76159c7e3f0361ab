"""The two agents themselves, as `make realagents` installs them, each in a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from realagents.model_stub import ModelStub
from realagents.terminal import Terminal, terminal
from support.commandline import COMMAND, CommandLine

BIN = Path(__file__).parents[2] / ".realagents" / "node_modules" / ".bin"
KEY = "sk-ant-none-of-this-is-a-key-00000000"
QUIET = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_TELEMETRY",
)


@dataclass
class Agent:
    """One of them: what differs is how it is told things, and where it keeps them."""

    name: str
    home: CommandLine
    stub: ModelStub

    def prepare(self) -> None:
        """Settings that a person would have by now: an account, a model, a folder that is trusted."""
        raise NotImplementedError

    @property
    def settings(self) -> Path:
        """The file with our hooks."""
        raise NotImplementedError

    def headless(self, prompt: str, session: str | None) -> Sequence[str]:
        """The command that says one thing, in a new conversation or in that one."""
        raise NotImplementedError

    def interactive(self, copied: str | None) -> Sequence[str]:
        """The command that a person starts, for a new conversation or a copy of that one."""
        raise NotImplementedError

    def to_find_tools(self, *names: str) -> list[str]:
        """What a model has to call before it may call the tools of a server."""
        return []

    def connect(self) -> None:
        """Hooks and tools, by the lines that `install` prints."""
        document = self.home.ok("install", self.name, "--json").json()
        line = next(one for one in document["next"] if " mcp add " in one)
        self.run(["sh", "-c", line])

    def say(self, prompt: str, session: str | None = None, cwd: Path | None = None) -> str:
        """Say one thing without a terminal. Gives back the conversation's id."""
        done = self.run(self.headless(prompt, session), cwd)
        for line in done.splitlines():
            said = json.loads(line)
            if found := said.get("session_id") or said.get("thread_id"):
                return str(found)
        raise AssertionError(done)

    def run(self, command: Sequence[str], cwd: Path | None = None) -> str:
        """Run it as this agent's person does; it must succeed."""
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=self.environment(),
            cwd=cwd or self.home.workspace,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )
        assert done.returncode == 0, done
        return done.stdout

    def sit_down(self, copied: str | None = None) -> AbstractContextManager[Terminal]:
        """Start it in a terminal."""
        return terminal(self.interactive(copied), self.environment(), self.home.workspace)

    def environment(self) -> dict[str, str]:
        """Nothing of the person who runs the tests, but the PATH; and no word to the world."""
        own = self.home.environment()
        own["PATH"] = os.pathsep.join([str(BIN), str(COMMAND.parent), own["PATH"]])
        told = {"ANTHROPIC_BASE_URL": self.stub.url, "ANTHROPIC_API_KEY": KEY}
        return {**own, **told, **dict.fromkeys(QUIET, "1")}


class ClaudeCode(Agent):
    """Claude Code; its servers' tools are found by a search first."""

    def prepare(self) -> None:
        settings = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(self.home.workspace): {"hasTrustDialogAccepted": True}},
        }
        (self.home.home / ".claude.json").write_text(json.dumps(settings), "utf-8")

    @property
    def settings(self) -> Path:
        return self.home.home / ".claude" / "settings.json"

    def headless(self, prompt: str, session: str | None) -> Sequence[str]:
        resumed = ["--resume", session] if session else []
        allowed = ["--allowedTools", "mcp__memgardend"]
        return ["claude", *resumed, "-p", prompt, "--output-format", "json", *allowed]

    def interactive(self, copied: str | None) -> Sequence[str]:
        return ["claude", *(["--resume", copied, "--fork-session"] if copied else [])]

    def to_find_tools(self, *names: str) -> list[str]:
        wanted = ",".join(f"mcp__memgardend__{name}" for name in names)
        return [f'CALL ToolSearch {{"query": "select:{wanted}"}}']


class Codex(Agent):
    """Codex; trust in hooks is given for each run, and its TUI without the server that outlives it."""

    def prepare(self) -> None:
        self.settings.parent.mkdir()
        lines = [
            'model = "stub"',
            'model_provider = "stub"',
            "check_for_update_on_startup = false",
            "[model_providers.stub]",
            'name = "stub"',
            f'base_url = "{self.stub.url}/v1"',
            "[analytics]",
            "enabled = false",
            f'[projects."{self.home.workspace}"]',
            'trust_level = "trusted"',
        ]
        self.settings.with_name("config.toml").write_text("\n".join(lines) + "\n", "utf-8")

    @property
    def settings(self) -> Path:
        return self.home.home / ".codex" / "hooks.json"

    def headless(self, prompt: str, session: str | None) -> Sequence[str]:
        waiting = ["-c", "mcp_servers.memgardend.required=true"]  # for the tools, from the start
        resumed = ["resume", session] if session else []
        flags = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check", "--json"]
        return ["codex", "exec", *flags, *waiting, *resumed, prompt]

    def interactive(self, copied: str | None) -> Sequence[str]:
        flags = ["--no-daemon", "--dangerously-bypass-hook-trust"]
        return ["codex", *flags, *(["fork", copied] if copied else [])]
