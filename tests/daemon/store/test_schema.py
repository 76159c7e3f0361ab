"""What the schema itself holds: views as the ancestor's tables, and rows that never change."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from memgardend.core.records import Project
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Subcategory
from support.stores import NOW, SqliteFactory, change, dreamed, memory, quote

COMMON = [
    "id",
    "title",
    "content",
    "importance",
    "keywords",
    "status",
    "source_session",
    "hit_count",
    "created_at",
    "updated_at",
    "last_accessed_at",
]
VIEWS = {
    "soul": [*COMMON, "garden"],
    "user": [*COMMON, "garden"],
    "project": [*COMMON, "project", "subcategory", "garden"],
    "fact": [*COMMON, "project", "garden"],
    "lesson": [*COMMON, "corrected", "project", "garden"],
    "topic": [*COMMON, "goal", "project", "garden"],
    "rules": [*COMMON, "project", "garden"],
}


def raw(factory: SqliteFactory) -> sqlite3.Connection:
    connection = sqlite3.connect(factory.path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


@pytest.mark.parametrize("layer", Layer)
def test_a_view_shows_its_layer_as_the_ancestor_did(factory: SqliteFactory, layer: Layer) -> None:
    shown = memory(
        "m1",
        layer=layer,
        keywords=("a", "b"),
        importance=3,
        source_window="event:a",
        updated_at=NOW + 1,
        subcategory=Subcategory.OPS,
        goal="goal",
        corrected=True,
        scope=GLOBAL,
    )
    others = [memory(f"x-{one}", layer=one) for one in Layer if one is not layer]
    dreamed(factory.open(), *(change(None, one) for one in (shown, *others)))
    connection = raw(factory)
    (row,) = connection.execute(f"SELECT * FROM {layer}").fetchall()
    connection.close()
    assert list(row.keys()) == VIEWS[layer]
    found = dict(row)
    assert (found["id"], found["content"], found["keywords"]) == ("m1", "content m1", '["a","b"]')
    assert (found["importance"], found["status"]) == (3, "active")
    assert (found["source_session"], found["garden"]) == ("event:a", "garden")
    assert (found["created_at"], found["updated_at"]) == (NOW, NOW + 1)
    assert (found["hit_count"], found["last_accessed_at"]) == (0, None)
    own = {"project": "global", "subcategory": "ops", "goal": "goal", "corrected": 1}
    assert {name: own[name] for name in own if name in found} == {
        name: found[name] for name in own if name in found
    }


@pytest.mark.parametrize(
    ("scope", "text"),
    [(GLOBAL, "global"), (UNSET, None), (Scope.of("p1"), "app"), (Scope.of("p1", "p2"), "app,web")],
    ids=["global", "unset", "one", "two"],
)
def test_a_view_names_projects(factory: SqliteFactory, scope: Scope, text: str | None) -> None:
    store = factory.open()
    store.ensure_project(Project(id="p2", name="web", root="/web"))
    store.ensure_project(Project(id="p1", name="app", root="/app"))
    store.ensure_project(Project(id="p", name="shorter id", root="/p"))
    dreamed(store, change(None, memory(scope=scope)))
    connection = raw(factory)
    assert connection.execute("SELECT project FROM fact").fetchone()[0] == text
    connection.close()


def test_the_view_of_projects_has_no_null_for_a_project(factory: SqliteFactory) -> None:
    """The ancestor's column was NOT NULL, with nothing in it where nobody knew."""
    dreamed(factory.open(), change(None, memory(layer=Layer.PROJECT, scope=UNSET)))
    connection = raw(factory)
    assert connection.execute("SELECT project FROM project").fetchone()[0] == ""
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET text = 'other'",
        "UPDATE events SET role = 'own'",
        "UPDATE memory_versions SET reason = 'other'",
        "DELETE FROM memory_versions",
        "DELETE FROM memory_versions WHERE revision = 2",
    ],
)
def test_history_never_changes(factory: SqliteFactory, statement: str) -> None:
    one = memory()
    dreamed(
        factory.open(), change(None, one, quote()), change(one, replace(one, revision=2, title="t"))
    )
    connection = raw(factory)
    with pytest.raises(sqlite3.IntegrityError, match=r"never change|append-only"):
        connection.execute(statement)
    connection.close()


def test_a_purge_takes_the_history_with_the_memory(factory: SqliteFactory) -> None:
    dreamed(factory.open(), change(None, memory(), quote()))
    connection = raw(factory)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")
    for table, column in (
        ("evidence", "memory"),
        ("window_memories", "memory"),
        ("memories", "id"),
        ("memory_versions", "memory"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} = 'm1'")
    connection.execute("COMMIT")
    connection.close()
    assert factory.open().violations() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE dreams SET state = 'running'",
        "UPDATE dreams SET state = 'done'",
        "UPDATE dreams SET finished_at = NULL",
        "UPDATE windows SET dreamed_seq = 99",
        "UPDATE memories SET importance = 5",
        "UPDATE memories SET layer = 'other'",
        "UPDATE memories SET revision = 'two'",
    ],
)
def test_the_schema_refuses_what_cannot_be(factory: SqliteFactory, statement: str) -> None:
    dreamed(factory.open(), change(None, memory()))
    connection = raw(factory)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()


def test_a_second_open_dream_of_a_window_is_refused_by_the_index(factory: SqliteFactory) -> None:
    dreamed(factory.open())
    connection = raw(factory)
    insert = """INSERT INTO dreams (garden, id, window, state, next_attempt_at, created_at)
        VALUES ('garden', ?, 'event:a', 'pending', 1, 1)"""
    connection.execute(insert, ["x1"])
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        connection.execute(insert, ["x2"])
    connection.close()
