"""Recorded conversations: windows, human turns and tool events as a little script of its own counts them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.ports import Chunk, Source
from memgardend.core.words import Role
from memgardend.daemon.sources.codex import Codex
from memgardend.daemon.sources.jsonl import JsonLines

SHARED = Path(__file__).parents[3] / "../shared/transcripts"
CODEX = SHARED / "codex"
CHAT = SHARED / "openai-chat"
Counts = tuple[int, int, int]
"""Windows, human turns, tool events."""

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the recorded conversations are not here"
)


def _records(path: Path) -> list[dict[str, Any]]:
    """A rollout, or the small documents of one record or a list of them."""
    if path.suffix == ".json":
        found = json.loads(path.read_text())
        return found if isinstance(found, list) else [found]
    return [json.loads(line) for line in path.read_text().splitlines()]


def _codex_counts(records: list[dict[str, Any]]) -> Counts:
    """Each log counted by itself: a message that stands in both is one, and the fuller log tells how many."""
    payloads = [(record["type"], record["payload"]) for record in records]
    metas: list[dict[str, Any]] = [p for kind, p in payloads if kind == "session_meta"]
    source = metas[0].get("source") if metas else None
    seen, shown, tools = Counter[str](), Counter[str](), 0
    for kind, payload in payloads:
        if kind == "event_msg" and payload["type"] == "user_message":
            shown[payload["message"]] += 1
        elif kind == "response_item" and payload.get("role") == "user":
            seen["".join(part["text"] for part in payload["content"])] += 1
        elif "call_id" in payload:
            tools += payload.get("output") != ""
    typed = [text for text in (seen | shown).elements() if text[0] not in "<#"]
    return 1, 0 if source == "exec" else len(typed), tools


def _chat_counts(records: list[dict[str, Any]]) -> Counts:
    alone = [record for record in records if "role" in record]
    talks = [record["messages"] for record in records if "messages" in record]
    messages = [*alone, *(message for talk in talks for message in talk)]
    calls = sum(len(message.get("tool_calls", [])) for message in messages)
    roles = Counter(message["role"] for message in messages)
    return len(talks) + bool(alone), roles["user"], roles["tool"] + calls


def _adapter_counts(source: Source) -> Counts:
    windows, roles = set[str](), Counter[Role]()
    for file in source.files():
        chunk = source.read(file, 0, 1 << 30)
        assert chunk is not None
        for window, events in _windows(chunk):
            if events:
                windows.add(window)
            roles.update(event.role for event in events)
            assert len({event.native_id for event in events}) == len(events)
        assert chunk.unreadable == 0
    return len(windows), roles[Role.HUMAN], roles[Role.TOOL]


def _windows(chunk: Chunk) -> Iterator[tuple[str, tuple[Any, ...]]]:
    yield chunk.window.id, chunk.events
    yield from ((window.id, events) for window, events in chunk.aside)


def _names(folder: Path) -> list[str]:
    found = [*folder.rglob("*.jsonl"), *folder.rglob("*.json")]
    return sorted(
        str(path.relative_to(folder)) for path in found if path.name not in NO_CONVERSATION
    )


NO_CONVERSATION = {
    "manifest.json": "lists the others",
    "session__session_meta.json": "says nothing",
    "collaboration__thread-spawn.json": "says nothing",
    "lifecycle__turn-context.json": "says nothing",
    "reasoning__summary.json": "says nothing",
    "messages__environment-context.json": "says nothing but what the program wrote",
    "messages__user-shell-command.json": "says nothing but what the program wrote",
}


def test_all_recorded_files_are_counted() -> None:
    assert (len(_names(CODEX)), len(_names(CHAT))) == (13, 2)


@pytest.mark.parametrize("name", _names(CODEX))
def test_codex(tmp_path: Path, name: str) -> None:
    records = _records(CODEX / name)
    path = tmp_path / "rollout-w1.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert _adapter_counts(Codex(path)) == _codex_counts(records)


@pytest.mark.parametrize("name", sorted(NO_CONVERSATION))
def test_codex_records_without_a_conversation(tmp_path: Path, name: str) -> None:
    records = _records(CODEX / "records" / name)
    path = tmp_path / "rollout-w1.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    chunk = Codex(path).read(next(iter(Codex(path).files())), 0, 1 << 30)
    assert chunk is not None
    assert {event.role for event in chunk.events} <= {Role.SYSTEM}


@pytest.mark.parametrize("name", _names(CHAT))
def test_openai_chat(name: str) -> None:
    assert _adapter_counts(JsonLines(CHAT, name, None)) == _chat_counts(_records(CHAT / name))


GOLDEN: dict[str, Counts] = {"codex": (13, 7, 16), "openai-chat": (3, 3, 2)}


@pytest.mark.parametrize("folder", GOLDEN)
def test_the_sums(folder: str) -> None:
    """What a person counts by eye."""
    count = _codex_counts if folder == "codex" else _chat_counts
    counted = [count(_records(SHARED / folder / name)) for name in _names(SHARED / folder)]
    assert tuple(map(sum, zip(*counted, strict=True))) == GOLDEN[folder]
