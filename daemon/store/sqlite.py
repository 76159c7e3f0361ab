"""The store of one garden in SQLite: all parts together, and how it is opened."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memgardend.daemon.store.backlog import Backlog
from memgardend.daemon.store.backup import BackUp, copy_whole
from memgardend.daemon.store.commit import Commit
from memgardend.daemon.store.cursors import Cursors
from memgardend.daemon.store.dreams import Dreams
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.edits import Editing
from memgardend.daemon.store.folder import create_store_file, is_store_file, time_stamp
from memgardend.daemon.store.index import Index
from memgardend.daemon.store.index_rows import catch_up
from memgardend.daemon.store.invariants import Invariants
from memgardend.daemon.store.leases import Leases
from memgardend.daemon.store.memories import Memories
from memgardend.daemon.store.migrations import initialise, migrate
from memgardend.daemon.store.recall import RecallState
from memgardend.daemon.store.recalls import Recalls
from memgardend.daemon.store.receipts import Receipts
from memgardend.daemon.store.retention import Retention
from memgardend.daemon.store.rounds import Rounds
from memgardend.daemon.store.state import State
from memgardend.daemon.store.windows import Windows

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Failpoints


class SqliteGarden(
    Windows,
    Backlog,
    Cursors,
    Dreams,
    Leases,
    Rounds,
    Receipts,
    Commit,
    Editing,
    Memories,
    Index,
    RecallState,
    Recalls,
    State,
    Invariants,
    BackUp,
    Retention,
):
    """`core.ports.Store` over one connection. For one thread; open another for another."""

    def __init__(self, database: Database, garden: str, failpoints: Failpoints) -> None:
        super().__init__(database, garden, failpoints)
        database.before_commit = catch_up  # whoever writes memories, the index follows

    def set_patience(self, milliseconds: int) -> None:
        self._database.set_patience(milliseconds)

    def shrink(self) -> None:
        self._database.shrink()

    def close(self) -> None:
        self._database.close()


def open_store(
    path: Path,
    garden: str,
    *,
    clock: Clock,
    failpoints: Failpoints,
    create: bool,
    own_folder: bool = True,
) -> SqliteGarden:
    """Open the store file, bringing it to the newest schema (a copy is kept beside it first).

    Without a file: makes one when `create` (and its folder private, unless that is not our own), else answers
    as an empty store and touches nothing.
    Raises StoreError for a file that is no store of ours, damaged or newer; StoreUnavailableError
    when it cannot be read or written now.
    """
    if not is_store_file(path):
        if not create:
            return _in_memory(garden, failpoints)
        create_store_file(path, partial(_build, failpoints=failpoints), own_folder=own_folder)
    database = Database.open(path)
    copies: list[Path] = []
    try:
        migrate(
            database,
            failpoints,
            save=lambda version: copies.append(_save_before_migration(path, clock, version)),
        )
    except BaseException:
        database.close()
        for copy in copies:  # the store is as it was; try after try they would fill the disk
            copy.unlink()
        raise
    return SqliteGarden(database, garden, failpoints)


def open_rehearsal(path: Path, garden: str, *, failpoints: Failpoints) -> SqliteGarden:
    """The store as it is now, in memory: what a dry run may write to. The file is only read."""
    if not is_store_file(path):
        return _in_memory(garden, failpoints)
    database = Database.copy_of(path)
    migrate(database, failpoints)
    return SqliteGarden(database, garden, failpoints)


def _in_memory(garden: str, failpoints: Failpoints) -> SqliteGarden:
    database = Database.open(None)
    initialise(database, failpoints)
    return SqliteGarden(database, garden, failpoints)


def _build(path: Path, *, failpoints: Failpoints) -> None:
    database = Database.open(path)
    try:
        initialise(database, failpoints)
    finally:
        database.close()


def _save_before_migration(path: Path, clock: Clock, version: int) -> Path:
    copy = path.with_name(f"{path.name}.before-migration-{version}-{time_stamp(clock)}")
    copy_whole(path, copy)
    return copy
