"""Where a library keeps its cards, as a command line says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.errors import UsageError
from memgardend.daemon.library.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from memgardend.core.clock import Clock
    from memgardend.core.ports.library import StoragePort

MEMORY_URL = "memory://"
SQLITE_URL = "sqlite:///"


def open_place(url: str, clock: Clock) -> StoragePort:
    """The store at `sqlite:///PATH` or `memory://`. Raises UsageError for anything else."""
    if url == MEMORY_URL:
        return InMemoryStore(clock=clock)
    path = url.removeprefix(SQLITE_URL)
    if path != url and path:
        return SqliteStore(path, clock=clock)
    raise UsageError(f"no such place for cards: {url!r}", hint="--storage sqlite:///memory.db")
