"""Conformance: edits by request are written whole, once, at the revision they were judged at."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace

import pytest

from memgardend.core.errors import StoreError
from memgardend.core.ports import GardenView, Store
from memgardend.core.ports.library import IdempotencyConflict, RevisionConflict
from memgardend.core.records import EditRequest, Edits, Memory, MemoryEdit, Project
from memgardend.core.words import Status
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from support.stores import NOW, SqliteFactory, change, dreamed, memory, quote

ONE = memory("m1")


def request(key: str = "k", **fields: object) -> EditRequest:
    plain: dict[str, object] = {"digest": "d", "actor": "library", "at": NOW}
    return EditRequest(key=key, **{**plain, **fields})  # type: ignore[arg-type]


def edit(before: Memory | None, after: Memory | None, reason: str | None = None) -> MemoryEdit:
    return MemoryEdit(before=before, after=after, operation="add", reason=reason)


def writing(*edits: MemoryEdit, **fields: object) -> Callable[[GardenView], Edits]:
    plain: dict[str, object] = {"result": "done", "moved": bool(edits)}
    return lambda _: Edits(edits=edits, **{**plain, **fields})  # type: ignore[arg-type]


def never(view: GardenView) -> Edits:
    raise AssertionError("asked although there was nothing to decide")


def test_an_edit_writes_memory_history_state_and_revision(store: Store) -> None:
    made = store.edit(request(), writing(edit(None, ONE, "why"), state={"library.x": "1"}))
    assert made == "done"
    assert store.memories() == [ONE]
    [version] = store.versions("m1")
    assert (version.before, version.after, version.operation) == (None, ONE, "add")
    assert (version.actor, version.reason, version.dream, version.at) == (
        "library",
        "why",
        None,
        NOW,
    )
    assert (store.state("library.x"), store.state("revision")) == ("1", "1")
    later = replace(ONE, content="later", revision=2)
    store.edit(request("k2"), writing(edit(ONE, later), state={"library.x": "2"}))
    assert (store.memories(), store.state("library.x")) == ([later], "2")
    assert len(store.versions("m1")) == 2
    assert store.violations() == []


def test_edits_that_move_nothing_keep_the_revision(store: Store) -> None:
    store.edit(request(), writing())
    assert store.state("revision") is None


def test_a_key_is_written_once(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    one.edit(request(), writing(edit(None, ONE)))
    assert two.edit(request(expected_revision=99), never) == "done"
    with pytest.raises(IdempotencyConflict):
        two.edit(request(digest="other"), never)
    assert two.remembered("k", "d") == "done"


def test_a_key_is_free_again_after_its_time(store: Store) -> None:
    store.edit(request(), writing())
    assert store.edit(request("k2", forget_before=NOW), writing()) == "done"
    assert store.edit(request(forget_before=NOW), never) == "done"
    store.edit(request("k3", at=NOW + 1, forget_before=NOW + 1), writing())
    assert store.edit(request(digest="other"), writing(result="anew")) == "anew"


def test_a_garden_forgets_its_own_keys_only(factory: SqliteFactory) -> None:
    one, two = factory.open("one"), factory.open("two")
    one.edit(request(), writing())
    two.edit(request("k2", forget_before=NOW + 1), writing())
    assert one.edit(request(), never) == "done"


def test_a_stale_revision_writes_nothing(store: Store) -> None:
    store.edit(request(), writing(edit(None, ONE)))
    with pytest.raises(RevisionConflict) as conflict:
        store.edit(request("k2", expected_revision=0), never)
    assert (conflict.value.expected, conflict.value.current) == ("0", "1")
    assert store.edit(request("k2", expected_revision=1), writing()) == "done"


def test_a_dream_moves_the_revision_too(store: Store) -> None:
    dreamed(store, change(None, ONE))
    with pytest.raises(RevisionConflict):
        store.edit(request(expected_revision=0), never)


@pytest.mark.parametrize("failing", ["decide", "write", "inside"])
def test_what_fails_leaves_nothing(factory: SqliteFactory, failing: str) -> None:
    fine = factory.open()
    broken = factory.open(failpoints=SetFailpoint("edit.inside", 1, "raise"))
    fine.edit(request(), writing(edit(None, ONE)))
    two = memory("m2")
    with pytest.raises((FailpointError, AssertionError, StoreError)):
        if failing == "decide":
            fine.edit(request("k2"), never)
        elif failing == "write":  # the second edit no longer fits
            stale = edit(replace(ONE, revision=7), replace(ONE, revision=8))
            fine.edit(request("k2"), writing(edit(None, two), stale, state={"s": "1"}))
        else:
            broken.edit(request("k2"), writing(edit(None, two), state={"s": "1"}))
    assert (fine.memories(), fine.state("s"), fine.state("revision")) == ([ONE], None, "1")
    assert fine.edit(request("k2", digest="other"), writing(edit(None, two))) == "done"


def test_a_removed_memory_leaves_nothing_behind(factory: SqliteFactory) -> None:
    store = factory.open()
    dreamed(store, change(None, ONE, quote()), change(None, memory("m2"), quote("m2")))
    with sqlite3.connect(factory.path) as raw:
        raw.execute("INSERT INTO memory_use (garden, memory, hits) VALUES ('garden', 'm1', 3)")
    raw.close()
    store.edit(request(), writing(edit(ONE, None)))
    assert store.memories() == [memory("m2")]
    assert (store.versions("m1"), store.evidence(["m1"])) == ([], [])
    assert store.window_memory_ids("event:a") == ["m2"]
    assert (len(store.versions("m2")), len(store.evidence(["m2"]))) == (1, 1)
    assert store.violations() == []


def test_the_view_inside_an_edit(store: Store) -> None:
    old = replace(memory("old"), status=Status.ARCHIVED, superseded_by="m1")
    store.edit(request(), writing(edit(None, ONE), edit(None, old), state={"s": "1"}))

    def look(view: GardenView) -> Edits:
        assert (view.revision, view.state("s"), view.state("t")) == (1, "1", None)
        assert (view.memory("m1"), view.memory("nobody")) == (ONE, None)
        assert (list(view.replaced_by("m1")), view.active_ids()) == (["old"], frozenset({"m1"}))
        return Edits(edits=(), result="looked", moved=False)

    assert store.edit(request("k2"), look) == "looked"


def test_a_reading_is_of_one_moment(store: Store) -> None:
    old = replace(memory("old"), status=Status.ARCHIVED)
    state = {"library.a": "1", "other": "2"}
    store.edit(request(), writing(edit(None, ONE), edit(None, old), state=state))
    reading = store.read_garden(statuses=(Status.ACTIVE,), state_prefix="library.")
    assert (reading.revision, reading.memories) == (1, (ONE,))
    assert reading.state == {"library.a": "1"}
    assert store.read_garden(ids=("old",), state_prefix="x").memories == (old,)


def test_an_edit_without_a_key_keeps_nothing_of_the_request(store: Store) -> None:
    asked = replace(request(), key=None, digest="")
    store.edit(asked, writing(edit(None, ONE)))
    store.edit(asked, writing(edit(None, memory("m2"))))
    assert [one.id for one in store.memories()] == ["m1", "m2"]


def test_an_edit_brings_quotes_projects_and_who_wrote_it(store: Store) -> None:
    project = Project(id="p", name="shop")
    made = replace(edit(None, ONE), evidence=(quote("m1"),))
    store.edit(replace(request(), window="event:w"), writing(made, projects=(project,)))
    assert (store.projects(), store.evidence(["m1"])) == ([project], [quote("m1")])
    assert store.window_memory_ids("event:w") == ["m1"]
    store.edit(request("k2"), writing(projects=(replace(project, name="other"),)))
    assert store.projects() == [project]
