"""Which sources there are, and which of them the settings of a workspace mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.config.model import Config, SourceSettings
from memgardend.core.errors import ConfigError
from memgardend.daemon.feed import every_source, sources_of
from memgardend.daemon.garden import Workspace
from memgardend.daemon.sources import AGENTS, KINDS, found, source_of
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.sources.codex import Codex
from memgardend.daemon.sources.jsonl import JsonLines
from support.commandline import CommandLine


def test_agents_are_found_in_their_own_folders(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "mine")}
    assert found(environ) == []
    (tmp_path / "mine" / "sessions").mkdir(parents=True)
    assert found(environ) == ["codex"]
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    assert found(environ) == ["claude-code", "codex"] == list(AGENTS)
    assert [*AGENTS, "jsonl"] == list(KINDS)
    claude, codex = every_source(environ)
    assert isinstance(claude, ClaudeCode)
    assert claude.root == tmp_path / ".claude" / "projects"
    assert isinstance(codex, Codex)
    assert codex.roots == [tmp_path / "mine" / name for name in ("sessions", "archived_sessions")]
    moved = every_source({"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "HOME": str(tmp_path)})
    assert isinstance(moved[0], ClaudeCode)
    assert moved[0].root == tmp_path / "c" / "projects"
    assert isinstance(moved[1], Codex)
    assert moved[1].roots[0] == tmp_path / ".codex" / "sessions"


def test_the_settings_choose_sources_and_folders(tmp_path: Path) -> None:
    chosen = (
        SourceSettings(kind="claude-code", path="logs/claude"),
        SourceSettings(kind="codex"),
        SourceSettings(kind="jsonl", path="logs/*.jsonl"),
        SourceSettings(kind="jsonl", path="/var/log/*.jsonl", cwd="any"),
        SourceSettings(kind="gemini"),
    )
    workspace = Workspace(tmp_path, Config(locale="en", sources=chosen), named=False)
    claude, codex, near, far = sources_of(workspace, {"HOME": "/home/mira"})
    assert isinstance(claude, ClaudeCode)
    assert claude.root == tmp_path / "logs" / "claude"
    assert isinstance(codex, Codex)
    assert codex.roots[0] == Path("/home/mira/.codex/sessions")
    assert isinstance(near, JsonLines)
    assert (near.workspace, near.pattern, near.cwd) == (tmp_path, "logs/*.jsonl", str(tmp_path))
    assert isinstance(far, JsonLines)
    assert (far.pattern, far.cwd) == ("/var/log/*.jsonl", None)


def test_no_sources_are_none_and_unsaid_ones_are_those_found(tmp_path: Path) -> None:
    (tmp_path / ".codex" / "sessions").mkdir(parents=True)
    environ = {"HOME": str(tmp_path)}
    none = Workspace(tmp_path, Config(locale="en", sources=()), named=False)
    unsaid = Workspace(tmp_path, Config(locale="en"), named=False)
    assert sources_of(none, environ) == []
    assert [source.kind for source in sources_of(unsaid, environ)] == ["codex"]


def test_a_kind_that_this_version_does_not_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'gemini'") as raised:
        source_of(SourceSettings(kind="gemini"), tmp_path, {})
    assert raised.value.hint == "kind: claude-code"


def test_nobodys_home_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="~nobody-such") as raised:
        source_of(SourceSettings(kind="codex", path="~nobody-such/x"), tmp_path, {})
    assert raised.value.hint == "path: ~/…"


@pytest.mark.parametrize("command", [["ingest"], ["run", "--once"]], ids=["ingest", "run"])
def test_an_unread_kind_is_said_at_each_run(tmp_path: Path, command: list[str]) -> None:
    line = CommandLine(tmp_path)
    line.workspace.mkdir()
    text = "locale: en\nsources: [{kind: gemini}, {kind: codex}]\n"
    (line.workspace / "memgarden.yaml").write_text(text)
    result = line.run(*command, "-w", str(line.workspace))
    assert result.code == 0, result.err
    said = "warning: memgarden.yaml: sources: this version does not read `gemini` yet"
    assert result.err.count(said) == 1
    assert "codex" not in result.err
