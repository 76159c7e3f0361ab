"""Conformance: reading memories, evidence, history and projects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memgardend.core.ports import Store
from memgardend.core.records import Memory, Project
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Status, Subcategory
from support.stores import NOW, SqliteFactory, change, dreamed, memory, quote

FULL = Memory(
    id="full",
    layer=Layer.PROJECT,
    content="Ünïcode — 你好\nsecond line",
    title="a title",
    keywords=("one", "二"),
    keywords_auto=True,
    importance=4,
    status=Status.STALE,
    status_at=NOW - 1,
    scope=Scope.of("p2", "p1"),
    bucket="bucket",
    threads=("t1", "t2"),
    origin="chat-import",
    subcategory=Subcategory.TODO,
    goal="a goal",
    corrected=True,
    card='{"importance":7}',
    source_window="event:a",
    created_at=NOW - 5,
    updated_at=NOW - 4,
    as_of=NOW - 3,
    occurred_at=NOW - 9,
    superseded_by=None,
)


def test_a_memory_comes_back_as_it_went_in(store: Store) -> None:
    dreamed(store, change(None, FULL))
    assert store.memory("full") == FULL
    assert store.versions("full")[0].after == FULL


@pytest.mark.parametrize("scope", [GLOBAL, UNSET, Scope.of("p1"), Scope.of("b", "a")])
def test_every_scope_comes_back(store: Store, scope: Scope) -> None:
    dreamed(store, change(None, memory(scope=scope)))
    found = store.memory("m1")
    assert found is not None
    assert found.scope == scope


def test_memories_are_ordered_and_filtered(store: Store) -> None:
    late = memory("a", created_at=NOW + 1, layer=Layer.RULES)
    archived = memory("b", status=Status.ARCHIVED)
    plain = memory("c")
    dreamed(store, *(change(None, one) for one in (late, archived, plain)))
    assert store.memories() == [archived, plain, late]
    assert store.memories(ids=["c", "a", "unknown"]) == [plain, late]
    assert store.memories(ids=[]) == []
    assert store.memories(layers=[Layer.FACT]) == [archived, plain]
    assert store.memories(statuses=[Status.ACTIVE, Status.STALE]) == [plain, late]
    assert store.memories(ids=["b"], statuses=[Status.ACTIVE]) == []


def test_memories_are_found_by_prefix(store: Store) -> None:
    dreamed(store, change(None, memory("abc")), change(None, memory("abd")))
    assert store.find_memories("ab") == ["abc", "abd"]
    assert store.find_memories("abd") == ["abd"]
    assert store.find_memories("a%") == []


def test_evidence_is_ordered_by_memory_then_time(store: Store) -> None:
    proofs = [quote("m2", at=NOW - 9), quote("m2", "text", at=NOW - 99), quote("m1")]
    dreamed(store, change(None, memory("m1"), proofs[2]), change(None, memory("m2"), *proofs[:2]))
    assert store.evidence(["m2", "m1"]) == [proofs[2], proofs[1], proofs[0]]
    assert store.evidence(["m1"]) == [proofs[2]]
    assert store.evidence([]) == []


def test_inherited_evidence_names_its_origin(store: Store) -> None:
    proof = quote(inherited_from="m0")
    dreamed(store, change(None, memory(), proof))
    assert store.evidence(["m1"]) == [proof]


def test_archives_without_a_successor_are_counted_for_the_fuses(store: Store) -> None:
    names = ("plain", "replaced", "stale", "kept")
    made = {name: memory(name) for name in names}
    ended = {
        "plain": {"status": Status.ARCHIVED},
        "replaced": {"status": Status.ARCHIVED, "superseded_by": "kept"},
        "stale": {"status": Status.STALE},
    }
    steps = [change(None, one) for one in made.values()]
    for name, fields in ended.items():
        steps.append(change(made[name], replace(made[name], revision=2, **fields)))  # type: ignore[arg-type]
    dreamed(store, *steps)
    assert store.archived_since(NOW) == 1
    assert store.archived_since(NOW + 1000) == 1
    assert store.archived_since(NOW + 1001) == 0


def test_a_project_is_made_once_for_its_root(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    first = Project(id="p1", name="app", root="/app", remote="git:app", aliases=("a", "b"))
    assert one.ensure_project(first) == first
    assert two.ensure_project(Project(id="p2", name="other", root="/app")) == first
    assert (
        two.ensure_project(Project(id="p3", name="copy", root="/copy", remote="git:app")).id == "p3"
    )
    assert {project.id for project in one.projects()} == {"p1", "p3"}


def test_a_project_without_a_root_is_known_by_its_remote(store: Store) -> None:
    first = Project(id="p1", name="app", remote="git:app")
    assert store.ensure_project(first) == first
    assert store.ensure_project(Project(id="p2", name="again", remote="git:app")) == first
