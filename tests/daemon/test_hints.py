"""What is proposed to be typed means the workspace that was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgardend.daemon.cli.hints import here, named, placed


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace beside the current folder."""
    garden = tmp_path / "my garden"
    elsewhere = tmp_path / "elsewhere"
    for folder in (garden / "deep", elsewhere):
        folder.mkdir(parents=True)
    (garden / "memgarden.yaml").touch()
    monkeypatch.chdir(elsewhere)
    monkeypatch.delenv("MEMGARDEND_WORKSPACE", raising=False)
    return garden


def test_what_the_current_folder_does_not_lead_to_is_named_again(garden: Path) -> None:
    assert here(garden) == f" -w '{garden}'"
    assert here(garden / "memgarden.yaml") == f" -w '{garden / 'memgarden.yaml'}'"
    assert here(Path("../my garden")) == " -w '../my garden'"


def test_what_leads_there_anyway_is_not(garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here(None) == ""
    monkeypatch.setenv("MEMGARDEND_WORKSPACE", str(garden))
    assert here(garden) == ""
    monkeypatch.delenv("MEMGARDEND_WORKSPACE")
    monkeypatch.chdir(garden / "deep")
    assert here(garden) == ""
    assert here(Path("..")) == ""


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("memgardend dreams", "memgardend dreams -w X"),
        ("memgardend why mail-1", "memgardend why mail-1 -w X"),
        ("memgardend event < events.jsonl", "memgardend event -w X < events.jsonl"),
        ("memgardend run --once, and wait", "memgardend run --once -w X, and wait"),
        ("memgardend init -w Y --locale en", "memgardend init -w Y --locale en"),
        ("cd a && memgardend init", "cd a && memgardend init -w X"),
        ("llm keys set openai", "llm keys set openai"),
        (None, None),
    ],
)
def test_each_command_in_a_hint_names_it(hint: str | None, said: str | None) -> None:
    assert placed(hint, " -w X") == said
    assert placed(hint, "") == hint


@pytest.mark.parametrize(
    ("typed", "workspace"),
    [
        ("show x -w DIR", "DIR"),
        ("show --workspace DIR x", "DIR"),
        ("show --workspace=DIR", "DIR"),
        ("show -wDIR", "DIR"),
        ("show x", None),
        ("show -w", None),
    ],
)
def test_a_command_line_tells_its_workspace(typed: str, workspace: str | None) -> None:
    assert named(typed.split()) == (None if workspace is None else Path(workspace))
