"""What a person does to dreams and windows by hand: rehearse, go back, cancel, archive, look up."""

from __future__ import annotations

import hashlib
import json
import sys

import pytest

from support.commandline import CommandLine

RULE = "Always run the linter before a commit."


def digest(command: CommandLine) -> str:
    """What the workspace holds, byte for byte."""
    found = hashlib.sha256()
    for file in sorted(path for path in command.workspace.rglob("*") if path.is_file()):
        found.update(str(file).encode() + file.read_bytes())
    return found.hexdigest()


def transcript(command: CommandLine, *texts: str, at: str, file: str = "s1.jsonl") -> None:
    """A conversation that an agent left on disk."""
    path = command.home / ".claude" / "projects" / "p" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(
            {
                "type": "user",
                "uuid": f"u{number}",
                "sessionId": "s1",
                "timestamp": at,
                "cwd": str(command.workspace),
                "isSidechain": False,
                "message": {"role": "user", "content": text},
            }
        )
        for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def test_a_dry_run_asks_the_model_and_stores_nothing(registered: CommandLine) -> None:
    registered.push("mail", RULE)
    before = digest(registered)
    shown = registered.ok("dream", "mail", "--dry-run")
    assert "A dry run: nothing of this was stored." in shown.out
    assert RULE in shown.out
    document = registered.ok("dream", "--due", "--dry-run", "--json").json()
    assert [one["ending"] for one in document["dreams"]] == ["applied"]
    assert document["plans"][0]["changes"]["added"] == 1
    assert digest(registered) == before
    told = [one for one in registered.ok("logs", "--json").json()["lines"] if "dream" in one]
    assert told
    assert all(one["dry_run"] for one in told)
    assert registered.ok("memories", "--json").json()["memories"] == []
    registered.ok("dream", "mail")
    assert len(registered.ok("memories", "--json").json()["memories"]) == 1


def test_a_dry_run_tells_that_its_calls_are_in_no_budget(command: CommandLine) -> None:
    argv = [sys.executable, "-c", "print('{\"operations\": []}')"]
    command.configure(f"locale: en\nsources: []\nmodel: {{command: {json.dumps(argv)}}}\n")
    command.ok("init", "--yes")
    command.push("mail", RULE)
    last = command.ok("dream", "mail", "--dry-run").out.splitlines()[-1]
    assert last.endswith("nothing of this was stored; the budget does not count its 2 model calls.")
    assert command.ok("status", "--json").json()["spent"]["today"]["calls"] == 0


def test_the_backlog_is_read_after_an_estimate_and_a_yes(command: CommandLine) -> None:
    command.workspace.mkdir()
    transcript(command, RULE, "And deploy on Tuesdays only.", at="2026-10-01T10:00:00.000Z")
    command.ok("init", "--locale", "en")
    assert command.ok("run", "--once", "--json").json()["dreams"] == []
    assert command.ok("status", "--json").json()["counts"]["old"] == 1

    asked = command.run("dream", "--backlog")
    assert asked.code == 2
    assert "1 old conversation with 2 events: about 1 dream, 2 model calls, " in asked.err
    tokens = int(asked.err.partition("model calls, ")[2].partition(" tokens")[0].replace(",", ""))
    assert 2 * 2000 < tokens < 2 * 6000, "each call reads the guide of a prompt besides the events"
    assert "try: memgardend dream --backlog --yes" in asked.err
    narrowed = command.run("dream", "--backlog", "--since", "999d", "-w", str(command.workspace))
    again = f"memgardend dream --backlog --since 999d -w {command.workspace} --yes"
    assert f"try: {again}" in narrowed.err, "a typed hint does no more than what was asked"
    assert command.ok("dream", "--backlog", "--since", "7d", "--json").json()["backlog"] == []

    document = command.ok("dream", "--backlog", "--yes", "--json").json()
    assert [one["events"] for one in document["backlog"]] == [2]
    assert [one["ending"] for one in document["dreams"]] == ["applied"]
    assert [one["content"] for one in command.ok("memories", "--json").json()["memories"]]
    second = command.ok("dream", "--backlog", "--yes", "--json").json()
    assert (second["backlog"], second["dreams"]) == ([], [])
    command.ok("doctor")


def test_the_backlog_obeys_the_peak(command: CommandLine) -> None:
    command.workspace.mkdir()
    transcript(command, RULE, at="2026-10-01T10:00:00.000Z")
    command.ok("init", "--locale", "en")
    command.now = "2026-12-01T10:00:00+08:00"
    document = command.ok("dream", "--backlog", "--yes", "--json").json()
    assert document["dreams"] == []
    assert command.ok("status", "--json").json()["windows"][0]["state"] == "waiting"


def test_a_failed_dream_is_cancelled_and_its_window_due_again(command: CommandLine) -> None:
    argv = [sys.executable, "-c", "print('prose')"]
    command.configure(f"locale: en\nsources: []\nmodel: {{command: {json.dumps(argv)}}}\n")
    command.ok("init", "--yes")
    command.push("mail", RULE)
    assert command.run("run", "--once").code == 1
    dream = command.ok("dreams", "--json").json()["dreams"][0]
    assert dream["state"] == "failed"
    cancelled = command.ok("cancel", dream["id"], "--json").json()
    assert cancelled["was"] == "failed"
    assert command.ok("status", "--json").json()["windows"][0]["state"] == "due"
    assert command.run("cancel", dream["id"]).code == 1


def test_an_archived_window_rests_until_it_is_taken_out(registered: CommandLine) -> None:
    registered.push("mail", RULE)
    assert registered.ok("windows", "--archive", "mail", "--json").json()["changed"] is True
    assert registered.ok("windows", "--json").json()["windows"][0]["state"] == "archived"
    assert registered.ok("run", "--once", "--json").json()["dreams"] == []
    registered.ok("windows", "--unarchive", "mail")
    assert len(registered.ok("run", "--once", "--json").json()["dreams"]) == 1
    both = registered.run("windows", "--archive", "mail", "--unarchive", "mail")
    assert both.code == 2


@pytest.mark.parametrize(
    ("key", "says"),
    [("dream.idle_minutes", "default 180"), ("recall", "recall.hit_top_k")],
)
def test_a_setting_is_explained(command: CommandLine, key: str, says: str) -> None:
    assert says in command.ok("config", "explain", key).out


def test_a_setting_that_does_not_exist_has_a_neighbour(command: CommandLine) -> None:
    wrong = command.run("config", "explain", "dream.idle")
    assert wrong.code == 2
    assert "try: memgardend config explain dream.idle_minutes" in wrong.err


def test_conversations_that_agents_delete_are_told(command: CommandLine) -> None:
    command.workspace.mkdir()
    transcript(command, RULE, at="2026-10-01T10:00:00.000Z")
    aside = "s1/subagents/agent-a1.jsonl"  # what does not dream need not be read
    transcript(command, "Look around.", at="2026-10-01T10:00:00.000Z", file=aside)
    command.ok("init", "--locale", "en")
    command.ok("ingest")

    def told() -> list[tuple[str, str, str | None]]:
        checks = command.ok("doctor", "--json").json()["checks"]
        found = [one for one in checks if one["name"] == "sources"]
        return [(one["level"], one["detail"], one["hint"]) for one in found][:-1]

    left = "claude-code: 1 old conversation not read; agents delete theirs in time"
    assert told() == [("ok", left, "memgardend dream --backlog")]
    command.ok("dream", "--backlog", "--yes")
    assert told() == []
    (command.home / ".claude" / "projects" / "p" / "s1.jsonl").unlink()
    gone = "claude-code: gone since they were read: 1 file; what was said is kept"
    assert told() == [("ok", gone, None)]
    assert len(command.ok("memories", "--json").json()["memories"]) == 1
