"""Both stores of ours, and one written from the port's documentation alone, keep the same contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.ports.capabilities import FULL_CAPABILITIES
from memgardend.core.ports.library import StoragePort
from memgardend.daemon.library.sqlite_store import SqliteStore
from support.documented_store import DocumentedStore
from support.storage_checks import CHECKS
from support.storage_contract import Subject

MAKERS: dict[str, Callable[[Path], Callable[[ManualClock], StoragePort]]] = {
    "sqlite": lambda folder: lambda clock: SqliteStore(folder / "memory.db", clock=clock),
    "memory": lambda _: lambda clock: InMemoryStore(clock=clock),
    "documented": lambda _: lambda clock: DocumentedStore(clock),
}


@pytest.mark.parametrize("store", MAKERS)
@pytest.mark.parametrize("name", CHECKS)
def test_contract(name: str, store: str, tmp_path: Path) -> None:
    CHECKS[name](Subject(MAKERS[store](tmp_path)))


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_our_stores_can_do_everything(store: str, tmp_path: Path) -> None:
    assert MAKERS[store](tmp_path)(ManualClock(0)).capabilities() == FULL_CAPABILITIES
