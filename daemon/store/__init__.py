"""The store: one SQLite file a workspace, behind `core.ports.Store`."""

from memgardend.daemon.store.backup import restore, verify
from memgardend.daemon.store.driver import sqlite_version
from memgardend.daemon.store.sqlite import SqliteGarden, open_rehearsal, open_store

__all__ = ["SqliteGarden", "open_rehearsal", "open_store", "restore", "sqlite_version", "verify"]
