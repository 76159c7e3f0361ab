"""Files of chat messages: one a line or one conversation a line, with and without ids and times."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Chunk, Store
from memgardend.core.records import NewEvent, Window
from memgardend.core.words import Role
from memgardend.daemon.sources.jsonl import JsonLines
from memgardend.jobs.backlog import owed_windows, take_in_backlog
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import IngestReport
from support.json_values import json_values

FIXTURES = Path(__file__).parents[2] / "fixtures" / "jsonl"
EVERYTHING = 1 << 30
HOME = Path("/srv/x")
NOW = 1_772_800_000_000  # 2026-03-06T12:26:40Z
HOUR_S = 3600

Record = dict[str, Any]


def _write(folder: Path, *records: Record, name: str = "chat.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    os.utime(path, (NOW // 1000, NOW // 1000))
    return path


def _read(folder: Path, offset: int = 0, limit: int = EVERYTHING, cwd: Path | None = HOME) -> Chunk:
    source = JsonLines(folder, "*.jsonl", cwd)
    (file,) = source.files()
    chunk = source.read(file, offset, limit)
    assert chunk is not None
    return chunk


def _peeked(folder: Path, cwd: Path | None = HOME) -> Window:
    source = JsonLines(folder, "*.jsonl", cwd)
    (file,) = source.files()
    window = source.peek(file)
    assert window is not None
    return window


def _user(content: Any, **fields: Any) -> Record:
    return {"role": "user", "content": content, **fields}


CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"a":1}'}}
SAID: dict[str, tuple[Record, list[tuple[str, str | None, str]]]] = {
    "user": (_user("hello"), [("human", None, "hello")]),
    "script": ({"role": "script", "content": "go"}, [("script", None, "go")]),
    "assistant": ({"role": "assistant", "content": "hi"}, [("assistant", None, "hi")]),
    "system": ({"role": "system", "content": "be"}, [("system", None, "be")]),
    "developer": ({"role": "developer", "content": "be"}, [("system", None, "be")]),
    "parts": (
        _user([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}, "b"]),
        [("human", None, "a\n\n[image]\n\nb")],
    ),
    "sound and file": (
        _user([{"type": "input_audio"}, {"type": "file"}, {"type": "other"}]),
        [("human", None, "[audio]\n\n[file]")],
    ),
    "refusal": (
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
        [("assistant", None, "no")],
    ),
    "call": (
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        [("tool", "bash", '{"a":1}')],
    ),
    "text and free-form call": (
        {"role": "assistant", "content": "so", "tool_calls": [{"custom": {"name": "x", "input": "i"}}]},
        [("assistant", None, "so"), ("tool", "x", "i")],
    ),
    "older call": (
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}},
        [("tool", "f", "{}")],
    ),
    "result": ({"role": "tool", "tool_call_id": "c0", "content": "ok"}, [("tool", None, "ok")]),
    "older result": ({"role": "function", "name": "f", "content": "ok"}, [("tool", "f", "ok")]),
    "nothing": (_user(" "), []),
}  # fmt: skip


@pytest.mark.parametrize(("message", "said"), SAID.values(), ids=SAID.keys())
def test_messages_say_the_same_alone_and_in_a_conversation(
    tmp_path: Path, message: Record, said: list[tuple[str, str | None, str]]
) -> None:
    _write(tmp_path, message, {"id": "c", "messages": [message]})
    chunk = _read(tmp_path)
    ((_, events),) = chunk.aside
    for found in (chunk.events, events):
        assert [(e.role.value, e.tool, e.text) for e in found] == said
    assert chunk.unreadable == 0


MALFORMED: dict[str, Record] = {
    "no role": {"content": "x"},
    "no known role": {"role": "critic", "content": "x"},
    "content is a number": _user(3),
    "part is a number": _user([3]),
    "call without a function": {"role": "assistant", "content": "x", "tool_calls": [{}]},
    "call is text": {"role": "assistant", "content": "x", "tool_calls": ["x"]},
    "messages is text": {"messages": "x"},
    "message is text": {"id": "c", "messages": ["x"]},
    "message without a role": {"id": "c", "messages": [{"content": "x"}]},
}


@pytest.mark.parametrize("record", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_line_is_counted_and_stops_nothing(tmp_path: Path, record: Record) -> None:
    _write(tmp_path, _user("first"), record, _user("last"))
    chunk = _read(tmp_path)
    assert ([event.text for event in chunk.events], chunk.unreadable) == (["first", "last"], 1)


TIMES: dict[str, tuple[Record, int]] = {
    "seconds": ({"created": 1_772_799_000}, 1_772_799_000_000),
    "fractions": ({"created": 1_772_799_000.25}, 1_772_799_000_250),
    "milliseconds": ({"timestamp": 1_772_799_000_250}, 1_772_799_000_250),
    "text": ({"created_at": "2026-03-06T12:10:00Z"}, 1_772_799_000_000),
    "none": ({}, NOW),
    "no time": ({"created": True, "timestamp": "soon"}, NOW),
    "out of range": ({"created": -1, "timestamp": 1e300}, NOW),
    "not a number": ({"created": float("nan")}, NOW),
}


@pytest.mark.parametrize(("fields", "at"), TIMES.values(), ids=TIMES.keys())
def test_when(tmp_path: Path, fields: Record, at: int) -> None:
    _write(tmp_path, _user("a", **fields), {"messages": [_user("b")], **fields})
    chunk = _read(tmp_path)
    ((window, events),) = chunk.aside
    assert [event.at for event in (*chunk.events, *events)] == [at, at]
    assert window.last_event_at == at


def test_a_message_has_its_own_time_in_a_conversation(tmp_path: Path) -> None:
    messages = [_user("a"), _user("b", created=1_772_700_000)]
    _write(tmp_path, {"created": 1_772_600_000, "messages": messages})
    ((window, events),) = _read(tmp_path).aside
    assert [event.at for event in events] == [1_772_600_000_000, 1_772_700_000_000]
    assert (window.first_event_at, window.last_event_at) == (events[0].at, events[1].at)


def test_a_message_without_a_time_has_that_of_the_one_before_it(tmp_path: Path) -> None:
    first, second = _user("b", created=1_772_600_000), _user("d", created=1_772_700_000)
    talk = [_user("a"), first, _user("c"), second, _user("e")]
    _write(tmp_path, *talk, {"id": "c", "messages": talk})
    chunk = _read(tmp_path)
    ((_, events),) = chunk.aside
    times = [1_772_600_000_000] * 3 + [1_772_700_000_000] * 2
    assert [event.at for event in chunk.events] == [event.at for event in events] == times
    cut = _read(tmp_path, 0, len(json.dumps(first)) * 3).offset
    assert _read(tmp_path, cut).events[-1].at == times[-1]


def test_conversations_after_a_damaged_line_are_seen(tmp_path: Path) -> None:
    path = _write(tmp_path, {"id": "c", "messages": [_user("a")]})
    path.write_bytes(b'{"torn":\n' + path.read_bytes())
    assert _peeked(tmp_path).last_event_at is None


def test_a_file_is_one_window_and_so_is_each_conversation(tmp_path: Path) -> None:
    _write(
        tmp_path,
        _user("alone"),
        {"id": "c1", "title": "Tabs", "messages": [_user("a")]},
        {"messages": [_user("b")], "metadata": {"cwd": "/srv/y", "title": "Spaces"}},
        {"id": "c1", "messages": [_user("c")]},
        name="logs.jsonl",
    )
    chunk = _read(tmp_path)
    told = [(w.id, w.cwd, w.title, [e.text for e in events]) for w, events in chunk.aside]
    assert told == [
        ("jsonl:c1", "/srv/x", "Tabs", ["a", "c"]),
        ("jsonl:logs.jsonl:3", "/srv/y", "Spaces", ["b"]),
    ]
    assert (chunk.window.id, chunk.window.cwd) == ("jsonl:logs.jsonl", "/srv/x")
    assert [event.text for event in chunk.events] == ["alone"]


def test_any_folder_is_no_folder_unless_it_is_told(tmp_path: Path) -> None:
    told = {"metadata": {"cwd": "/srv/y"}}
    _write(tmp_path, _user("a", **told), {"id": "c", "messages": []}, {"messages": [], **told})
    chunk = _read(tmp_path, cwd=None)
    assert [w.cwd for w in (chunk.window, *(w for w, _ in chunk.aside))] == [
        "/srv/y",
        None,
        "/srv/y",
    ]
    _write(tmp_path, _user("a"))
    assert _read(tmp_path, cwd=None).window.cwd is None


def test_equal_messages_are_told_apart_and_ids_stay(tmp_path: Path) -> None:
    talk = [_user("yes"), _user("no"), _user("yes")]
    _write(tmp_path, *talk, {"id": "c", "messages": talk})
    first = _read(tmp_path)
    ids = [e.native_id for e in (*first.events, *first.aside[0][1])]
    assert len(set(ids)) == 6
    _write(tmp_path, *talk, _user("more"), {"id": "c", "messages": [*talk, _user("yes")]})
    grown = _read(tmp_path)
    assert [e.native_id for e in (*grown.events[:3], *grown.aside[0][1][:3])] == ids
    assert grown.aside[0][1][3].native_id not in ids


def test_a_timed_message_is_known_wherever_it_stands(tmp_path: Path) -> None:
    one, two = (_user("yes", created=1_772_700_000 + n) for n in (0, 1))
    _write(tmp_path, one, two)
    there = _read(tmp_path).events
    _write(tmp_path, _user("new"), two, one)
    assert {e.native_id for e in there} < {e.native_id for e in _read(tmp_path).events}


def test_a_number_is_an_id(tmp_path: Path) -> None:
    _write(tmp_path, {"id": 7, "messages": [_user("x", id=1)]}, {"id": True, "messages": []})
    (seven, (event,)), (unnamed, _) = _read(tmp_path).aside
    assert (seven.native_id, event.native_id) == ("7", "7/1")
    assert unnamed.native_id == "chat.jsonl:2"


@pytest.mark.parametrize("named", [None, "", "\x00 ", "x" * 300, {"id": 1}])
def test_a_conversation_without_an_id_is_named_by_its_place(tmp_path: Path, named: object) -> None:
    _write(tmp_path, _user("x"), {"id": named, "messages": [_user("y")]})
    ((window, _),) = _read(tmp_path).aside
    assert window.native_id == "chat.jsonl:2"


def test_ids_count_in_their_own_window_only(tmp_path: Path) -> None:
    _write(tmp_path, *({"id": c, "messages": [_user("hello", id="1")]} for c in ("a", "b")))
    assert [e.native_id for _, events in _read(tmp_path).aside for e in events] == ["a/1", "b/1"]


@pytest.mark.parametrize("anew", [False, True], ids=["one run", "many runs"])
@pytest.mark.parametrize("name", ["assistant", "chats"])
def test_a_file_read_in_parts_is_the_file(name: str, anew: bool) -> None:
    source = JsonLines(FIXTURES, f"logs/{name}.jsonl", HOME)
    (file,) = source.files()
    whole = source.read(file, 0, EVERYTHING)
    assert whole is not None
    events: list[NewEvent] = []
    talks: list[tuple[Window, tuple[NewEvent, ...]]] = []
    offset, more = 0, True
    while more:
        source = JsonLines(FIXTURES, source.pattern, HOME) if anew else source
        chunk = source.read(file, offset, 1)
        assert chunk is not None
        events += chunk.events
        talks += chunk.aside
        offset, more = chunk.offset, chunk.more
    assert (tuple(events), tuple(talks)) == (whole.events, whole.aside)


def test_peek_tells_the_first_and_the_last_message_and_leaves_conversations_to_reading() -> None:
    source = JsonLines(FIXTURES, "logs/*.jsonl", HOME)
    windows = {w.native_id: w for f in source.files() if (w := source.peek(f)) is not None}
    told = windows["logs/assistant.jsonl"]
    assert (told.first_event_at, told.last_event_at) == (1_772_614_800_000, 1_772_614_866_000)
    assert windows["logs/chats.jsonl"].last_event_at is None


def test_a_file_without_times_is_as_old_as_it_is(tmp_path: Path) -> None:
    _write(tmp_path, _user("a"))
    assert _peeked(tmp_path).last_event_at == NOW


PATTERNS: dict[str, list[str]] = {
    "logs/*.jsonl": ["logs/a.jsonl"],
    "logs/a.jsonl": ["logs/a.jsonl"],
    "logs/**/*.jsonl": ["logs/a.jsonl", "logs/deep/b.jsonl"],
    "**/*.jsonl": ["logs/a.jsonl", "logs/deep/b.jsonl"],
    "logs/.hidden/*.jsonl": ["logs/.hidden/c.jsonl"],
    "logs/?.jsonl": ["logs/a.jsonl"],
    "*.jsonl": [],
    "logs": [],
    "none/*.jsonl": [],
}


@pytest.mark.parametrize(("pattern", "names"), PATTERNS.items(), ids=PATTERNS.keys())
def test_patterns_start_at_the_workspace(tmp_path: Path, pattern: str, names: list[str]) -> None:
    root, outside = tmp_path / "w[1]", tmp_path / "outside"
    for name in ("logs/a.jsonl", "logs/deep/b.jsonl", "logs/.hidden/c.jsonl", "logs/note.md"):
        _write(root, _user("x"), name=name)
    _write(outside, _user("x"), name="d.jsonl")
    (root / "logs" / "linked").symlink_to(outside)
    (root / "logs" / "loop").symlink_to(root)
    for whole in (pattern, str(root).replace("[", "[[]") + "/" + pattern):
        found = [os.path.relpath(file.path, root) for file in JsonLines(root, whole, None).files()]
        assert found == names


def test_a_file_outside_is_named_by_its_whole_path(tmp_path: Path) -> None:
    path = _write(tmp_path / "outside", _user("x"))
    (tmp_path / "inside").mkdir()
    source = JsonLines(tmp_path / "inside", "../outside/*.jsonl", None)
    absolute = JsonLines(tmp_path / "inside", str(path), None)
    (file,) = absolute.files()
    window = absolute.peek(file)
    assert window is not None
    assert window.native_id == str(path)
    assert len(list(source.files())) == 1


def _ingest(
    store: Store, root: Path, route: Callable[[Window], bool] = lambda window: True
) -> IngestReport:
    return ingest(
        store,
        [JsonLines(root, "*.jsonl", HOME)],
        route=route,
        clock=ManualClock(NOW),
        settings=IngestSettings(max_age_ms=24 * 3_600_000),
        key=b"k" * 32,
        resolve_project=lambda cwd: None,
    )


def _texts(store: Store, window: str) -> list[str]:
    return [event.text for event in store.events(window)]


@pytest.mark.parametrize("kept_elsewhere", [False, True], ids=["rewritten", "appended"])
def test_of_a_conversation_that_grew_only_what_is_new_is_news(
    tmp_path: Path, store: Store, kept_elsewhere: bool
) -> None:
    said = [_user("yes"), _user("no")]
    other = {"id": "b", "messages": [_user("else")]}
    short = {"id": "a", "messages": said}
    grown = {"id": "a", "messages": [*said, _user("yes"), _user("more")]}
    _write(tmp_path, short, other)
    _ingest(store, tmp_path)
    _write(tmp_path, *([short, other, grown] if kept_elsewhere else [grown, other]))
    report = _ingest(store, tmp_path)
    assert (report.events, report.new_windows, report.problems) == (2, 0, [])
    assert _texts(store, "jsonl:a") == ["yes", "no", "yes", "more"]
    assert _texts(store, "jsonl:b") == ["else"]


def test_a_file_of_conversations_is_no_window_itself(tmp_path: Path, store: Store) -> None:
    _write(tmp_path, {"id": "a", "messages": [_user("x")]})
    assert _ingest(store, tmp_path).new_windows == 1
    assert store.window("jsonl:chat.jsonl") is None
    assert _ingest(store, tmp_path).files == 0
    with (tmp_path / "chat.jsonl").open("a") as stream:
        stream.write('{"torn": \n{"id": "a", "mess')
    report = _ingest(store, tmp_path)
    assert (report.events, report.unreadable) == (0, 1)
    (cursor,) = store.cursors("jsonl")
    assert (cursor.lines, cursor.unreadable, cursor.window) == (2, 1, "jsonl:chat.jsonl")


def test_each_conversation_goes_where_it_was_held(tmp_path: Path, store: Store) -> None:
    here = {"id": "a", "messages": [_user("x")]}
    there = {"id": "b", "messages": [_user("y")], "metadata": {"cwd": "/srv/y"}}
    _write(tmp_path, here, there)
    _ingest(store, tmp_path, route=lambda window: window.cwd == "/srv/x")
    assert (store.window("jsonl:a") is None, store.window("jsonl:b") is None) == (False, True)


def test_each_conversation_is_old_by_itself(tmp_path: Path, store: Store) -> None:
    then, now = NOW // 1000 - 30 * HOUR_S, NOW // 1000 - HOUR_S
    old = {"id": "a", "messages": [_user("old", created=then)]}
    _write(tmp_path, old, {"id": "b", "created": now, "messages": [_user("fresh")]})
    report = _ingest(store, tmp_path)
    assert (report.old, report.new_windows) == (1, 2)
    window = store.window("jsonl:a")
    assert window is not None
    assert (window.baseline, window.last_event_at) == (0, then * 1000)
    woken = {"id": "a", "messages": [_user("old", created=then), _user("woken", created=now)]}
    with (tmp_path / "chat.jsonl").open("a") as stream:
        stream.write(json.dumps(woken) + "\n")
    _ingest(store, tmp_path)
    assert _texts(store, "jsonl:a") == ["woken"]
    assert _texts(store, "jsonl:b") == ["fresh"]


def test_the_backlog_of_one_conversation_is_read_from_the_file_of_many(
    tmp_path: Path, store: Store
) -> None:
    then = NOW // 1000 - 30 * HOUR_S
    talks = [{"id": name, "created": then, "messages": [_user(name)]} for name in ("a", "b")]
    _write(tmp_path, *talks)
    _ingest(store, tmp_path)
    owed = list(owed_windows(store, [JsonLines(tmp_path, "*.jsonl", HOME)], 0))
    assert sorted(one.window.id for one in owed) == ["jsonl:a", "jsonl:b"]
    for one in owed:
        assert take_in_backlog(store, one, b"k" * 32, NOW).accepted == 1
        earlier = store.events(one.window.id, -10)
        assert [event.text for event in earlier] == [one.window.native_id]


@given(st.binary(max_size=400))
def test_arbitrary_bytes_never_crash(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    _read_all(tmp_path_factory.mktemp("any"), raw)


_JSON = json_values(
    st.sampled_from(["type", "text", "id", "function", "custom", "name", "arguments", "cwd"]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
)
_FIELDS = [
    "id",
    "content",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "name",
    "created",
    "metadata",
]
_MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from([role.value for role in Role]) | _JSON},
    optional=dict.fromkeys(_FIELDS, _JSON),
)
_RECORDS = _MESSAGES | st.fixed_dictionaries(
    {"messages": st.lists(_MESSAGES | _JSON, max_size=3) | _JSON},
    optional=dict.fromkeys(["id", "created", "metadata", "title"], _JSON),
)


@settings(max_examples=60)
@given(st.lists(_RECORDS, max_size=4))
def test_records_of_any_shape_never_crash(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record]
) -> None:
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    window, chunk = _read_all(tmp_path_factory.mktemp("any"), raw)
    assert (window is None) == (chunk is None) == (not records)


def _read_all(root: Path, raw: bytes) -> tuple[Window | None, Chunk | None]:
    (root / "w.jsonl").write_bytes(raw)
    source = JsonLines(root, "*.jsonl", HOME)
    (file,) = source.files()
    return source.peek(file), source.read(file, 0, EVERYTHING)
