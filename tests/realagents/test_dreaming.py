"""Claude Code as the model that dreams: the preset's flags before the program itself.

Codex is not asked so: its preset ignores the settings that would lead it to the stub.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from realagents.agents import BIN, ClaudeCode
from realagents.conftest import Today
from realagents.model_stub import ModelStub

pytestmark = [
    pytest.mark.realagents,
    pytest.mark.skipif(not (BIN / "claude").exists(), reason="not installed: make realagents"),
]


def test_the_preset_is_understood_and_leaves_nothing_behind(
    tmp_path: Path, stub: ModelStub
) -> None:
    agent = ClaudeCode("claude-code", Today(tmp_path), stub)
    agent.home.extra = agent.environment()
    agent.home.configure(
        "locale: en\nmodel: {preset: claude, env: [ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL]}\n"
    )
    agent.home.ok("init", "--yes")
    agent.prepare()
    stub.said = '{"operations": [], "questions": [], "summary": "ready"}'

    tried = agent.home.ok("model", "test", "--json").json()

    assert (tried["outcome"], tried["tokens_in"], tried["tokens_out"]) == ("ok", 10, 5)
    assert not (tmp_path / ".claude" / "projects").exists()
