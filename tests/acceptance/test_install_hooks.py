"""`install claude-code|codex` as a person types it; tests/daemon/agents has the rules."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest

from support.commandline import CommandLine
from support.hooks import payload, told

FILES = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


@pytest.mark.parametrize("agent", FILES)
def test_what_is_installed_answers_when_a_shell_runs_it(dreamed: CommandLine, agent: str) -> None:
    settings = dreamed.home / FILES[agent]
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"model": "opus"}\n', "utf-8")
    document = dreamed.ok("install", agent, "--json").json()
    assert document["file"] == str(settings)
    assert document["done"] == "updated"
    assert bool(document["dream_command"]) is (agent == "claude-code")
    command = json.loads(settings.read_text("utf-8"))["hooks"]["SessionStart"][0]["hooks"][0][
        "command"
    ]
    assert command == document["command"]
    done = subprocess.run(
        ["sh", "-c", command],
        input=payload(
            "SessionStart", f"i-{agent}", dreamed.workspace, agent=agent, source="startup"
        ),
        capture_output=True,
        env=dreamed.environment(),
        cwd="/",
    )
    assert "British English" in told(done.stdout, "SessionStart")
    lines = dreamed.ok("uninstall", agent).out.splitlines()
    assert lines[0] == f"{settings}: as it was before, byte for byte"
    assert len(lines) == (2 if document["dream_command"] else 1)
    assert settings.read_text("utf-8") == '{"model": "opus"}\n'


def test_a_dream_of_the_person_s_own_stays_theirs(registered: CommandLine) -> None:
    file = registered.home / ".claude" / "commands" / "dream.md"
    for theirs in (None, "Tell me of Wales.\n"):
        if theirs is not None:
            file.parent.mkdir(parents=True)
            file.write_text(theirs, "utf-8")
        installed = registered.ok("install", "claude-code").out
        if theirs is None:
            assert "disable-model-invocation: true" in file.read_text("utf-8")
            assert f"/dream is a command now, by {file}" in installed
        else:
            assert f"{file} is your own" in installed
        assert registered.ok("install", "claude-code").code == 0, "once more changes nothing"
        registered.ok("uninstall", "claude-code")
        assert (file.read_text("utf-8") if file.exists() else None) == theirs


def test_codex_is_told_where_things_lie_for_it_keeps_the_environment_to_itself(
    registered: CommandLine,
) -> None:
    registered.extra["CODEX_HOME"] = str(registered.home / "my codex")
    tools = registered.ok("install", "codex", "--dry-run", "--json").json()["next"][-2]
    words = shlex.split(tools)
    assert words[:4] == ["codex", "mcp", "add", "memgardend"]
    assert f"CODEX_HOME={registered.home / 'my codex'}" in words
    assert f"XDG_STATE_HOME={registered.home / 'state'}" in words
    assert words[-1] == "mcp"
    registered.extra |= dict.fromkeys(("CODEX_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"), "")
    tools = registered.ok("install", "codex", "--dry-run", "--json").json()["next"][-2]
    assert "--env" not in tools


def test_a_workspace_alone_and_a_dry_run(registered: CommandLine) -> None:
    lines = registered.ok("install", "claude-code", "--project", "--dry-run").out.splitlines()
    file = registered.workspace / ".claude" / "settings.local.json"
    assert lines[:2] == [
        "A dry run: nothing of this was done.",
        f"{file}: new, with our hooks",
    ]
    assert not any("held before" in line for line in lines)
    assert lines[-1] == "  memgardend doctor"
    assert not file.exists()
    registered.ok("install", "claude-code", "--project")
    assert file.exists()
    assert (
        registered.ok("uninstall", "claude-code", "--project", "--json").json()["done"] == "removed"
    )
    assert not file.exists()


def test_broken_settings_are_a_mistake_with_a_place(registered: CommandLine) -> None:
    settings = registered.home / ".codex" / "hooks.json"
    settings.parent.mkdir()
    settings.write_text('{"hooks": {]}', "utf-8")
    result = registered.run("install", "codex", "--json")
    assert result.code == 78
    assert result.error()["message"] == (
        f"{settings}: line 1, column 12: a name in quotes is missing; nothing is written"
    )
