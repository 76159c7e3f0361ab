"""The store: one SQLite file a workspace, behind `core.ports.Store`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.lazily import lazily

if TYPE_CHECKING:
    from memgardend.daemon.store.backup import restore, verify
    from memgardend.daemon.store.driver import sqlite_version
    from memgardend.daemon.store.sqlite import SqliteGarden, open_rehearsal, open_store
else:
    __getattr__ = lazily(
        __name__,
        {
            "backup": "restore verify",
            "driver": "sqlite_version",
            "sqlite": "SqliteGarden open_rehearsal open_store",
        },
    )

__all__ = ["SqliteGarden", "open_rehearsal", "open_store", "restore", "sqlite_version", "verify"]
