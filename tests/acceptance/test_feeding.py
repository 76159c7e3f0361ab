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


def test_what_is_left_out_is_told(logged: CommandLine) -> None:
    """Each thing once at the reading, and again by `doctor` as long as it lasts."""
    jsonl = "{kind: jsonl, path: 'logs/**/*.jsonl*'}"
    logged.configure(f"locale: en\nsources: [{{kind: claude-code}}, {jsonl}]\n")
    packed = logged.workspace / "logs" / "packed.jsonl.gz"
    packed.write_bytes(b"\x1f\x8b\n")
    unended = logged.workspace / "logs" / "unended.jsonl"
    unended.write_text('{"role": "user", "content": "hi"}\n{"role": "user", "content": "ho"}')
    turn = {
        "type": "user",
        "uuid": "a",
        "timestamp": "2026-11-30T12:00:00Z",
        "message": {"content": "hi"},
    }
    session = logged.home / ".claude" / "projects" / "p" / "s.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text(json.dumps(turn) + "\n")
    said = logged.ok("ingest").out
    assert "1 conversation left out: no folder is named." in said
    assert "1 compressed file not read." in said
    checks = logged.ok("doctor", "--json").json()["checks"]
    told = {one["detail"]: one["hint"] for one in checks if one["name"] == "sources"}
    assert "claude-code: 1 file of no workspace: no folder is named, or nothing said" in told
    assert told["jsonl: 1 compressed file not read"] == f"gunzip -k {packed}"
    waits = "jsonl: the last line of 1 file waits for its line feed"
    assert told[waits] == f"echo >> {unended}"
    with unended.open("a") as stream:
        stream.write("\n")
    assert "1 new event " in logged.ok("ingest").out
    checks = logged.ok("doctor", "--json").json()["checks"]
    assert waits not in [one["detail"] for one in checks]
