"""Copies of a whole store: taken while others work, checked, and put back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memgardend.core.errors import BusyError, StoreError, StoreUnavailableError, UsageError
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.folder import is_file, is_store_file, new_file, sync, time_stamp
from memgardend.daemon.store.invariants import damage, every_violation
from memgardend.daemon.store.migrations import MIGRATIONS, require_known
from memgardend.daemon.store.part import Part

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memgardend.core.clock import Clock
    from memgardend.core.records import Violation


class BackUp(Part):
    """Backing up the store that is open."""

    def backup(self, target: Path) -> None:
        """A verified copy under a new name, complete or absent. It holds all gardens of the store.

        Raises UsageError when the target exists; StoreError when the copy is damaged.
        """
        if self._database.path is None:
            raise UsageError("there is no store to back up", hint="memgardend init")
        _copy(self._database, target)


def copy_whole(path: Path, target: Path) -> None:
    """A verified copy of the store at `path`. Raises as `SqliteStore.backup` does."""
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
        fresh = target.with_name(f"{target.name}.restored")
        with new_file(fresh):
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
    try:
        database = _open_existing(target)
    except StoreError:
        # Not readable as a store, which is what a restore is for.
        _swap(target, fresh, kept)
        return kept
    try:
        with database.write() as transaction:
            running = transaction.read("SELECT id FROM dreams WHERE state = 'running'")
            if running:
                raise BusyError(
                    f"dream {running[0]['id']} runs in {target}",
                    hint="memgardend run --once, and restore when it is done",
                )
            _swap(target, fresh, kept)
    finally:
        database.close()
    return kept


def _swap(target: Path, fresh: Path, kept: Path) -> None:
    try:
        kept.hardlink_to(target)
        # A journal belongs to the file beside which it was written: it must not meet the new one.
        journal = target.with_name(f"{target.name}-journal")
        if journal.exists() and journal.stat().st_size > 0:
            journal.rename(kept.with_name(f"{kept.name}-journal"))
        fresh.replace(target)
        sync(target.parent)
    except OSError as error:
        raise StoreUnavailableError(
            f"{target} cannot be replaced: {error.strerror}", hint=f"ls -ld {target.parent}"
        ) from error


def _copy(database: Database, target: Path) -> None:
    if os.path.lexists(target):
        raise UsageError(f"{target} exists", hint="name a file that does not exist yet")
    try:
        unfinished = target.with_name(f"{target.name}.unfinished")
        with new_file(unfinished):
            _fill(database, unfinished)
            unfinished.rename(target)
        sync(target.parent)
    except OSError as error:
        raise StoreUnavailableError(
            f"{target} cannot be written: {error.strerror}", hint=f"ls -ld {target.parent}"
        ) from error


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
