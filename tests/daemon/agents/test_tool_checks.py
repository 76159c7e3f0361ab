"""What `doctor` says of an agent that is told to start our server of tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memgardend.config.load import load
from memgardend.daemon.agents import tool_checks
from memgardend.daemon.agents.tool_checks import check_tools
from memgardend.daemon.check import FAILED, OK, Check
from memgardend.daemon.garden import Workspace

OURS = {"type": "stdio", "command": "/home/a/.local/bin/memgardend", "args": ["mcp"]}
BY_RUNNER = {"command": "uvx", "args": ["--from", "memgardend[mcp]", "memgardend", "mcp"]}
OTHER = {"command": "memgardend", "args": ["serve"]}
AROUND = {"command": "mcp", "args": ["--inspect", "memgardend", "serve"]}
TYPED = "pip install 'memgardend[mcp]'"


@pytest.fixture(params=[None, TYPED], ids=["extra there", "extra missing"])
def missing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """What to type for the extra, where it is not there."""
    said: str | None = request.param
    monkeypatch.setattr(tool_checks, "missing_tools", lambda: said)
    return said


def checks(folder: Path) -> list[Check]:
    root = folder / "work"
    (root / "memgarden.yaml").write_text("locale: en\n", "utf-8")
    workspace = Workspace(root, load(root / "memgarden.yaml"), named=False)
    environ = {"CLAUDE_CONFIG_DIR": str(folder / "claude"), "CODEX_HOME": str(folder / "codex")}
    return list(check_tools(workspace, environ))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def servers(entry: object) -> str:
    return json.dumps({"mcpServers": {"memory": entry}})


WHERE = {
    "claude, all work": ("claude/.claude.json", servers(OURS)),
    "claude, this folder": ("claude/.claude.json", f'{{"projects": {{"WORK": {servers(OURS)}}}}}'),
    "claude, shared": ("work/.mcp.json", servers(BY_RUNNER)),
    "codex, all work": (
        "codex/config.toml",
        '[mcp_servers.m]\ncommand="memgardend"\nargs=["mcp"]\n',
    ),
    "codex, this folder": (
        "work/.codex/config.toml",
        '[mcp_servers.m]\ncommand="/opt/memgardend"\nargs=["mcp", "-w", "/x"]\n',
    ),
}


@pytest.mark.parametrize(("name", "text"), WHERE.values(), ids=WHERE.keys())
def test_an_agent_with_our_server_is_told_of_a_missing_extra(
    tmp_path: Path, name: str, text: str, missing: str | None
) -> None:
    (tmp_path / "work").mkdir()
    write(tmp_path / name, text.replace("WORK", str(tmp_path / "work")))
    (only,) = checks(tmp_path)
    assert only.detail.startswith(f"{'codex' if 'codex' in name else 'claude-code'}: ")
    assert str(tmp_path / name) in only.detail
    assert (only.level, only.hint) == ((FAILED, missing) if missing else (OK, None))


@pytest.mark.parametrize(
    "text",
    [
        *(servers(OTHER), servers(AROUND), servers("x")),
        *('{"mcpServers": []}', "[]", "{", '{"projects": {"WORK": 1}}'),
    ],
)
def test_others_and_what_cannot_be_read_are_not_our_matter(tmp_path: Path, text: str) -> None:
    (tmp_path / "work").mkdir()
    write(tmp_path / "claude/.claude.json", text.replace("WORK", str(tmp_path / "work")))
    write(tmp_path / "codex/config.toml", text)
    assert checks(tmp_path) == []
