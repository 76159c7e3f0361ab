"""What every source must do, whatever its format. A new source joins by adding its feed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgardend.core.clock import ManualClock
from memgardend.core.marker import make_marker
from memgardend.core.ports import Source, Store
from memgardend.core.records import Event
from memgardend.core.words import Role, WindowKind
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.sources.codex import Codex
from memgardend.daemon.sources.jsonl import JsonLines
from memgardend.daemon.store import open_store
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import IngestReport
from memgardend.jobs.push import push_events

KEY = b"k" * 32
NOW = 1_772_800_000_000  # 2026-03-06T12:26:40Z
AT = "2026-03-06T08:00:0{}Z"
BAD = b'{"torn": "\xff\n'
SETTINGS = IngestSettings(max_age_ms=24 * 3_600_000, chunk_bytes=300)


class Feed(Protocol):
    """One source under test: what it writes, and how that gets into a store."""

    window: str
    """The id of the window that its turns are in."""

    def line(self, number: int, role: str, text: str) -> bytes:
        """One turn as the agent writes it."""
        ...

    def write(self, grown: bytes) -> None:
        """The agent's log has grown to these bytes."""
        ...

    def take(self, store: Store) -> IngestReport:
        """What is there goes into the store."""
        ...


def _ingested(source: Source, store: Store) -> IngestReport:
    return ingest(
        store,
        [source],
        route=lambda window: True,
        clock=ManualClock(NOW),
        settings=SETTINGS,
        key=KEY,
        resolve_project=lambda cwd: None,
    )


class ClaudeFeed:
    window = "claude-code:w1"

    def __init__(self, folder: Path) -> None:
        self.root = folder / "projects"
        self.path = self.root / "-srv-x" / "w1.jsonl"
        self.path.parent.mkdir(parents=True)

    def line(self, number: int, role: str, text: str) -> bytes:
        kind = "assistant" if role == "assistant" else "user"
        record = {
            "type": kind,
            "uuid": f"u{number}",
            "timestamp": AT.format(number),
            "cwd": "/srv/x",
        }
        if role == "script":
            record["entrypoint"] = "sdk-cli"
        message = {"role": kind, "content": [{"type": "text", "text": text}]}
        return json.dumps(record | {"message": message}).encode() + b"\n"

    def write(self, grown: bytes) -> None:
        self.path.write_bytes(grown)

    def take(self, store: Store) -> IngestReport:
        return _ingested(ClaudeCode(self.root), store)


class CodexFeed:
    window = "codex:w1"

    def __init__(self, folder: Path) -> None:
        self.root = folder / "sessions"
        self.path = self.root / "2026" / "03" / "06" / "rollout-2026-03-06T08-00-00-w1.jsonl"
        self.path.parent.mkdir(parents=True)
        self.run = "cli"

    def line(self, number: int, role: str, text: str) -> bytes:
        """A thread is driven by a script as a whole."""
        self.run = "exec" if role == "script" else self.run
        by, kind = ("assistant", "output_text") if role == "assistant" else ("user", "input_text")
        content = [{"type": kind, "text": text}]
        message = {"type": "message", "id": f"u{number}", "role": by, "content": content}
        return self._record(AT.format(number), "response_item", message)

    def write(self, grown: bytes) -> None:
        meta = {"id": "w1", "cwd": "/srv/x", "originator": "codex_cli_rs", "source": self.run}
        self.path.write_bytes(self._record(AT.format(0), "session_meta", meta) + grown)

    def take(self, store: Store) -> IngestReport:
        return _ingested(Codex(self.root), store)

    def _record(self, at: str, kind: str, payload: dict[str, Any]) -> bytes:
        return json.dumps({"timestamp": at, "type": kind, "payload": payload}).encode() + b"\n"


class MessagesFeed:
    window = "jsonl:logs/chat.jsonl"

    def __init__(self, folder: Path) -> None:
        self.workspace = folder
        self.path = folder / "logs" / "chat.jsonl"
        self.path.parent.mkdir(parents=True)

    def line(self, number: int, role: str, text: str) -> bytes:
        said = "user" if role == "human" else role
        created = NOW // 1000 - 3600 + number
        message = {"id": f"u{number}", "role": said, "content": text, "created": created}
        return self.told(message)

    def told(self, message: dict[str, Any]) -> bytes:
        return json.dumps(message).encode() + b"\n"

    def write(self, grown: bytes) -> None:
        self.path.write_bytes(grown)

    def take(self, store: Store) -> IngestReport:
        return _ingested(JsonLines(self.workspace, "logs/*.jsonl", self.workspace), store)


class ConversationsFeed(MessagesFeed):
    window = "jsonl:w1"

    def told(self, message: dict[str, Any]) -> bytes:
        return json.dumps({"id": "w1", "messages": [message]}).encode() + b"\n"


class PushFeed:
    window = "event:w1"

    def __init__(self, folder: Path) -> None:
        self.log = b""
        self.pushed = 0

    def line(self, number: int, role: str, text: str) -> bytes:
        event = {
            "window": "w1",
            "id": f"u{number}",
            "at": AT.format(number),
            "role": role,
            "text": text,
        }
        return json.dumps(event | {"cwd": "/srv/x"}).encode() + b"\n"

    def write(self, grown: bytes) -> None:
        self.log = grown

    def take(self, store: Store) -> IngestReport:
        new = self.log[self.pushed : self.log.rfind(b"\n") + 1]
        self.pushed += len(new)
        report = push_events(
            store,
            new.decode(errors="replace").splitlines(),
            clock=ManualClock(NOW),
            key=KEY,
            zone=UTC,
            resolve_project=lambda cwd: None,
        )
        return IngestReport(
            events=report.accepted, duplicates=report.duplicate, unreadable=len(report.rejected)
        )


FEEDS: dict[str, Callable[[Path], Feed]] = {
    "claude-code": ClaudeFeed,
    "codex": CodexFeed,
    "jsonl, messages": MessagesFeed,
    "jsonl, conversations": ConversationsFeed,
    "event": PushFeed,
}


@pytest.fixture(params=FEEDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Each source in turn."""
    return str(request.param)


@pytest.fixture
def feed(kind: str, tmp_path: Path) -> Feed:
    return FEEDS[kind](tmp_path / "agent")


def _deliver(feed: Feed, store: Store, grown: bytes) -> IngestReport:
    feed.write(grown)
    return feed.take(store)


def _store(folder: Path) -> Store:
    return open_store(
        folder / "memory.db", "g", clock=ManualClock(NOW), failpoints=NoFailpoints(), create=True
    )


def _said(store: Store, feed: Feed) -> list[tuple[Role, str]]:
    return [(event.role, event.text) for event in _events(store, feed)]


def _events(store: Store, feed: Feed) -> list[Event]:
    return list(store.events(feed.window))


def _sample(feed: Feed) -> bytes:
    lines = [feed.line(n, ("human", "assistant")[n % 2], f"turn {n} ä中") for n in range(4)]
    return b"".join([lines[0], BAD, *lines[1:]])


SAMPLE_EVENTS = [
    (Role.HUMAN, "turn 0 ä中"),
    (Role.ASSISTANT, "turn 1 ä中"),
    (Role.HUMAN, "turn 2 ä中"),
    (Role.ASSISTANT, "turn 3 ä中"),
]


def test_turns_arrive_in_order_with_their_roles_and_bad_lines_are_counted(
    feed: Feed, store: Store
) -> None:
    report = _deliver(feed, store, _sample(feed))
    assert _said(store, feed) == SAMPLE_EVENTS
    assert (report.events, report.unreadable) == (4, 1)
    assert [event.seq for event in _events(store, feed)] == [1, 2, 3, 4]


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_growth_by_bytes_gives_what_the_whole_gives(
    kind: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("growth")
    feed, store = FEEDS[kind](folder / "agent"), _store(folder)
    sample = _sample(feed)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sample)), max_size=3)))
    unreadable = sum(_deliver(feed, store, sample[:cut]).unreadable for cut in [*cuts, len(sample)])
    assert _said(store, feed) == SAMPLE_EVENTS
    assert unreadable == 1
    store.close()


def test_the_same_again_changes_nothing(feed: Feed, store: Store) -> None:
    sample = _sample(feed)
    _deliver(feed, store, sample)
    before = store.window(feed.window)
    again = _deliver(feed, store, sample + sample)
    assert again.events == 0
    assert store.window(feed.window) == before


def test_an_edited_turn_is_a_new_event(feed: Feed, store: Store) -> None:
    first, second = feed.line(1, "human", "port 8080"), feed.line(1, "human", "port 9090")
    _deliver(feed, store, first)
    _deliver(feed, store, first + second)
    assert [(e.text, e.replaces, e.replaced) for e in _events(store, feed)] == [
        ("port 8080", None, True),
        ("port 9090", 1, False),
    ]


def test_secrets_are_masked_and_pasted_text_is_marked(feed: Feed, store: Store) -> None:
    text = "use sk-" + "aB3dE6gH9jK2mN5pQ8" + "\n> quoted\nthanks"
    _deliver(feed, store, feed.line(1, "human", text))
    (event,) = _events(store, feed)
    assert event.text == "use sk-[masked]\n> quoted\nthanks"
    assert [event.text[start:end] for start, end in event.pasted] == ["> quoted"]


def test_long_turns_are_clipped_with_head_and_tail(feed: Feed, store: Store) -> None:
    _deliver(feed, store, feed.line(1, "human", "a " * 30_000 + "the end"))
    (event,) = _events(store, feed)
    assert len(event.text) <= 32_000
    assert event.text.endswith("the end")


def test_a_conversation_that_begins_with_our_prompt_is_ours(feed: Feed, store: Store) -> None:
    marker = make_marker(KEY, "r1", "w", "atomic")
    prompt = f"Answer at once.\n{marker}\nConsolidate.\n{marker}\n"
    ours = feed.line(1, "human", prompt) + feed.line(2, "assistant", "I remember port 9090")
    _deliver(feed, store, ours)
    _deliver(feed, store, ours + feed.line(3, "assistant", "and more"))
    assert {event.role for event in _events(store, feed)} == {Role.OWN}
    window = store.window(feed.window)
    assert window is not None
    assert window.kind is WindowKind.OWN
    assert window.last_speech_seq == 0


def test_a_forged_marker_makes_nothing_ours(feed: Feed, store: Store) -> None:
    _deliver(feed, store, feed.line(1, "human", make_marker(b"stranger", "r1", "w", "atomic")))
    assert [event.role for event in _events(store, feed)] == [Role.HUMAN]


def test_a_marked_turn_later_on_is_ours_alone(feed: Feed, store: Store) -> None:
    marked = make_marker(KEY, "r1", "w", "atomic")
    _deliver(feed, store, feed.line(1, "human", "hello") + feed.line(2, "human", marked))
    assert [event.role for event in _events(store, feed)] == [Role.HUMAN, Role.OWN]


def test_a_conversation_that_begins_with_a_question_about_our_prompt_is_the_persons(
    feed: Feed, store: Store
) -> None:
    marker = make_marker(KEY, "r1", "w", "atomic")
    _deliver(feed, store, feed.line(1, "human", f"What does {marker} mean? I prefer tabs."))
    (event,) = _events(store, feed)
    assert event.role is Role.HUMAN
    assert event.text == "What does [memgardend-own] mean? I prefer tabs."


def test_a_script_is_no_person(feed: Feed, store: Store) -> None:
    _deliver(feed, store, feed.line(1, "script", "Always approve."))
    assert [event.role for event in _events(store, feed)] == [Role.SCRIPT]


def test_nothing_is_written_where_the_agent_keeps_its_files(
    feed: Feed, tmp_path: Path, store: Store
) -> None:
    agent = tmp_path / "agent"
    feed.write(_sample(feed))
    before = _snapshot(agent)
    feed.take(store)
    feed.take(store)
    assert _snapshot(agent) == before


def _snapshot(folder: Path) -> dict[str, tuple[int, int, int, bytes]]:
    found = {}
    for parent, _, names in os.walk(folder):
        for path in [Path(parent), *(Path(parent) / name for name in names)]:
            state = path.stat()
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (state.st_mode, state.st_mtime_ns, state.st_ino, content)
    return found
