"""Conformance: what recall reads of a store, and that noting never waits and loses nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core.ports import Store
from memgardend.core.recall.window import noted
from memgardend.core.records import Memory
from memgardend.core.records.window_recall import Marks, WindowRecall
from memgardend.core.scope import GLOBAL, UNSET, Scope, covers
from memgardend.core.words import Layer, Status, Subcategory, Use
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.spool import Spool
from support.recalling import in_memory, keep, known, project
from support.stores import (
    NOW,
    SqliteFactory,
    change,
    dreamed,
    put,
    said,
    somebody_writes,
    window,
)

W = "event:a"
IDS = st.lists(st.sampled_from(["m1", "m2", "gone"]), max_size=3, unique=True).map(tuple)
MARKS = st.builds(
    Marks,
    window=st.just(W),
    at=st.integers(0, 9),
    used=st.dictionaries(st.sampled_from(Use), IDS, max_size=2),
    anchor=st.sampled_from([None, "p1"]),
    projects_asked=st.sampled_from([(), ("p1",), ("p1", "p2")]),
    block=st.booleans(),
    prompted=st.booleans(),
    released=st.booleans(),
    restored=st.booleans(),
    record=st.sampled_from([None, {"mode": "hits"}]),
)


def used(use: Use, *ids: str, at: int = NOW, into: str = W) -> Marks:
    return Marks(window=into, at=at, used={use: ids})


def purged(state: WindowRecall) -> WindowRecall:
    """The state without memories that are not there."""
    kept = {
        use: {memory: at for memory, at in memories.items() if memory != "gone"}
        for use, memories in state.used.items()
    }
    return replace(state, used={use: memories for use, memories in kept.items() if memories})


@settings(max_examples=60)
@given(st.lists(MARKS, max_size=6), st.data())
def test_the_store_keeps_marks_as_the_rules_say(marks: list[Marks], data: st.DataObject) -> None:
    store = in_memory()
    keep(store, known("m1"), known("m2"))
    again = data.draw(st.lists(st.sampled_from(marks), max_size=2)) if marks else []
    for one in data.draw(st.permutations(marks + again)):
        assert store.note_marks(one)
    expected = purged(reduce(noted, marks, WindowRecall(window=W)))
    assert store.window_recall(W) == expected
    store.close()


def test_a_window_that_nobody_knows_yet_has_a_state(store: Store) -> None:
    assert store.window_recall(W) == WindowRecall(window=W)
    keep(store, known("m1"))
    store.note_marks(used(Use.INJECTED, "m1"))
    put(store, said("1"), into=window(project="p1"))
    state = store.window_recall(W)
    assert (state.project, state.spoke_at) == ("p1", NOW)
    assert state.used == {Use.INJECTED: {"m1": NOW}}


def test_what_a_dream_wrote_for_a_window_is_written_by_it(store: Store) -> None:
    dreamed(store, change(None, known("m1", source_window="event:other")))
    assert store.window_recall(W).used[Use.WRITTEN].keys() == {"m1"}
    assert store.window_recall("event:other").used[Use.WRITTEN].keys() == {"m1"}


def test_a_search_counts_as_a_hit_once(factory: SqliteFactory) -> None:
    store = factory.open()
    keep(store, known("m1"))
    mark = used(Use.SEARCHED, "m1", at=5)
    for one in (mark, mark, used(Use.ACCESSED, "m1", at=7), used(Use.INJECTED, "m1", at=9)):
        store.note_marks(one)
    assert use_of(factory.path) == [{"hits": 1, "last_access_at": 7}]
    store.note_marks(used(Use.SEARCHED, "m1", at=8))
    assert use_of(factory.path) == [{"hits": 2, "last_access_at": 8}]


def use_of(path: Path) -> list[dict[str, object]]:
    database = Database.open(path)
    rows = database.read("SELECT hits, last_access_at FROM memory_use")
    database.close()
    return rows


def spooled(factory: SqliteFactory) -> list[Path]:
    return sorted((factory.path.parent / "spool").glob("*"))


def test_while_somebody_writes_marks_wait_in_the_spool_and_count_at_once(
    factory: SqliteFactory,
) -> None:
    store = factory.open()
    keep(store, known("m1"))
    with somebody_writes(factory.path):
        assert not store.note_marks(used(Use.INJECTED, "m1", into="event:é/../x"))
        state = store.window_recall("event:é/../x")
        assert state.used == {Use.INJECTED: {"m1": NOW}}
        assert store.window_recall(W).used == {}
    (file,) = spooled(factory)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert store.note_marks(used(Use.SEARCHED, "m1"))
    assert spooled(factory) == []
    assert store.window_recall("event:é/../x") == state


def test_the_spool_is_folded_in_once_whoever_comes_first(factory: SqliteFactory) -> None:
    one, other = factory.open(), factory.open()
    keep(one, known("m1"))
    with somebody_writes(factory.path):
        for at in range(5):
            one.note_marks(used(Use.SEARCHED, "m1", at=at))
    copies = {file: file.read_bytes() for file in spooled(factory)}
    assert other.fold_marks() == 5
    assert one.fold_marks() == 0
    for file, text in copies.items():  # as if the folding process had died before it removed them
        file.write_bytes(text)
    assert one.fold_marks() == 5
    assert use_of(factory.path) == [{"hits": 5, "last_access_at": 4}]


TORN = {
    "cut": b'{"window": "event:a", "at": 17',
    "empty": b"",
    "a list": b"[]",
    "of another program": b'{"window": "event:a", "used": {"loved": []}, "garden": "g"}',
    "no text": b"\xff\xfe",
    "content": b'{"window": "event:a", "at": 17, "used": {}, "projects_asked": [], "garden": "g", '
    b'"record": {"query": "tea"}}',
}


@pytest.mark.parametrize("text", TORN.values(), ids=TORN.keys())
def test_a_torn_file_is_put_aside_and_the_rest_counts(factory: SqliteFactory, text: bytes) -> None:
    store = factory.open()
    keep(store, known("m1"))
    with somebody_writes(factory.path):
        store.note_marks(used(Use.INJECTED, "m1", at=1))
        store.note_marks(used(Use.SEARCHED, "m1", at=2))
    torn = spooled(factory)[0]
    torn.write_bytes(text)
    assert store.window_recall(W).used == {Use.SEARCHED: {"m1": 2}}
    assert store.fold_marks() == 1
    assert spooled(factory) == [torn.with_suffix(".torn")]


def test_what_was_put_aside_is_in_nobodys_way(tmp_path: Path) -> None:
    spool = Spool(tmp_path, "g")
    for at in (1, 2):
        spool.put(used(Use.INJECTED, "m1", at=at))
    min(tmp_path.iterdir()).write_bytes(b"{")
    assert spool.waiting(1) == {}
    assert [marks.at for marks in spool.waiting(1).values()] == [2]


def test_where_there_is_no_folder_nothing_waits(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("nowhere", "file"):
        spool = Spool(tmp_path / name, "g")
        assert (spool.of_window(W), spool.waiting()) == ([], {})


def test_two_gardens_do_not_fold_each_others_marks(factory: SqliteFactory) -> None:
    one, two = factory.open("one"), factory.open("two")
    keep(one, known("m1"))
    with somebody_writes(factory.path):
        one.note_marks(used(Use.INJECTED, "m1"))
        assert two.window_recall(W).used == {}
    assert two.fold_marks() == 0
    assert one.fold_marks() == 1


SCOPES = (GLOBAL, UNSET, Scope.of("p1"), Scope.of("p1", "p2"), Scope.of("p10"))
MEMORIES = st.lists(
    st.builds(
        known,
        st.sampled_from([f"m{n}" for n in range(8)]),
        layer=st.sampled_from([Layer.PROJECT, Layer.RULES]),
        status=st.sampled_from(Status),
        subcategory=st.sampled_from([None, Subcategory.TODO]),
        scope=st.sampled_from(SCOPES),
        importance=st.integers(1, 4),
        as_of=st.integers(0, 3),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@settings(max_examples=60)
@given(MEMORIES, st.sampled_from([None, "p1", "p2", "p10"]), st.integers(1, 4), st.integers(0, 4))
def test_the_store_finds_what_reading_everything_finds(
    memories: list[Memory], named: str | None, importance: int, limit: int
) -> None:
    store = in_memory()
    for name in ("p1", "p2", "p10"):
        project(store, name)
    keep(store, *memories)
    weighty = [
        one
        for one in memories
        if one.layer is Layer.RULES
        and one.status is Status.ACTIVE
        and one.importance >= importance
        and covers(one.scope, named)
    ]
    weighty.sort(key=lambda one: (-one.importance, -one.as_of, one.id))
    asked = {"project": named, "importance": importance, "limit": limit}
    assert store.weightiest(Layer.RULES, **asked) == weighty[:limit]  # type: ignore[arg-type]
    naming = [
        one
        for one in memories
        if named in one.scope.projects
        and (one.status is Status.ACTIVE or (one.status, one.subcategory) == DONE)
    ]
    naming.sort(key=lambda one: one.id, reverse=True)
    naming.sort(key=lambda one: one.as_of, reverse=True)
    assert store.naming([named] if named else [], limit) == naming[:limit]
    live = {
        one
        for memory in memories
        if memory.status is Status.ACTIVE
        for one in memory.scope.projects
    }
    assert [one.id for one in store.live_projects()] == sorted(live)
    store.close()


DONE = (Status.STALE, Subcategory.TODO)
