"""Copies of a whole store: taken while others work, checked, and put back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memgardend.core.errors import BusyError, StoreError, UsageError
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.folder import (
    disk_errors,
    is_file,
    is_store_file,
    make_folder,
    new_file,
    sync,
    time_stamp,
)
from memgardend.daemon.store.invariants import damage, every_violation
from memgardend.daemon.store.migrations import MIGRATIONS, require_known
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.core.records import Violation

_RUNNING = "SELECT id FROM dreams WHERE state = 'running'"


class BackUp(Part):
    """Backing up the store that is open."""

    def backup(self, target: Path) -> None:
        """A verified copy under a new name, complete or absent. It holds all gardens of the store.

        Raises UsageError when the target exists; StoreError when the copy is damaged.
        """
        if self._database.path is None:
            raise UsageError("there is no store to back up", hint="memgardend run --once")
        _copy(self._database, target)


def copy_whole(path: Path, target: Path) -> None:
    """A verified copy of the store at `path`. Raises as `SqliteGarden.backup` does."""
    database = Database.open(path)
    try:
        _copy(database, target)
    finally:
        database.close()


def verify(path: Path) -> Sequence[Violation]:
    """Everything that is wrong with a store file, all its gardens included.

    Raises StoreError when it is no store of this program, or one of a newer program.
    """
    database = _open_existing(path)
    try:
        return every_violation(database)
    finally:
        database.close()


def restore(backup: Path, target: Path, *, clock: Clock) -> Path | None:
    """Put a verified copy of `backup` in the place of `target`; where the replaced store is kept.

    Raises StoreError for a backup that is no sound store, BusyError while a dream runs in the target.
    """
    source = _open_existing(backup)
    try:
        found = damage(source)
        if found:
            raise StoreError(f"{backup} is damaged: {found[0].detail}", hint="use another backup")
        make_folder(target.parent)
        fresh = target.with_name(f"{target.name}.restored")
        with disk_errors(target), new_file(fresh):
            _fill(source, fresh)
            return _replace(target, fresh, clock)
    finally:
        source.close()


def _replace(target: Path, fresh: Path, clock: Clock) -> Path | None:
    """Swap the files while no writer is at work: the next one finds that its file was replaced."""
    if not is_file(target):
        fresh.rename(target)
        sync(target.parent)
        return None
    kept = target.with_name(f"{target.name}.before-restore-{time_stamp(clock)}")
    database = _readable(target)
    if database is None:
        _swap(target, fresh, kept)
        return kept
    try:
        with database.write() as transaction:
            running = transaction.one(_RUNNING)
            if running is not None:
                raise BusyError(
                    f"dream {running['id']} runs in {target}",
                    hint="memgardend run --once, and restore when it is done",
                )
            _swap(target, fresh, kept)
    finally:
        database.close()
    return kept


def _readable(target: Path) -> Database | None:
    """The store at `target`; None for a ruin, which is what a restore is for."""
    try:
        database = _open_existing(target)
    except StoreError:
        return None
    try:
        database.read(_RUNNING)
    except StoreError:
        database.close()
        return None
    return database


def _swap(target: Path, fresh: Path, kept: Path) -> None:
    kept.hardlink_to(target)
    # A journal belongs to the file beside which it was written: it must not meet the new one.
    journal = target.with_name(f"{target.name}-journal")
    if journal.exists() and journal.stat().st_size > 0:
        journal.rename(kept.with_name(f"{kept.name}-journal"))
    fresh.replace(target)
    sync(target.parent)


def _copy(database: Database, target: Path) -> None:
    if os.path.lexists(target):
        raise UsageError(f"{target} exists", hint="name a file that does not exist yet")
    unfinished = target.with_name(f"{target.name}.unfinished")
    with disk_errors(target):
        with new_file(unfinished):
            _fill(database, unfinished)
            unfinished.rename(target)
        sync(target.parent)


def _fill(database: Database, target: Path) -> None:
    """Copy into an empty file and prove that the copy is sound."""
    database.backup_into(target)
    sync(target)
    copy = Database.open(target)
    try:
        require_known(copy, len(MIGRATIONS))
        found = damage(copy)
    finally:
        copy.close()
    if found:
        raise StoreError(f"{database.path} is damaged: {found[0].detail}", hint="memgardend doctor")


def _open_existing(path: Path) -> Database:
    if not is_store_file(path):
        raise UsageError(f"{path} does not exist", hint=f"ls {path.parent}")
    database = Database.open(path)
    try:
        require_known(database, len(MIGRATIONS))
    except BaseException:
        database.close()
        raise
    return database
