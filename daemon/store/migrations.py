"""Bring a store to the schema of this program: all steps in one transaction, or none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError
from memgardend.daemon.store.driver import APPLICATION_ID, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.ports import Failpoints
    from memgardend.daemon.store.driver import Database, Transaction

    Migration = Callable[[Transaction], None]


def _first_schema(transaction: Transaction) -> None:
    script = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    for statement in statements(script):
        transaction.execute(statement)


MIGRATIONS: Sequence[Migration] = (_first_schema,)
"""Step n takes a store from version n to n + 1. Only ever appended to."""


def version_of(database: Database) -> int:
    """The schema version of a store. Raises StoreError when the file is none, or newer than this program."""
    version = int(database.value("PRAGMA user_version"))
    application = int(database.value("PRAGMA application_id"))
    if application != APPLICATION_ID:
        raise StoreError(
            f"{database.path} is not a memgardend store (application id {application:#x})",
            hint="memgardend restore BACKUP",
        )
    if version < 1:  # a store and its version are made in one transaction
        raise StoreError(
            f"{database.path} is damaged (schema version {version})",
            hint="memgardend restore BACKUP",
        )
    return version


def require_known(database: Database, newest: int) -> int:
    """The version; raises StoreError when this program is too old for it."""
    version = version_of(database)
    if version > newest:
        raise StoreError(
            f"{database.path} has schema {version}, this program knows {newest}",
            hint="pip install --upgrade memgardend",
        )
    return version


def migrate(
    database: Database,
    failpoints: Failpoints,
    *,
    save: Callable[[int], None] | None = None,
    steps: Sequence[Migration] = MIGRATIONS,
) -> None:
    """Run what is pending. `save` keeps a copy of the store first and is told the old version.

    Several processes may do this at once: the version is read again under the write lock.
    """
    if require_known(database, len(steps)) == len(steps):
        return
    with database.write() as transaction:
        version = require_known(database, len(steps))
        if save is not None and version < len(steps):
            save(version)
        for step in steps[version:]:
            step(transaction)
            failpoints.hit("migrate.inside")
        transaction.execute(f"PRAGMA user_version = {len(steps)}")


def initialise(
    database: Database, failpoints: Failpoints, *, steps: Sequence[Migration] = MIGRATIONS
) -> None:
    """Make a store out of a new, empty database that nobody else can see yet."""
    with database.write() as transaction:
        transaction.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for step in steps:
            step(transaction)
            failpoints.hit("migrate.inside")
        transaction.execute(f"PRAGMA user_version = {len(steps)}")
