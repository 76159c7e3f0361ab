"""An agent that is connected to a workspace which remembers a rule and a fact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from realagents.agents import Agent, ClaudeCode, Codex
from realagents.model_stub import ModelStub, listening
from support.commandline import CommandLine

RULE = "Always answer in British English."
FACT = "The staging server listens on port 9090."


class Today(CommandLine):
    """A command line in real time, which the agents live in."""

    def environment(self) -> dict[str, str]:
        said = super().environment()
        del said["MEMGARDEND_CLOCK"]
        return said


@pytest.fixture
def stub() -> Iterator[ModelStub]:
    with listening() as stub:
        yield stub


@pytest.fixture(params=[("claude-code", ClaudeCode), ("codex", Codex)], ids=lambda one: one[0])
def agent(request: pytest.FixtureRequest, tmp_path: Path, stub: ModelStub) -> Agent:
    name, kind = request.param
    home = Today(tmp_path)
    home.ok("init", "--locale", "en")
    home.ok("remember", RULE, "--layer", "rules", "--importance", "4")
    home.ok(
        "remember", FACT, "--project", "global", *("-k", "staging", "-k", "server", "-k", "port")
    )
    agent: Agent = kind(name, home, stub)
    agent.prepare()
    return agent
