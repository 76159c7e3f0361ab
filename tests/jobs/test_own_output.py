"""An old value that an agent printed from the memory is no news: no dream sees it, and none can rest on it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.records import Memory
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.jobs.context import Garden
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.garden import QUIET_MS, START, Answer, ScriptedModel, make_garden

OLD = "The API listens on port 8080 on every host."
NEW = "The API listens on port 9090 on every host."
ASKED = "Please look up where the API listens, as we have noted it."


def transcript(folder: Path, command: str, printed: str, at: int) -> None:
    """A person asks, the agent runs a command, and it prints something."""
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": printed}
    said = [("user", ASKED), ("assistant", [call]), ("user", [result]), ("assistant", "It is up.")]
    lines = [
        {
            "type": kind,
            "uuid": f"u{n}",
            "cwd": "/srv/x",
            "timestamp": datetime.fromtimestamp((at + n) / 1000, UTC).isoformat(),
            "message": {"content": content},
        }
        for n, (kind, content) in enumerate(said)
    ]
    folder.mkdir(parents=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "w1.jsonl").write_text(text, "utf-8")


def back_to_old(request: dict[str, Any]) -> Answer:
    """A model that takes what a tool printed for what holds."""
    shown = [one for one in request["events"] if one["role"] == "tool" and OLD in one["text"]]
    handle = shown[0]["handle"] if shown else "e1"
    updates = [
        {
            "op": "update",
            "id": memory["handle"],
            "content": OLD,
            "reason": "printed",
            "evidence": [{"event": handle, "quote": OLD}],
        }
        for memory in request["memories"]
        if memory["content"] == NEW
    ]
    return {"operations": updates, "questions": [], "summary": "took it back"}


def known_after(folder: Path, command: str) -> tuple[list[Memory], ScriptedModel]:
    """What is remembered once a conversation with this command has been dreamed."""
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock, model=ScriptedModel(keep_all()))
    say(garden.store, "told", NEW, at=START)
    dreamed(garden, clock)
    model = ScriptedModel(back_to_old)
    garden = replace(garden, model=model)
    transcript(folder / "agent" / "p", command, OLD, clock.now_ms() - 1000)
    ingest(
        garden.store,
        [ClaudeCode(folder / "agent")],
        route=lambda window: True,
        clock=clock,
        settings=IngestSettings(max_age_ms=24 * HOUR_MS),
        key=garden.key,
        resolve_project=lambda cwd: None,
    )
    dreamed(garden, clock)
    return [one for one in garden.store.memories() if "API listens" in one.content], model


def dreamed(garden: Garden, clock: ManualClock) -> None:
    clock.advance(QUIET_MS)
    assert len(sweep(garden).dreams) == 1


def test_what_our_command_printed_is_shown_to_no_dream_and_proves_nothing(tmp_path: Path) -> None:
    memories, model = known_after(tmp_path, "memgardend memories API")
    assert model.requests
    assert OLD not in json.dumps([one["events"] for one in model.requests])
    assert [one.content for one in memories] == [NEW]


def test_what_any_other_command_printed_may_be_news(tmp_path: Path) -> None:
    memories, _ = known_after(tmp_path, "cat /etc/api.conf")
    assert [one.content for one in memories] == [OLD]
