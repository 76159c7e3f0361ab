"""Both stores of ours, and one written from the port's documentation alone, keep the same contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.ports.capabilities import FULL_CAPABILITIES
from memgardend.core.ports.library import MutationRejected, StoragePort
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
def test_our_stores_refuse_what_cannot_be_kept(store: str, tmp_path: Path) -> None:
    kept = MAKERS[store](tmp_path)(ManualClock(0))
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    card = {"summary": "a", "own": deep}
    with pytest.raises(MutationRejected):
        kept.apply("t", [{"op": "add", "card": card}], idempotency_key="k")
    with pytest.raises(ValueError, match="no part of a name"):
        kept.apply("t", [{"op": "no_op"}], owner="\ud800", idempotency_key="k")
    assert kept.load("t").revision == "0"


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_our_stores_can_do_everything(store: str, tmp_path: Path) -> None:
    assert MAKERS[store](tmp_path)(ManualClock(0)).capabilities() == FULL_CAPABILITIES
