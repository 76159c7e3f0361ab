"""Migrations: all pending steps in one transaction, a copy first, safe when several start at once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memgardend.core.errors import StoreError
from memgardend.core.ports import Failpoints
from memgardend.daemon.failpoints import FailpointError, NoFailpoints, SetFailpoint
from memgardend.daemon.store import sqlite as opening
from memgardend.daemon.store import verify
from memgardend.daemon.store.driver import APPLICATION_ID, Database, Transaction
from memgardend.daemon.store.migrations import MIGRATIONS, initialise, migrate
from support.stores import SqliteFactory, put, said


def _second(transaction: Transaction) -> None:
    transaction.execute("ALTER TABLE projects ADD COLUMN colour TEXT")


def _third(transaction: Transaction) -> None:
    transaction.execute("UPDATE projects SET colour = 'green'")


STEPS = (*MIGRATIONS, _second, _third)


def version(path: Path) -> int:
    raw = sqlite3.connect(path)
    (found,) = raw.execute("PRAGMA user_version").fetchone()
    raw.close()
    return int(found)


def columns(path: Path) -> set[str]:
    raw = sqlite3.connect(path)
    found = {row[1] for row in raw.execute("PRAGMA table_info(projects)")}
    raw.close()
    return found


def run(path: Path, saved: list[int], failpoints: Failpoints | None = None) -> None:
    database = Database.open(path)
    try:
        migrate(database, failpoints or NoFailpoints(), save=saved.append, steps=STEPS)
    finally:
        database.close()


@pytest.fixture
def path(factory: SqliteFactory) -> Path:
    """A store at the newest version with an event in it."""
    put(factory.open(), said("1"))
    factory.close()
    return factory.path


def test_a_new_store_is_ours_and_at_the_newest_version(path: Path) -> None:
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    raw.close()
    assert version(path) == len(MIGRATIONS)


def test_pending_steps_run_once_after_a_copy(path: Path) -> None:
    saved: list[int] = []
    run(path, saved)
    run(path, saved)
    assert saved == [len(MIGRATIONS)]
    assert version(path) == len(STEPS)
    assert "colour" in columns(path)


@pytest.mark.parametrize("passing", [1, 2])
def test_a_crash_between_steps_leaves_the_old_store(path: Path, passing: int) -> None:
    with pytest.raises(FailpointError):
        run(path, [], SetFailpoint("migrate.inside", passing, "raise"))
    assert version(path) == len(MIGRATIONS)
    assert "colour" not in columns(path)
    run(path, [])
    assert version(path) == len(STEPS)


def test_a_copy_that_fails_stops_the_migration(path: Path) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    database = Database.open(path)
    with pytest.raises(OSError, match="No space"):
        migrate(database, NoFailpoints(), save=full, steps=STEPS)
    database.close()
    assert version(path) == len(MIGRATIONS)


def test_the_second_of_two_finds_the_work_done(path: Path) -> None:
    """Both read the old version; the write lock lets one migrate, the other reads it again."""
    saved: list[int] = []

    def meanwhile(old: int) -> None:
        saved.append(old)

    slow = Database.open(path)
    original = slow.write

    def delayed() -> object:
        run(path, saved)
        return original()

    slow.write = delayed  # type: ignore[method-assign,assignment]
    migrate(slow, NoFailpoints(), save=meanwhile, steps=STEPS)
    slow.close()
    assert saved == [len(MIGRATIONS)]
    assert version(path) == len(STEPS)


def test_a_newer_store_is_refused(path: Path) -> None:
    run(path, [])
    database = Database.open(path)
    with pytest.raises(
        StoreError, match=f"has schema {len(STEPS)}, this program knows {len(MIGRATIONS)}"
    ) as caught:
        migrate(database, NoFailpoints())
    database.close()
    assert caught.value.hint == "pip install --upgrade memgardend"


@pytest.mark.parametrize("wrong", [0, -3])
def test_a_store_without_a_version_is_damaged_and_not_migrated(path: Path, wrong: int) -> None:
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {wrong}")
    raw.close()
    database = Database.open(path)
    with pytest.raises(StoreError, match="is damaged") as caught:
        migrate(database, NoFailpoints())
    database.close()
    assert caught.value.hint == "memgardend restore BACKUP"


def test_a_migration_that_fails_again_and_again_does_not_fill_the_disk_with_copies(
    path: Path, factory: SqliteFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(database: Database, failpoints: Failpoints, *, save: object) -> None:
        stop = SetFailpoint("migrate.inside", 1, "raise")
        migrate(database, stop, save=save, steps=STEPS)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "migrate", failing)
    for _ in range(2):
        with pytest.raises(FailpointError):
            factory.open()
    assert not list(path.parent.glob("*before-migration*"))


def test_opening_an_old_store_keeps_a_sound_copy_beside_it(
    path: Path, factory: SqliteFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(database: Database, failpoints: Failpoints, *, save: object) -> None:
        migrate(database, failpoints, save=save, steps=STEPS)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "migrate", newer)
    assert len(factory.open().events("event:a")) == 1
    copy = path.with_name(f"memory.db.before-migration-{len(MIGRATIONS)}-20261201T000000Z")
    assert (version(path), version(copy)) == (len(STEPS), len(MIGRATIONS))
    assert verify(copy) == []


def test_a_fresh_schema_has_every_table_strict_and_keyed_by_garden() -> None:
    database = Database.open(None)
    initialise(database, NoFailpoints())
    tables = [
        row
        for row in database.read("PRAGMA table_list")
        if row["type"] == "table" and not row["name"].startswith("sqlite_")
    ]
    assert {row["name"] for row in tables} == {
        "projects",
        "windows",
        "events",
        "cursors",
        "memories",
        "memory_use",
        "evidence",
        "memory_versions",
        "dreams",
        "dream_rounds",
        "recalls",
        "receipts",
        "window_memories",
        "window_projects",
        "window_recall",
        "idempotency",
        "garden_state",
        "index_state",
        "index_memories",
        "index_contents",
        "index_terms",
        "index_postings",
        "index_cues",
        "index_queue",
    }
    assert all(row["strict"] for row in tables)
    for row in tables:
        if row["name"] in ("index_postings", "index_cues", "index_contents"):
            continue  # its numbers are those of a garden's terms
        assert "garden" in {c["name"] for c in database.read(f"PRAGMA table_info({row['name']})")}
    database.close()
