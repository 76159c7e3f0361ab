"""Codex's rollouts: who speaks, each message once, in which window, and what a fork only repeats."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Chunk, SourceFile, Store
from memgardend.core.records import NewEvent, Window
from memgardend.core.words import Role, WindowKind
from memgardend.daemon.sources.codex import Codex
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import IngestReport
from support.json_values import json_values

FIXTURES = Path(__file__).parents[2] / "fixtures" / "codex"
EVERYTHING = 1 << 30
AT = "2026-03-04T10:00:{:02}.000Z"
NOW = 1_772_800_000_000  # 2026-03-06T12:26:40Z
DAY = FIXTURES / "sessions/2026/03/04"
FORK = DAY / "rollout-2026-03-04T17-02-40-019cba30-1be2-7d55-8a17-6c0b9f4e2d02.jsonl"
FILES = {file.path: file for file in Codex(FIXTURES).files()}

Record = dict[str, Any]


def _rec(kind: str, at: int = 1, /, **payload: Any) -> Record:
    return {"timestamp": AT.format(at), "type": kind, "payload": payload}


def _meta(at: int = 0, /, **payload: Any) -> Record:
    return _rec("session_meta", at, **{"id": "w1", "cwd": "/srv/x", "source": "cli", **payload})


def _seen(text: str, by: str = "user", at: int = 1, **fields: Any) -> Record:
    """A message as the model saw it."""
    content = [{"type": "output_text" if by == "assistant" else "input_text", "text": text}]
    return _rec("response_item", at, type="message", role=by, content=content, **fields)


def _shown(text: str, by: str = "user", at: int = 1, **fields: Any) -> Record:
    """A message as it stood on the screen."""
    kind = "agent_message" if by == "assistant" else "user_message"
    return _rec("event_msg", at, type=kind, message=text, **fields)


def _write(path: Path, *records: Record) -> SourceFile:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    (file,) = Codex(path).files()
    return file


def _read(file: SourceFile, offset: int = 0, limit: int = EVERYTHING) -> Chunk:
    chunk = Codex(FIXTURES).read(file, offset, limit)
    assert chunk is not None
    return chunk


def _said(folder: Path, *records: Record, meta: Record | None = None) -> list[tuple[Role, str]]:
    chunk = _read(_write(folder / "rollout-w1.jsonl", meta or _meta(), *records))
    assert chunk.unreadable == 0
    return [(event.role, event.text) for event in chunk.events]


SYSTEM = {
    "environment": "<environment_context>\n<cwd>/srv/x</cwd>\n</environment_context>",
    "agents": "# AGENTS.md instructions for /srv/x\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
    "skill": "<skill>\n<name>a</name>\nText.\n</skill>\nmore",
    "instructions": "<user_instructions>\n\nBe brief.\n\n</user_instructions>",
    "shell": "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
    "aborted": "<turn_aborted>\nOn purpose.\n</turn_aborted>",
    "a block of a later version": '<goal_note kind="new">\nGo on.\n</goal_note>\n',
    "a block with a space in its name": "<hook note>\nGo on.\n</hook>",
    "summary": "Another language model started to solve this problem and produced a summary",
}


@pytest.mark.parametrize("text", SYSTEM.values(), ids=SYSTEM.keys())
def test_what_the_program_writes_is_no_person(tmp_path: Path, text: str) -> None:
    assert _said(tmp_path, _seen(text)) == [(Role.SYSTEM, text)]
    assert _said(tmp_path, _shown(text)) == [(Role.SYSTEM, text)]


HUMAN = [
    "hello",
    "what does <skill> mean?",
    "<b>bold</b> is wrong here",
    "# AGENTS.md is too long",
    "Which heading?\n## My request for Codex:\nthis one",
]


@pytest.mark.parametrize("text", HUMAN)
def test_what_a_person_typed_is_human(tmp_path: Path, text: str) -> None:
    assert _said(tmp_path, _seen(text)) == [(Role.HUMAN, text)]


def test_what_the_editor_adds_stands_apart(tmp_path: Path) -> None:
    added = "# Context from my IDE setup:\n\n## Active file: a.py"
    text = f"{added}\n\n## My request for Codex:\nuse tabs"
    assert _said(tmp_path, _seen(text), _shown(text)) == [
        (Role.SYSTEM, added),
        (Role.HUMAN, "use tabs"),
    ]


RUNS: dict[str, tuple[Record, Role]] = {
    "terminal": ({"source": "cli"}, Role.HUMAN),
    "editor": ({"source": "vscode", "originator": "codex_vscode"}, Role.HUMAN),
    "nothing told": ({"source": None}, Role.HUMAN),
    "exec": ({"source": "exec"}, Role.SCRIPT),
    "exec, older": ({"source": None, "originator": "codex_exec"}, Role.SCRIPT),
    "as a server of tools": ({"source": "mcp"}, Role.SCRIPT),
    "review": ({"source": {"subagent": "review"}}, Role.SCRIPT),
    "another program": ({"source": {"custom": "bot"}}, Role.SCRIPT),
    "thread of a thread": ({"parent_thread_id": "w0"}, Role.SCRIPT),
}


@pytest.mark.parametrize(("meta", "role"), RUNS.values(), ids=RUNS.keys())
def test_who_prompts(tmp_path: Path, meta: Record, role: Role) -> None:
    assert _said(tmp_path, _seen("go"), meta=_meta(**meta)) == [(role, "go")]


SPAWNED: dict[str, tuple[Record, WindowKind, str | None]] = {
    "main": ({}, WindowKind.MAIN, None),
    "told in its source": (
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "w0", "depth": 1}}}},
        WindowKind.SUBAGENT,
        "codex:w0",
    ),
    "told by itself": ({"parent_thread_id": "w0"}, WindowKind.SUBAGENT, "codex:w0"),
    "by its sort": ({"thread_source": "subagent"}, WindowKind.SUBAGENT, None),
    "review": ({"source": {"subagent": "review"}}, WindowKind.SUBAGENT, None),
    "forked": ({"forked_from_id": "w0"}, WindowKind.MAIN, None),
}


@pytest.mark.parametrize(("meta", "kind", "parent"), SPAWNED.values(), ids=SPAWNED.keys())
def test_sub_agents_name_their_parent(
    tmp_path: Path, meta: Record, kind: WindowKind, parent: str | None
) -> None:
    window = _read(_write(tmp_path / "rollout-w1.jsonl", _meta(**meta), _seen("go"))).window
    assert (window.id, window.kind, window.parent) == ("codex:w1", kind, parent)


@pytest.mark.parametrize("named", [None, "", "\x00 ", "x" * 300, {"id": 1}])
def test_a_thread_without_an_id_is_named_by_its_file(tmp_path: Path, named: object) -> None:
    uuid = "019cb9d2-7a10-7c3e-9b41-2f6d8e0a1c01"
    path = tmp_path / f"rollout-2026-03-04T15-20-11-{uuid}.jsonl"
    assert _read(_write(path, _meta(id=named), _seen("go"))).window.native_id == uuid


TOKENS = _rec("event_msg", 2, type="token_count", info=None)
ONCE: dict[str, tuple[list[Record], list[str]]] = {
    "seen first": ([_seen("a"), _shown("a")], ["a"]),
    "shown first": ([_shown("a"), _seen("a")], ["a"]),
    "seen only": ([_seen("a"), _seen("b")], ["a", "b"]),
    "shown only": ([_shown("a"), _shown("b")], ["a", "b"]),
    "something between": ([_seen("a"), TOKENS, TOKENS, _shown("a")], ["a"]),
    "the same twice": ([_seen("yes"), _shown("yes"), _seen("yes", at=3), _shown("yes", at=3)], ["yes", "yes"]),
    "twice, both logs apart": ([_seen("y"), _seen("y", at=2), _shown("y"), _shown("y", at=2)], ["y", "y"]),
    "folded otherwise": ([_shown("a\n\nb"), _seen("a\nb ")], ["a\n\nb"]),
    "dressed up": ([_shown("a b c"), _seen("a b c\n<citation>1</citation>")], ["a b c"]),
    "another speaks the same": ([_seen("ok"), _shown("ok", by="assistant")], ["ok", "ok"]),
    "nothing between": ([_seen("a"), _shown(" "), _shown("a")], ["a"]),
    "typed what the instructions say": (
        [_seen(SYSTEM["agents"]), _shown("Be brief.")], [SYSTEM["agents"], "Be brief."]
    ),
    "typed before the instructions": (
        [_shown("Be brief."), _seen(SYSTEM["agents"]), _seen("Be brief.")], ["Be brief.", SYSTEM["agents"]]
    ),
    "far apart": ([_seen("a"), *[TOKENS] * 16, _shown("a", at=9)], ["a", "a"]),
}  # fmt: skip


@pytest.mark.parametrize(("records", "texts"), ONCE.values(), ids=ONCE.keys())
def test_a_message_in_both_logs_is_taken_once(
    tmp_path: Path, records: list[Record], texts: list[str]
) -> None:
    assert [text for _, text in _said(tmp_path, *records)] == texts


def test_a_pair_with_a_picture_between_chunks_is_taken_once(tmp_path: Path) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 300_000}
    parts = [{"type": "input_text", "text": '<image name="1">'}, picture]
    parts += [{"type": "input_text", "text": t} for t in ("</image>", "look here")]
    seen = _rec("response_item", 1, type="message", role="user", content=parts)
    shown = _shown("look here", images=["data:image/png;base64,QUJD"], local_images=[])
    file = _write(tmp_path / "rollout-w1.jsonl", _meta(), seen, shown)
    first = _read(file, 0, 1 << 20)
    second = _read(file, first.offset)
    assert [event.text for event in first.events] == ["[image]\n\nlook here"]
    assert (first.more, second.lines, second.events) == (True, 1, ())


TOOLS: dict[str, tuple[Record, tuple[str | None, str] | None]] = {
    "function": (
        {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"ls"}'},
        ("exec_command", '{"cmd":"ls"}'),
    ),
    "arguments as an object": (
        {"type": "function_call", "name": "apply_patch", "arguments": {"patch": "p"}},
        ("apply_patch", '{"patch":"p"}'),
    ),
    "without arguments": ({"type": "function_call", "name": "wait", "arguments": ""}, ("wait", "{}")),
    "free form": (
        {"type": "custom_tool_call", "name": "exec", "input": "await x()"},
        ("exec", "await x()"),
    ),
    "local shell": (
        {"type": "local_shell_call", "action": {"type": "exec"}},
        ("local_shell", '{"type":"exec"}'),
    ),
    "search": (
        {"type": "web_search_call", "action": {"query": "q"}},
        ("web_search", '{"query":"q"}'),
    ),
    "result": ({"type": "function_call_output", "output": "done"}, (None, "done")),
    "result in parts": (
        {"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": "done"}]},
        (None, "done"),
    ),
    "wrapped result": (
        {"type": "function_call_output", "output": '{"output":"done","metadata":{"exit_code":0}}'},
        (None, "done"),
    ),
    "no JSON after all": ({"type": "function_call_output", "output": '{"output"'}, (None, '{"output"')),
    "older result": (
        {"type": "function_call_output", "output": {"content": "done", "success": True}},
        (None, "done"),
    ),
    "empty result": ({"type": "function_call_output", "output": ""}, None),
    "reasoning": ({"type": "reasoning", "summary": [{"text": "hm"}]}, None),
    "snapshot": ({"type": "ghost_snapshot", "ghost_commit": {}}, None),
}  # fmt: skip


@pytest.mark.parametrize(("payload", "told"), TOOLS.values(), ids=TOOLS.keys())
def test_calls_and_results(
    tmp_path: Path, payload: Record, told: tuple[str | None, str] | None
) -> None:
    file = _write(tmp_path / "rollout-w1.jsonl", _meta(), _rec("response_item", 1, **payload))
    events = _read(file).events
    assert [(event.role, event.tool, event.text) for event in events] == (
        [(Role.TOOL, *told)] if told else []
    )


@pytest.mark.parametrize("between", [0, 100], ids=["next", "far on"])
def test_a_result_in_a_later_chunk_names_its_tool(tmp_path: Path, between: int) -> None:
    call = _rec("response_item", 1, type="function_call", name="sh", arguments="{}", call_id="c1")
    result = _rec("response_item", 2, type="function_call_output", call_id="c1", output="ok")
    file = _write(tmp_path / "rollout-w1.jsonl", _meta(), call, *[TOKENS] * between, result)
    first = _read(file, 0, file.size - len(json.dumps(result)) - 1)
    assert [event.tool for event in _read(file, first.offset).events] == ["sh"]


SILENT: dict[str, Record] = {
    "tokens": TOKENS,
    "reasoning on the screen": _rec("event_msg", 1, type="agent_reasoning", text="hm"),
    "turn": _rec("turn_context", 1, cwd="/srv/y", model="m"),
    "command on the screen": _rec("event_msg", 1, type="exec_command_end", aggregated_output="x"),
    "unknown": _rec("world_state", 1, full="x"),
    "unknown and bare": {"type": "brand_new", "text": "x"},
    "blank": _seen("  \n"),
    "named": _rec("event_msg", 1, type="thread_name_updated", thread_name="T"),
}


@pytest.mark.parametrize("record", SILENT.values(), ids=SILENT.keys())
def test_what_says_nothing_is_no_event(tmp_path: Path, record: Record) -> None:
    assert _said(tmp_path, record) == []


MALFORMED: dict[str, Record] = {
    "no payload": {"timestamp": AT.format(1), "type": "event_msg"},
    "payload is text": {"timestamp": AT.format(1), "type": "response_item", "payload": "x"},
    "no content": _rec("response_item", 1, type="message", role="user"),
    "part is text": _rec("response_item", 1, type="message", role="user", content=["x"]),
    "no message": _rec("event_msg", 1, type="user_message", text="x"),
    "output is a number": _rec("response_item", 1, type="function_call_output", output=3),
}


@pytest.mark.parametrize("record", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_record_is_counted_and_stops_nothing(tmp_path: Path, record: Record) -> None:
    chunk = _read(
        _write(tmp_path / "rollout-w1.jsonl", _meta(), _seen("first"), record, _seen("last"))
    )
    assert [event.text for event in chunk.events] == ["first", "last"]
    assert chunk.unreadable == 1


def test_a_file_without_any_known_record_shows_as_unreadable(tmp_path: Path) -> None:
    chunk = _read(_write(tmp_path / "rollout-w1.jsonl", {"kind": "x"}, {"payload": {}}))
    assert (chunk.events, chunk.lines, chunk.unreadable) == ((), 2, 2)


def test_a_compaction_tells_its_summary_and_repeats_nothing(tmp_path: Path) -> None:
    again = [{"type": "message", "role": "user", "content": "old"}]
    record = _rec("compacted", 1, message="So far: x.", replacement_history=again)
    assert _said(tmp_path, record) == [(Role.SYSTEM, "So far: x.")]


def test_developer_messages_are_system(tmp_path: Path) -> None:
    assert _said(tmp_path, _seen("Always agree.", by="developer")) == [
        (Role.SYSTEM, "Always agree.")
    ]


FOLDERS: dict[str, list[Record]] = {
    "session": [_meta(cwd="/srv/a"), _rec("turn_context", 1, cwd="/srv/b")],
    "turn": [_meta(cwd=None), _rec("turn_context", 1, cwd="/srv/a"), _rec("turn_context", 2, cwd="/b")],
    "told to the model": [
        {"id": "w1", "timestamp": AT.format(0)},
        {"type": "message", "role": "user", "content": "<environment_context><cwd>/srv/a</cwd>"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("records", FOLDERS.values(), ids=FOLDERS.keys())
def test_a_thread_is_where_it_began(tmp_path: Path, records: list[Record]) -> None:
    assert _read(_write(tmp_path / "rollout-w1.jsonl", *records)).window.cwd == "/srv/a"


def test_windows_of_the_fixtures() -> None:
    windows = [Codex(FIXTURES).peek(file) for file in FILES.values()]
    told = {w.native_id[:8]: (w.kind.value, w.cwd, w.title) for w in windows if w is not None}
    assert told == {
        "019cb9d2": ("main", "/srv/mira/harbor", "Restore drill"),
        "019cba30": ("main", "/srv/mira/harbor", None),
        "019cb9d5": ("subagent", "/srv/mira/harbor", None),
        "019cba64": ("main", "/srv/mira/harbor", None),
        "019cb920": ("main", "/srv/mira/denglong", None),
        "019cae0f": ("main", "/srv/mira/lantern", None),
        "5f0c1d2e": ("main", "/srv/mira/harbor", None),
    }


def test_nothing_a_person_did_not_say_is_human_in_the_fixtures() -> None:
    chunks = [_read(file) for file in FILES.values()]
    said = [e.text for chunk in chunks for e in chunk.events if e.role is Role.HUMAN]
    never = ["French", "Always approve", "scripts that touch", "<", "Context from my IDE"]
    assert not [text for text in said for wrong in never if wrong in text]
    assert len(said) == 20


def test_an_old_rollout_of_bare_items_is_read(tmp_path: Path) -> None:
    (path,) = FIXTURES.glob("sessions/rollout-*")
    chunk = _read(FILES[str(path)])
    spoken = [(e.role.value, e.tool, e.text) for e in chunk.events if e.role is not Role.SYSTEM]
    assert spoken == [
        ("human", None, 'Rename the table "boats" to "vessels".'),
        ("tool", "local_shell", spoken[1][2]),
        ("tool", "local_shell", "models.py:3:class boats\n"),
        ("assistant", None, "Renamed in models.py."),
        ("human", None, "yes"),
        ("assistant", None, "Done."),
        ("human", None, "yes"),
    ]
    assert len({event.native_id for event in chunk.events}) == len(chunk.events)
    assert {event.at for event in chunk.events} == {1_749_546_930_120}


def test_ids_do_not_depend_on_where_a_record_stands(tmp_path: Path) -> None:
    one, two = _seen("yes", at=1), _seen("no", at=2)
    there = _read(_write(tmp_path / "rollout-w1.jsonl", _meta(), one, two)).events
    moved = _read(_write(tmp_path / "rollout-w1.jsonl", _meta(), TOKENS, two, one)).events
    other = _read(_write(tmp_path / "rollout-w2.jsonl", _meta(id="w2"), one)).events
    assert {e.native_id for e in there} == {e.native_id for e in moved}
    assert there[0].native_id != other[0].native_id
    own = _read(_write(tmp_path / "rollout-w1.jsonl", _meta(), _seen("x", id="msg_1"))).events
    assert own[0].native_id == "msg_1"


@pytest.mark.parametrize("path", FILES, ids=[Path(path).name[8:35] for path in FILES])
def test_a_thread_read_in_parts_is_the_thread(path: str) -> None:
    whole = _read(FILES[path])
    events: list[NewEvent] = []
    copied: set[str] = set()
    offset, more, lines = 0, True, 0
    while more:
        chunk = _read(FILES[path], offset, 1)
        events += chunk.events
        copied |= chunk.copied
        offset, more, lines = chunk.offset, chunk.more, lines + chunk.lines
    assert (tuple(events), frozenset(copied), lines) == (whole.events, whole.copied, whole.lines)


def test_a_fork_tells_what_it_copied() -> None:
    chunk = _read(FILES[str(FORK)])
    news = [event.text for event in chunk.events if event.native_id not in chunk.copied]
    assert news == [
        "Try another way: keep 14 daily dumps and 12 monthly ones.",
        "ops/prune.sh keeps 14 daily and 12 monthly dumps.",
    ]
    assert len(chunk.copied) == 15


def _forked(folder: Path, meta: Record, *more: Record) -> SourceFile:
    copied = [_seen("yes", at=20), _seen("Done.", by="assistant", at=20)]
    return _write(
        folder / "rollout-f-w1.jsonl", _meta(20, **meta), *more, *copied, _seen("yes", at=40)
    )


def _copied(folder: Path, file: SourceFile) -> list[bool]:
    chunk = Codex(folder).read(file, 0, EVERYTHING)
    assert chunk is not None
    return [event.native_id in chunk.copied for event in chunk.events]


def test_a_fork_is_known_by_the_session_record_that_it_copied(tmp_path: Path) -> None:
    answer = _seen("Done.", by="assistant", at=2)
    _write(tmp_path / "rollout-f-w0.jsonl", _meta(id="w0"), _seen("yes"), answer, _seen("no"))
    assert _copied(tmp_path, _forked(tmp_path, {}, _meta(20, id="w0"))) == [True, True, False]
    assert _copied(tmp_path, _forked(tmp_path, {})) == [False, False, False]


def test_a_fork_whose_original_is_gone_copied_what_it_wrote_in_its_first_moment(
    tmp_path: Path,
) -> None:
    assert _copied(tmp_path, _forked(tmp_path, {"forked_from_id": "w0"})) == [True, True, False]


def test_a_fork_of_something_else_copied_nothing(tmp_path: Path) -> None:
    _write(tmp_path / "rollout-f-w0.jsonl", _meta(id="w0"), _seen("something else"))
    fork = _forked(tmp_path, {"forked_from_id": "w0"})
    assert _copied(tmp_path, fork) == [False, False, False]
    assert _copied(tmp_path, _forked(tmp_path, {"forked_from_id": "w1"})) == [False, False, False]


def test_a_fork_may_tell_its_own_surroundings_first(tmp_path: Path) -> None:
    answer = _seen("Done.", by="assistant", at=2)
    _write(tmp_path / "rollout-f-w0.jsonl", _meta(id="w0"), _seen("yes"), answer, _seen("no"))
    around = _seen("<environment_context>\n<cwd>/srv/y</cwd>\n</environment_context>", at=20)
    fork = _forked(tmp_path, {"forked_from_id": "w0"}, around)
    assert _copied(tmp_path, fork) == [True, True, True, False]


def test_a_session_record_later_on_makes_no_fork(tmp_path: Path) -> None:
    records = [_meta(20, cwd=None), _seen("yes", at=20), _meta(20, id="w0"), _seen("no", at=20)]
    assert _copied(tmp_path, _write(tmp_path / "rollout-f-w1.jsonl", *records)) == [False, False]


def _ingest(store: Store, root: Path) -> IngestReport:
    return ingest(
        store,
        [Codex(root)],
        route=lambda window: True,
        clock=ManualClock(NOW),
        settings=IngestSettings(max_age_ms=72 * 3_600_000, chunk_bytes=6000),
        key=b"k" * 32,
        resolve_project=lambda cwd: None,
    )


def test_what_a_fork_repeats_is_no_news_and_archiving_repeats_nothing(
    tmp_path: Path, store: Store
) -> None:
    home = tmp_path / "codex"
    shutil.copytree(FIXTURES, home)
    report = _ingest(store, home)
    assert (report.new_windows, report.unreadable, report.problems) == (7, 0, [])
    fork = store.events("codex:019cba30-1be2-7d55-8a17-6c0b9f4e2d02")
    assert [event.role for event in fork] == [Role.REPLAY] * 15 + [Role.HUMAN, Role.ASSISTANT]
    for path in (home / "sessions").rglob("*019cba30*"):
        path.rename(home / "archived_sessions" / path.name)
    for path in (home / "sessions").rglob("*019cb9d2*"):
        path.unlink()
    again = _ingest(store, home)
    assert (again.events, again.duplicates, again.new_windows) == (0, 17, 0)


def test_compressed_rollouts_are_counted_until_they_are_unpacked(
    tmp_path: Path, store: Store
) -> None:
    folder = tmp_path / "sessions"
    _write(folder / "rollout-a.jsonl", _meta())
    for name in ("rollout-a", "rollout-b"):
        (folder / f"{name}.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd\n")
    report = _ingest(store, tmp_path)
    assert (report.compressed, report.files, report.unreadable) == (1, 1, 0)
    (folder / "rollout-a.jsonl").unlink()  # it was read before it was compressed
    _write(folder / "rollout-b.jsonl", _meta())
    assert _ingest(store, tmp_path).compressed == 0


def test_rollouts_are_found_by_day_flat_and_archived_and_nothing_else(tmp_path: Path) -> None:
    names = ["sessions/2026/03/04/rollout-a.jsonl", "sessions/rollout-b.jsonl"]
    names += ["archived_sessions/rollout-c.jsonl"]
    others = [
        "history.jsonl",
        "sessions/notes.jsonl",
        "sessions/rollout-d.json",
        "log/rollout-e.jsonl",
    ]
    for name in [*names, *others]:
        _write(tmp_path / name, _meta())
    (tmp_path / "sessions" / "linked").symlink_to(tmp_path / "log")
    for root in (tmp_path, tmp_path / "sessions"):
        found = [os.path.relpath(file.path, tmp_path) for file in Codex(root).files()]
        assert sorted(found) == sorted(names)
    (only,) = Codex(tmp_path / "log").files()
    assert Path(only.path).name == "rollout-e.jsonl"
    assert list(Codex(tmp_path / "none" / "sessions").files()) == []


@given(st.binary(max_size=400))
def test_arbitrary_bytes_never_crash(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    _read_all(tmp_path_factory.mktemp("any"), raw)


_JSON = json_values(
    st.sampled_from(["type", "text", "id", "message", "output", "subagent", "cwd"]),
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
)
_TYPES = ["message", "function_call", "x_call", "x_output", "user_message", "agent_message"]
_FIELDS = ["id", "role", "content", "message", "source", "parent_thread_id", "forked_from_id"]
_FIELDS += ["call_id", "name", "output", "arguments", "images", "cwd", "thread_name", "timestamp"]
_PAYLOADS = st.fixed_dictionaries(
    {}, optional={"type": st.sampled_from(_TYPES) | _JSON, **dict.fromkeys(_FIELDS, _JSON)}
)
_KINDS = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"]
_RECORDS = _PAYLOADS | st.fixed_dictionaries(
    {"type": st.sampled_from(_KINDS) | _JSON, "payload": _PAYLOADS | _JSON},
    optional={"timestamp": st.just(AT.format(1)) | _JSON},
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
    (root / "rollout-w.jsonl").write_bytes(raw)
    source = Codex(root)
    (file,) = source.files()
    return source.peek(file), source.read(file, 0, EVERYTHING)
