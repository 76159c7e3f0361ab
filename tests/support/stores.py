"""Store factories for the conformance suite, and builders of what goes into a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from memgardend.core.budget import Limits, Spending
from memgardend.core.clock import ManualClock
from memgardend.core.ports import Failpoints, Store
from memgardend.core.records import (
    CommitBatch,
    Evidence,
    IngestBatch,
    IngestResult,
    Lease,
    Memory,
    MemoryChange,
    NewEvent,
    Owner,
    Receipt,
    Window,
    quote_hash,
)
from memgardend.core.words import CallPurpose, Layer, Outcome, Role, RoundName
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store
from memgardend.daemon.store.driver import Database

NOW = 1_796_083_200_000  # 2026-12-01T00:00:00Z
LEASE_MS = 120_000


class SqliteFactory:
    """Opens handles on one new SQLite store; each is what another process would have."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".memgarden" / "memory.db"
        self._opened: list[Store] = []

    def open(self, garden: str = "garden", failpoints: Failpoints | None = None) -> Store:
        store = open_store(
            self.path,
            garden,
            clock=ManualClock(NOW),
            failpoints=failpoints or NoFailpoints(),
            create=True,
        )
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


FACTORIES: dict[str, Callable[[Path], SqliteFactory]] = {"sqlite": SqliteFactory}
"""Every store that must pass the conformance suite."""


def owner(name: str = "a") -> Owner:
    return Owner(host=name, boot_id="boot", pid_namespace="ns", pid=1, process_start="1")


def window(native_id: str = "a", **fields: Any) -> Window:
    source = fields.pop("source", "event")
    return Window(id=f"{source}:{native_id}", source=source, native_id=native_id, **fields)


def said(native_id: str | None, text: str = "", **fields: Any) -> NewEvent:
    role = fields.pop("role", Role.HUMAN)
    return NewEvent(
        native_id=native_id,
        at=fields.pop("at", NOW),
        role=role,
        text=text or f"text {native_id}",
        **fields,
    )


def put(store: Store, *events: NewEvent, **fields: Any) -> IngestResult:
    """Ingest these events into window `a` (or `into`) at NOW (or `received_at`)."""
    into = fields.pop("into", window())
    received_at = fields.pop("received_at", NOW)
    return store.ingest(IngestBatch(window=into, events=events, received_at=received_at, **fields))


def rev(store: Store, window_id: str = "event:a") -> int:
    found = store.window(window_id)
    assert found is not None
    return found.rev


def claimed(store: Store, dream: str = "d1", window_id: str = "event:a") -> None:
    assert store.claim(window_id, rev(store, window_id), dream, NOW)


def started(
    store: Store, dream: str = "d1", window_id: str = "event:a", who: str = "a", now: int = NOW
) -> Lease:
    begun = store.start(dream, rev(store, window_id), owner(who), now, now + LEASE_MS, 1)
    assert begun is not None
    return Lease(dream=dream, owner=owner(who).text(), fence=begun.fence)


def planned(
    store: Store,
    lease: Lease,
    rounds: Sequence[RoundName] = tuple(RoundName),
    through: int = 3,
    from_seq: int = 0,
) -> None:
    store.save_plan(lease, "{}", NOW, from_seq, through, rounds)


def dreaming(store: Store, dream: str = "d1") -> Lease:
    """Three events, a claim, a start and a plan: a dream of window `a` that runs."""
    put(store, said("1"), said("2"), said("3"))
    claimed(store, dream)
    lease = started(store, dream)
    planned(store, lease)
    return lease


def stage_all(store: Store, lease: Lease) -> None:
    for name in RoundName:
        store.save_staged(lease, name, "[]", (), None, 0)


def receipt(dream: str = "d1", **fields: Any) -> Receipt:
    return Receipt(
        dream=dream,
        round=fields.pop("round", RoundName.ATOMIC),
        ask=1,
        at=fields.pop("at", NOW),
        outcome=fields.pop("outcome", Outcome.OK),
        prompt_chars=10,
        answer_chars=2,
        **fields,
    )


def call_aside(**fields: Any) -> Receipt:
    """The receipt of a call that no dream makes."""
    plain = {"purpose": CallPurpose.IMPORT, "dream": None, "round": None, "outcome": Outcome.ASKED}
    return replace(receipt(), **{**plain, **fields})


def asked(
    store: Store,
    lease: Lease,
    round_name: RoundName = RoundName.ATOMIC,
    prompt_hash: str = "h",
    limits: Limits | None = None,
    **fields: Any,
) -> Spending | None:
    """Ask for one round; `fields` are those of the receipt of the call to come."""
    about = receipt(lease.dream, round=round_name, outcome=Outcome.ASKED, **fields)
    return store.save_asked(lease, round_name, prompt_hash, about, limits)


def memory(memory_id: str = "m1", **fields: Any) -> Memory:
    plain = {"layer": Layer.FACT, "content": f"content {memory_id}", "created_at": NOW}
    return Memory(id=memory_id, **{**plain, **fields})


def quote(memory_id: str = "m1", text: str = "text 1", **fields: Any) -> Evidence:
    plain = {"window": "event:a", "event": 1, "role": Role.HUMAN, "at": NOW, "start": 0}
    plain["end"] = len(text)
    return Evidence(memory=memory_id, quote=text, hash=quote_hash(text), **{**plain, **fields})


def change(
    before: Memory | None, after: Memory, *evidence: Evidence, **fields: Any
) -> MemoryChange:
    return MemoryChange(
        before=before,
        after=after,
        operation=fields.pop("operation", "update" if before else "remember"),
        reason=fields.pop("reason", None),
        round=fields.pop("round", RoundName.ATOMIC),
        evidence=evidence,
    )


def commit_of(lease: Lease, *changes: MemoryChange, **fields: Any) -> CommitBatch:
    plain = {"window": "event:a", "from_seq": 0, "through_seq": 3, "at": NOW + 1000}
    return CommitBatch(lease=lease, changes=changes, **{**plain, **fields})


def dreamed(store: Store, *changes: MemoryChange) -> None:
    """One whole dream of window `a` that applies these changes."""
    lease = dreaming(store)
    stage_all(store, lease)
    assert store.commit(commit_of(lease, *changes)).committed


@contextmanager
def somebody_writes(path: Path) -> Iterator[None]:
    """Another process is in the middle of a write."""
    other = Database.open(path)
    with other.write() as transaction:
        transaction.execute("UPDATE garden_state SET value = value")
        yield
    other.close()
