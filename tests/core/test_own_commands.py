"""Which inputs of tool calls run memgardend, whatever agent notes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import typer.main

from memgardend.core.own_commands import COMMANDS, runs_memgardend
from memgardend.daemon.cli.app import app

OURS = [
    "memgardend memories port",
    "cd /srv/x && memgardend why 01970000 --json | jq .",
    "/home/a/.venv/bin/memgardend recall 'what port?'",
    "uv run --project /x memgardend project webapp",
    "python3.11 -X dev -m memgardend show 1",
    'bash -lc "timeout 10 memgardend diff 1"',
    'echo "$(memgardend memories)"',
    "memgardend \\\n  export > all.json",
    "{ memgardend status; }",
    "python - <<'EOF'\nfrom memgardend import Garden\nEOF",
    "python -c 'import memgardend'",
    "sqlite3 .memgarden/memory.db 'select content from memories'",
    r"type ..\.memgarden\memory.db",
    r"C:\tools\memgardend.exe why 0197",
    "sqlite3 /srv/x/.memgarden/backups/20260301T020000Z-memory.db .dump",
]
OTHERS = [
    "",
    "ls -la",
    "cd ~/src/memgardend && pytest -q",
    "pip install memgardend",
    "pip install memgardend && pytest",
    "which memgardend",
    "grep -rn memgardend docs",
    "my-memgardend memories",
    "memgardender memories",
    "cat .memgarden/.gitignore",
    "memgarden status",
]


@pytest.mark.parametrize("text", OURS)
def test_a_command_that_prints_what_is_remembered_is_ours(text: str) -> None:
    assert runs_memgardend(text)
    assert runs_memgardend({"command": text, "description": "look"})
    assert runs_memgardend(json.dumps({"cmd": text, "workdir": "/srv/x"}))
    assert runs_memgardend({"command": ["bash", "-lc", text]})
    assert runs_memgardend({"script": text})
    assert runs_memgardend({"code": text})


@pytest.mark.parametrize("text", OTHERS)
def test_any_other_command_is_not(text: str) -> None:
    assert not runs_memgardend(text)
    assert not runs_memgardend({"command": text})
    assert not runs_memgardend(json.dumps({"cmd": text}))


@pytest.mark.parametrize(
    "given",
    [
        {"file_path": "README.md", "content": "Type `memgardend memories`."},
        {"pattern": "memgardend memories"},
        "*** Begin Patch\n+memgardend memories\n*** End Patch",
        {"command": None},
        {"command": {"memgardend": "memories"}},
        [],
        None,
        7,
    ],
)
def test_what_runs_nothing_is_not_ours_whatever_it_says(given: Any) -> None:
    assert not runs_memgardend(given)


@pytest.mark.parametrize("nested", [1, 100_000])
def test_what_is_no_json_is_a_command(nested: int) -> None:
    assert runs_memgardend(f"{'{' * nested} memgardend status; }}")
    assert runs_memgardend(f'{{"cmd": {"[" * nested}"memgardend status"')


@pytest.mark.timeout(20)  # a quadratic pattern would need minutes
@pytest.mark.parametrize("piece", [".memgarden/", "memgardend ", "from ", "\\"])
def test_hostile_commands_of_any_length_end(piece: str) -> None:
    assert not runs_memgardend({"command": f"memgardend{piece * (1_000_000 // len(piece))}"})


def test_every_command_is_known() -> None:
    """A new one has to be named, or agents would take what it prints for news."""
    assert set(typer.main.get_command(app).commands) <= set(COMMANDS)  # type: ignore[attr-defined]
