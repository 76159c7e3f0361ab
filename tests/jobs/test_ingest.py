"""Ingest: adoption, old windows, copies, replaced files, routing, and one bad file among good ones."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.core.records import Window
from memgardend.core.words import Role, WindowKind
from support.claude_agent import HOUR, SETTINGS, Agent, texts


@pytest.fixture
def agent(tmp_path: Path, clock: ManualClock) -> Agent:
    """An agent whose folder is still empty."""
    return Agent(tmp_path / "projects", clock)


def _window(store: Store, name: str) -> Window:
    window = store.window(f"claude-code:{name}")
    assert window is not None
    return window


def test_what_was_alive_at_adoption_is_read_whole(agent: Agent, store: Store) -> None:
    agent.say("w", "a:long ago", ago=300)
    agent.say("w", "b:lately", ago=23)
    report = agent.ingest(store)
    assert texts(store, "w") == ["long ago", "lately"]
    assert (report.old, report.new_windows, report.events) == (0, 1, 2)
    assert _window(store, "w").project is not None


def test_what_was_quiet_at_adoption_is_registered_without_events(
    agent: Agent, store: Store
) -> None:
    agent.say("w", "a:long ago", "b:and then", ago=25)
    report = agent.ingest(store)
    window = _window(store, "w")
    assert (report.old, report.events) == (1, 0)
    assert (window.baseline, window.dreamed_seq, window.last_seq) == (0, 0, 0)
    assert window.last_event_at == agent.start - 25 * HOUR


def test_a_woken_old_window_owes_only_what_follows(agent: Agent, store: Store) -> None:
    agent.say("w", "a:long ago", ago=25)
    agent.ingest(store)
    agent.say("w", "b:awake")
    agent.ingest(store)
    (event,) = store.events("claude-code:w")
    assert (event.seq, event.text) == (1, "awake")


def test_nothing_is_old_after_adoption(agent: Agent, store: Store, clock: ManualClock) -> None:
    agent.ingest(store)
    agent.say("w", "a:while we slept", ago=-1)
    clock.advance(30 * 24 * HOUR)
    assert agent.ingest(store).old == 0
    assert texts(store, "w") == ["while we slept"]


@pytest.mark.parametrize("woken", [False, True])
def test_an_old_file_that_is_read_again_still_owes_only_what_follows(
    agent: Agent, store: Store, woken: bool
) -> None:
    agent.say("w", "a:long ago", "b:and then", ago=25)
    agent.ingest(store)
    if woken:
        agent.say("w", "c:awake", ago=2)
        agent.ingest(store)
    path = agent.path("w")
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.rename(path)
    agent.say("w", "d:last")
    agent.ingest(store)
    assert texts(store, "w") == (["awake", "last"] if woken else ["last"])


def test_an_old_window_in_two_files_is_one(agent: Agent, store: Store) -> None:
    agent.say("w", "a:long ago", ago=31)
    agent.say("w", "a:long ago", ago=31, project="q")
    report = agent.ingest(store)
    assert (report.old, report.new_windows, report.events) == (1, 1, 0)


def test_a_fork_of_a_window_with_events_is_a_replay(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two", ago=3)
    agent.say("fork", "a:one", "b:two", "c:new", ago=1)
    report = agent.ingest(store)
    roles = [event.role for event in store.events("claude-code:fork")]
    assert roles == [Role.REPLAY, Role.REPLAY, Role.HUMAN]
    assert report.replays == 2


def test_a_fork_of_an_old_window_is_a_replay_too(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two", "c:three", ago=30)
    agent.say("other", "z:unrelated", ago=30)
    agent.say("fork", "b:two", "c:three", ago=30)  # a copy from the middle, as after a compaction
    agent.say("fork", "d:its own", ago=26)
    agent.say("fork", "e:new", ago=1)
    agent.ingest(store)
    said = [(event.role, event.text) for event in store.events("claude-code:fork")]
    assert said == [
        (Role.REPLAY, "two"),
        (Role.REPLAY, "three"),
        (Role.HUMAN, "its own"),
        (Role.HUMAN, "new"),
    ]


def test_an_unchanged_file_is_not_read_again(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one")
    assert agent.ingest(store).files == 1
    assert agent.ingest(store).files == 0


def test_a_replaced_file_is_read_again_from_its_start(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two")
    agent.ingest(store)
    agent.path("w").unlink()
    agent.say("w", "x:another", "b:two", "c:three")
    report = agent.ingest(store)
    assert texts(store, "w") == ["one", "two", "another", "three"]
    assert report.duplicates == 1


def test_a_truncated_file_is_read_again_from_its_start(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two", "c:three")
    agent.ingest(store)
    path = agent.path("w")
    os.truncate(path, len(path.read_bytes().splitlines(keepends=True)[0]))
    agent.ingest(store)
    agent.say("w", "d:four", ago=-0.1)
    agent.ingest(store)
    assert texts(store, "w") == ["one", "two", "three", "four"]


def test_a_file_rewritten_in_place_is_read_again(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two")
    agent.ingest(store)
    path = agent.path("w")
    path.write_text(path.read_text().replace("one", "ONE").replace("two", "TWO"))
    agent.ingest(store)
    assert texts(store, "w") == ["one", "two", "ONE", "TWO"]


def test_a_torn_line_waits_for_its_end(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one", "b:two")
    path = agent.path("w")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    agent.ingest(store)
    assert texts(store, "w") == ["one"]
    path.write_bytes(whole)
    agent.ingest(store)
    assert texts(store, "w") == ["one", "two"]


def test_windows_of_others_are_passed_over_until_they_change(agent: Agent, store: Store) -> None:
    agent.say("w", "a:theirs", cwd="/home/else")
    assert agent.ingest(store).files == 1
    assert agent.ingest(store).files == 0
    assert store.window("claude-code:w") is None
    agent.say("w", "b:moved here", cwd="/srv/x")
    agent.ingest(store)
    assert store.window("claude-code:w") is None  # the first folder decides, for good


def test_conversations_that_name_no_folder_are_counted(agent: Agent, store: Store) -> None:
    agent.say("nowhere", "a:one", cwd="")
    agent.say("elsewhere", "b:one", cwd="/home/y")
    path = agent.path("silent")
    path.write_text(json.dumps({"type": "summary", "summary": "nothing said"}) + "\n", "utf-8")
    report = agent.ingest(store)
    assert (report.homeless, report.events) == (1, 0)
    assert agent.ingest(store).homeless == 0  # told once


def test_a_window_stays_ours_when_routes_change(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one")
    agent.ingest(store)
    agent.say("w", "b:two", cwd="/elsewhere")
    agent.ingest(store, ours="/elsewhere")
    assert texts(store, "w") == ["one", "two"]
    assert _window(store, "w").cwd == "/srv/x"


def test_a_file_that_cannot_be_read_is_named_and_stops_no_other(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.say("bad", "a:one", ago=2)
    agent.say("good", "b:two", ago=1)
    open_path = Path.open

    def refuse(path: Path, *args: object, **kwargs: object) -> object:
        if path.name == "bad.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return open_path(path, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    report = agent.ingest(store)
    assert [(Path(p.path).name, p.reason) for p in report.problems] == [
        ("bad.jsonl", "Permission denied")
    ]
    assert texts(store, "good") == ["two"]


def test_a_name_that_is_no_text_is_reported_and_stops_no_other(agent: Agent, store: Store) -> None:
    agent.say("bad\udcff", "a:one", ago=2)
    agent.say("good", "b:two", ago=1)
    report = agent.ingest(store)
    assert [problem.reason for problem in report.problems] == ["its name is not UTF-8"]
    assert report.problems[0].path.endswith("bad?.jsonl")
    assert texts(store, "good") == ["two"]


def test_a_folder_that_cannot_be_listed_is_reported_and_stops_no_other(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.say("bad", "a:one", project="closed")
    agent.say("good", "b:two")
    list_folder = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return list_folder(path)

    monkeypatch.setattr(os, "scandir", refuse)
    report = agent.ingest(store)
    assert [(Path(p.path).name, p.reason) for p in report.problems] == [
        ("closed", "Permission denied")
    ]
    assert texts(store, "good") == ["two"]


def test_unreadable_lines_are_counted_once_and_kept(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one")
    with agent.path("w").open("a") as stream:
        stream.write('{"torn\n')
    assert agent.ingest(store).unreadable == 1
    agent.say("w", "b:two", ago=-0.1)
    assert agent.ingest(store).unreadable == 0
    (cursor,) = store.cursors("claude-code")
    assert (cursor.lines, cursor.unreadable) == (3, 1)
    assert store.counts()["unreadable_lines"] == 1


def test_a_file_of_an_unknown_version_shows_as_unreadable(agent: Agent, store: Store) -> None:
    path = agent.path("w")
    path.parent.mkdir(parents=True)
    path.write_text('{"v2":"turn"}\n{"v2":"turn"}\n')
    assert agent.ingest(store).unreadable == 2
    assert store.counts()["unreadable_lines"] == 2
    assert store.window("claude-code:w") is None


def test_the_result_of_our_own_tool_is_ours_even_when_it_comes_later(
    agent: Agent, store: Store
) -> None:
    path = agent.path("w")
    agent.say("w", "a:search please")
    call = {"type": "tool_use", "id": "t1", "name": "mcp__memgardend__memory_search", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "port 8080"}
    with path.open("a") as stream:
        said = {"type": "assistant", "uuid": "b", "message": {"content": [call]}}
        stream.write(json.dumps(said) + "\n")
    agent.ingest(store)
    with path.open("a") as stream:
        came = {"type": "user", "uuid": "c", "message": {"content": [result]}}
        stream.write(json.dumps(came) + "\n")
    agent.ingest(store)
    roles = [event.role for event in store.events("claude-code:w")]
    assert roles == [Role.HUMAN, Role.OWN, Role.OWN]


def test_a_sidechain_inside_is_written_aside(agent: Agent, store: Store) -> None:
    agent.say("w", "a:one")
    with agent.path("w").open("a") as stream:
        record = {"type": "user", "uuid": "s", "isSidechain": True, "message": {"content": "find"}}
        stream.write(json.dumps(record) + "\n")
    agent.ingest(store)
    aside = _window(store, "w/sidechain")
    assert (aside.kind, aside.parent) == (WindowKind.SUBAGENT, "claude-code:w")
    assert texts(store, "w") == ["one"]


def test_a_cursor_that_another_process_moved_stops_this_one_quietly(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.say("w", "a:one")
    monkeypatch.setattr(store, "cursors", lambda source: [])  # read before the other was done
    agent.ingest(store)
    agent.say("w", "b:two", ago=-0.1)
    report = agent.ingest(store)
    assert report.events == 0
    assert texts(store, "w") == ["one"]


def test_a_title_is_masked_and_times_of_the_future_are_those_of_receipt(
    agent: Agent, store: Store, clock: ManualClock
) -> None:
    agent.say("w", "a:one", ago=-48)
    with agent.path("w").open("a") as stream:
        title = "deploy with token=abc12345"
        stream.write(json.dumps({"type": "custom-title", "customTitle": title}) + "\n")
    agent.ingest(store)
    window = _window(store, "w")
    assert window.title == "deploy with token=[masked]"
    assert window.last_event_at == clock.now_ms()


def test_a_title_long_before_the_first_turn_is_kept(agent: Agent, store: Store) -> None:
    path = agent.path("w")
    path.parent.mkdir(parents=True)
    noise = {"type": "file-history-snapshot", "snapshot": "x" * 2 * SETTINGS.chunk_bytes}
    lines = [{"type": "summary", "summary": "The harbor"}, noise, noise]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    agent.say("w", "a:one")
    agent.ingest(store)
    assert _window(store, "w").title == "The harbor"
    assert texts(store, "w") == ["one"]
