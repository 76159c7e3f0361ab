"""What `doctor` says of hooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memgardend.config.load import load
from memgardend.daemon.agents.checks import check_hooks, hooks_lag
from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.garden import Workspace
from support.commandline import CommandLine


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A registered workspace, and this process in its home."""
    command = CommandLine(tmp_path)
    command.ok("init", "--locale", "en")
    for name, value in command.environment().items():
        monkeypatch.setenv(name, value)
    return command


def checks(command: CommandLine) -> list[Check]:
    """All that is said."""
    root = command.workspace
    workspace = Workspace(root, load(root / "memgarden.yaml"), named=False)
    return list(check_hooks(workspace, command.environment()))


def trust(
    hooks: Path,
    *,
    events: tuple[str, ...] = ("session_start", "user_prompt_submit", "stop"),
    **more: bool,
) -> None:
    """Do in Codex's settings what it does when a person trusts our hooks, which stand there alone."""
    said = "".join(
        f'[hooks.state."{hooks}:{event}:0:0"]\ntrusted_hash = "sha256:00"\n'
        + "".join(f"{name} = {str(value).lower()}\n" for name, value in more.items())
        for event in events
    )
    hooks.with_name("config.toml").write_text(said, "utf-8")


def test_an_agent_without_hooks_is_told_how_to_get_them(ready: CommandLine) -> None:
    assert checks(ready) == []
    (ready.home / ".codex").mkdir()
    (only,) = checks(ready)
    assert (only.level, only.hint) == (OK, "memgardend install codex")


def test_hooks_that_are_installed_are_run(ready: CommandLine) -> None:
    ready.ok("install", "claude-code")
    ready.ok("install", "codex", "--project")
    trust(ready.workspace / ".codex" / "hooks.json")
    assert [one.level for one in checks(ready)] == [OK, OK]
    assert {one.hint for one in checks(ready)} == {None}


def test_a_program_that_is_gone_is_seen(ready: CommandLine) -> None:
    ready.ok("install", "claude-code")
    settings = ready.home / ".claude" / "settings.json"
    text = settings.read_text("utf-8")
    command = json.loads(text)["hooks"]["Stop"][0]["hooks"][0]["command"]
    settings.write_text(text.replace(command, "/gone/memgardend-hook claude-code"), "utf-8")
    (only,) = checks(ready)
    assert (only.level, only.hint) == (FAILED, "memgardend install claude-code")
    assert "/gone/memgardend-hook" in only.detail


def test_a_part_of_the_hooks_is_not_enough(ready: CommandLine) -> None:
    ready.ok("install", "claude-code")
    settings = ready.home / ".claude" / "settings.json"
    said = json.loads(settings.read_text("utf-8"))
    del said["hooks"]["Stop"]
    settings.write_text(json.dumps(said), "utf-8")
    first, second = checks(ready)
    assert (first.level, second.level) == (WARNING, OK)
    assert first.detail.endswith("has none of ours at Stop")


def test_codex_runs_nothing_that_nobody_has_trusted(ready: CommandLine) -> None:
    ready.ok("install", "codex")
    hooks = ready.home / ".codex" / "hooks.json"
    told = "codex: runs none at {} until you trust it there; it asks when it starts"
    assert checks(ready)[0].detail == told.format("SessionStart, UserPromptSubmit, Stop")
    trust(hooks, events=("session_start", "stop"))
    assert checks(ready)[0].detail == told.format("UserPromptSubmit")
    trust(hooks, enabled=False)
    assert [one.level for one in checks(ready)] == [WARNING, OK]
    trust(hooks, enabled=True)
    assert [one.level for one in checks(ready)] == [OK]
    hooks.write_text("\ufeff" + hooks.read_text("utf-8"), "utf-8")
    assert [one.level for one in checks(ready)] == [OK]
    hooks.with_name("config.toml").write_text("[", "utf-8")
    assert "config.toml cannot be read" in checks(ready)[0].detail


def test_without_its_file_claude_code_does_not_know_the_command(ready: CommandLine) -> None:
    ready.ok("install", "claude-code")
    (ready.home / ".claude" / "commands" / "dream.md").unlink()
    first, second = checks(ready)
    assert (first.level, first.hint) == (WARNING, "memgardend install claude-code")
    assert second.level == OK


def test_settings_that_nobody_can_read_are_said(ready: CommandLine) -> None:
    settings = ready.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{", "utf-8")
    (only,) = checks(ready)
    assert only.level == FAILED
    assert "line 1, column 2" in only.detail


def test_what_hooks_go_by_must_be_there(ready: CommandLine) -> None:
    ready.ok("install", "codex")
    trust(ready.home / ".codex" / "hooks.json")
    (ready.workspace / ".memgarden" / "effective.json").unlink()
    assert [one.level for one in checks(ready)] == [OK, FAILED]


def test_what_hooks_go_by_must_be_what_the_workspace_says(ready: CommandLine) -> None:
    ready.ok("install", "codex")
    trust(ready.home / ".codex" / "hooks.json")
    settings = ready.workspace / "memgarden.yaml"
    settings.write_text("locale: en\nrecall: {hit_top_k: 5}\n", "utf-8")
    assert [one.level for one in checks(ready)] == [OK, WARNING]
    assert ready.ok("status", "--json").json()["hooks"] == {"settings_old": True}
    ready.ok("ingest")
    assert [one.level for one in checks(ready)] == [OK]
    assert not lag(ready)
    prompts = ready.workspace / ".memgarden" / "prompts" / "en"
    prompts.mkdir(parents=True)
    (prompts / "guide.md").write_text("Be brief.\n", "utf-8")
    assert lag(ready)
    ready.ok("uninstall", "codex")
    assert not lag(ready), "nothing goes by them"


def lag(command: CommandLine) -> bool:
    root = command.workspace
    workspace = Workspace(root, load(root / "memgarden.yaml"), named=False)
    return hooks_lag(workspace, command.environment())


@pytest.mark.parametrize(
    ("at", "levels"),
    [("2026-11-30T18:00:00Z", [OK, WARNING]), ("2026-11-28T18:00:00Z", [OK])],
)
def test_the_last_failure_is_told_for_a_day(ready: CommandLine, at: str, levels: list[str]) -> None:
    ready.ok("install", "codex")
    trust(ready.home / ".codex" / "hooks.json")
    line = {"timestamp": at, "level": "warning", "event": "hook_failed", "reason": "StoreError: x"}
    with (ready.home / "state" / "memgardend" / "log.jsonl").open("a") as log:
        log.write(json.dumps(line) + "\n")
    assert [one.level for one in checks(ready)] == levels
