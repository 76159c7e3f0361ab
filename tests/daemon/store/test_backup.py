"""Backup and restore: whole, verified, private, and never over something else."""

from __future__ import annotations

import resource
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.errors import (
    BusyError,
    StoreError,
    StoreUnavailableError,
    UsageError,
)
from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store, restore, verify
from support.stores import (
    NOW,
    SqliteFactory,
    change,
    commit_of,
    dreamed,
    dreaming,
    memory,
    put,
    quote,
    said,
    stage_all,
)

Look = Callable[[Path], Store]

KEPT = "memory.db.before-restore-20261201T000000Z"


@pytest.fixture
def look() -> Iterator[Look]:
    """Opens stores that are closed after the test."""
    with ExitStack() as stack:

        def opened(path: Path) -> Store:
            store = open_store(
                path, "garden", clock=ManualClock(NOW), failpoints=NoFailpoints(), create=False
            )
            return stack.enter_context(closing(store))

        yield opened


def put_back(backup: Path, target: Path) -> Path | None:
    return restore(backup, target, clock=ManualClock(NOW))


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 4 : 4096 * 6] = b"\xff" * (4096 * 2)
    path.write_bytes(content)


@pytest.fixture
def backup(factory: SqliteFactory, tmp_path: Path) -> Path:
    """A copy with one memory; the store itself has gone on to a second window since."""
    store = factory.open()
    dreamed(store, change(None, memory(), quote()))
    store.backup(tmp_path / "copy.db")
    put(store, said("4"))
    tmp_path.chmod(0o700)
    return tmp_path / "copy.db"


def test_a_backup_is_whole_private_and_sound(backup: Path, look: Look) -> None:
    assert verify(backup) == []
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert look(backup).memories() == [memory()]
    assert look(backup).evidence(["m1"]) == [quote()]
    assert [path.name for path in backup.parent.iterdir() if path.name.startswith("copy")] == [
        "copy.db"
    ]


def test_a_backup_never_replaces_a_file(factory: SqliteFactory, tmp_path: Path) -> None:
    store = factory.open()
    (tmp_path / "mine.txt").write_text("mine")
    for target in (tmp_path / "mine.txt", factory.path):
        with pytest.raises(UsageError, match="exists"):
            store.backup(target)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_backup_that_cannot_be_written_is_not_now(factory: SqliteFactory, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError) as caught:
        factory.open().backup(tmp_path / "missing" / "copy.db")
    assert caught.value.hint


def test_no_room_for_a_copy_names_the_copy_and_not_the_store(
    factory: SqliteFactory, tmp_path: Path
) -> None:
    store = factory.open()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (factory.path.stat().st_size // 2, before[1]))
    try:
        with pytest.raises(
            StoreUnavailableError, match=r"full\.db\.unfinished cannot be"
        ) as caught:
            store.backup(tmp_path / "full.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.hint == f"df {tmp_path}"
    assert not list(tmp_path.glob("full.db*"))


def test_nothing_is_backed_up_where_no_store_is(tmp_path: Path, look: Look) -> None:
    with pytest.raises(UsageError):
        look(tmp_path / "memory.db").backup(tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_not_passed_on(
    factory: SqliteFactory, tmp_path: Path, look: Look
) -> None:
    put(factory.open(), *(said(str(n), "x" * 500) for n in range(100)))
    factory.close()
    damage(factory.path)
    with pytest.raises(StoreError, match="damaged"):
        look(factory.path).backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_a_restore_brings_back_the_backup_and_keeps_what_was(
    factory: SqliteFactory, backup: Path, look: Look
) -> None:
    kept = put_back(backup, factory.path)
    assert kept == factory.path.with_name(KEPT)
    assert len(look(factory.path).events("event:a")) == 3
    assert len(look(kept).events("event:a")) == 4
    assert stat.S_IMODE(factory.path.stat().st_mode) == 0o600
    assert look(factory.path).violations() == []
    assert backup.exists()
    assert not factory.path.with_name("memory.db.restored").exists()


def test_whoever_had_the_old_file_open_is_told(factory: SqliteFactory, backup: Path) -> None:
    old = factory.open()
    put_back(backup, factory.path)
    with pytest.raises(StoreUnavailableError, match="replaced"):
        put(old, said("5"))


def test_a_restore_where_the_folder_is_gone(backup: Path, tmp_path: Path, look: Look) -> None:
    target = tmp_path / "work" / ".memgarden" / "memory.db"
    assert put_back(backup, target) is None
    assert look(target).memories() == [memory()]
    assert look(target).violations() == []
    assert (target.parent / ".gitignore").read_text() == "*\n"


def test_a_restore_that_cannot_be_written_is_not_now(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailableError) as caught:
        put_back(backup, tmp_path / "file" / "memory.db")
    assert caught.value.hint


def test_a_restore_where_nothing_was(backup: Path, tmp_path: Path, look: Look) -> None:
    assert put_back(backup, tmp_path / "new.db") is None
    assert look(tmp_path / "new.db").memories() == [memory()]


@pytest.mark.parametrize("ruin", ["text", "empty", "pages", "all pages", "half", "few bytes"])
def test_a_restore_over_a_ruin(factory: SqliteFactory, backup: Path, ruin: str, look: Look) -> None:
    factory.close()
    journal = factory.path.with_name("memory.db-journal")
    journal.write_bytes(b"what belongs to the ruin")
    content = factory.path.read_bytes()
    pages = len(content) - 4096
    ruins = {
        "text": b"ruin" * 200,
        "empty": b"",
        "pages": content[:8192] + b"\xff" * 8192 + content[16384:],
        "all pages": content[:4096] + b"\xff" * pages,
        "half": content[: len(content) // 2],
        "few bytes": content[:50],
    }
    factory.path.write_bytes(ruins[ruin])
    before = factory.path.read_bytes()
    kept = put_back(backup, factory.path)
    assert kept is not None
    assert kept.read_bytes() == before
    assert not journal.exists() or journal.stat().st_size == 0
    if ruin == "empty":  # never opened; in the other cases SQLite has dealt with the journal
        kept_journal = kept.with_name(f"{kept.name}-journal")
        assert kept_journal.read_bytes() == b"what belongs to the ruin"
    assert look(factory.path).memories() == [memory()]
    assert look(factory.path).violations() == []


def test_no_restore_while_a_dream_runs(factory: SqliteFactory, tmp_path: Path) -> None:
    store = factory.open()
    store.backup(tmp_path / "copy.db")
    lease = dreaming(store)
    with pytest.raises(BusyError, match="d1") as caught:
        put_back(tmp_path / "copy.db", factory.path)
    assert caught.value.hint
    assert not factory.path.with_name(KEPT).exists()
    stage_all(store, lease)
    store.commit(commit_of(lease))
    assert put_back(tmp_path / "copy.db", factory.path) is not None


def _newer(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 999")
    raw.close()


def _foreign(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA application_id = 5")
    raw.close()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.write_text("x" * 5000), "not a memgardend store"),
        (lambda path: path.write_text(""), "empty"),
        (damage, "damaged"),
        (_newer, "has schema 999"),
        (_foreign, "not a memgardend store"),
    ],
    ids=["text", "empty", "pages", "newer", "foreign"],
)
def test_what_is_no_sound_backup_is_refused(
    factory: SqliteFactory, backup: Path, make: object, says: str, look: Look
) -> None:
    make(backup)  # type: ignore[operator]
    with pytest.raises(StoreError, match=says):
        put_back(backup, factory.path)
    assert len(look(factory.path).events("event:a")) == 4
    assert not factory.path.with_name(KEPT).exists()


def test_a_backup_that_does_not_exist(factory: SqliteFactory, tmp_path: Path) -> None:
    factory.open()
    with pytest.raises(UsageError, match="does not exist"):
        put_back(tmp_path / "none.db", factory.path)


def test_a_target_that_is_a_link_is_not_followed(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "memory.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="link"):
        put_back(backup, tmp_path / "memory.db")
    assert not (tmp_path / "elsewhere").exists()
