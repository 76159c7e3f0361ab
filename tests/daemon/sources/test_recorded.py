"""Recorded conversations: windows, human turns and tool events as a little script of its own counts them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.ports import Chunk, Source
from memgardend.core.words import Role
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.sources.codex import Codex
from memgardend.daemon.sources.jsonl import JsonLines

SHARED = Path(__file__).parents[3] / "../shared/transcripts"
CLAUDE = SHARED / "claude-code"
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


NOT_TYPED = ("<", "[Request interrupted", "Caveat:")


def _claude_counts(path: Path) -> Counts:
    """Line by line: whole records of a person or an assistant, their texts and their tools."""
    said, human, tools = False, 0, 0
    for line in path.read_text().split("\n")[:-1]:
        try:
            record = json.loads(line)
            kind, content = record["type"], record["message"]["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            kinds = [block["type"] for block in blocks]
        except (ValueError, KeyError, TypeError):
            continue  # cut short, or nothing that anybody said
        if kind not in ("user", "assistant"):
            continue
        aside = any(record.get(flag) for flag in ("isMeta", "isSidechain", "isCompactSummary"))
        typed = kind == "user" and not aside
        for block, is_a in zip(blocks, kinds, strict=True):
            empty = is_a == "tool_result" and not block.get("content")
            said = said or (is_a in ("text", "tool_use", "tool_result") and not empty)
            tools += is_a in ("tool_use", "tool_result") and not empty
            human += typed and not block.get("text", "<").startswith(NOT_TYPED)
    return int(said), human, tools


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


def _adapter_counts(source: Source, *, whole: bool = True) -> Counts:
    """`whole`: one conversation in which nothing is damaged or repeated."""
    windows, roles = set[str](), Counter[Role]()
    for file in source.files():
        chunk = source.read(file, 0, 1 << 30)
        assert chunk is not None
        for window, events in _windows(chunk):
            if events:
                windows.add(window)
            roles.update(event.role for event in events)
            assert len({event.native_id for event in events}) == len(events) or not whole
        assert chunk.unreadable == 0 or not whole
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
    assert (len(_names(CLAUDE)), len(_names(CODEX)), len(_names(CHAT))) == (56, 13, 2)


@pytest.mark.parametrize("name", _names(CLAUDE))
def test_claude_code(tmp_path: Path, name: str) -> None:
    shutil.copy(CLAUDE / name, tmp_path)
    assert _adapter_counts(ClaudeCode(tmp_path), whole=False) == _claude_counts(CLAUDE / name)


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


GOLDEN: dict[str, Counts] = {
    "claude-code": (50, 46, 222),
    "codex": (13, 7, 16),
    "openai-chat": (3, 3, 2),
}


def _counts(folder: str, path: Path) -> Counts:
    if folder == "claude-code":
        return _claude_counts(path)
    return _codex_counts(_records(path)) if folder == "codex" else _chat_counts(_records(path))


@pytest.mark.parametrize("folder", GOLDEN)
def test_the_sums(folder: str) -> None:
    """Pinned: of codex and openai-chat as a person counts them by eye."""
    counted = [_counts(folder, SHARED / folder / name) for name in _names(SHARED / folder)]
    assert tuple(map(sum, zip(*counted, strict=True))) == GOLDEN[folder]
