"""What is read, and when: all sources, or what lies at one path."""

from __future__ import annotations

import json

import pytest

from support.commandline import CommandLine


@pytest.fixture
def logged(registered: CommandLine) -> CommandLine:
    """A workspace whose only source has three conversations."""
    registered.configure("locale: en\nsources: [{kind: jsonl, path: 'logs/**/*.jsonl'}]\n")
    for name in ("tea", "cake", "old/milk"):
        file = registered.workspace / f"logs/{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        line = {"role": "user", "content": f"I like {name}.", "timestamp": "2026-11-30T12:00:00Z"}
        file.write_text(json.dumps(line) + "\n")
    return registered


@pytest.mark.parametrize(
    ("path", "count"), [("logs/tea.jsonl", 1), ("logs/old", 1), ("logs", 3), (".", 3)]
)
def test_only_what_lies_at_the_path_is_read(logged: CommandLine, path: str, count: int) -> None:
    assert logged.ok("ingest", path, "--json").json()["new_windows"] == count
    assert logged.ok("ingest", "--json").json()["new_windows"] == 3 - count


@pytest.mark.parametrize("path", ["logs/none.jsonl", "memgarden.yaml", "/"])
def test_a_path_that_no_source_reads_is_wrong_usage(logged: CommandLine, path: str) -> None:
    if path == "/":
        logged.configure("locale: en\nsources: []\n")
    result = logged.run("ingest", path)
    assert result.code == 2, result
    assert f"no source of this workspace reads {path}" in result.err
