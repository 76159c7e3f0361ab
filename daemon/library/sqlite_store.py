"""The library's `SqliteStore`: a `StoragePort` over our own store, with the daemon's memories in it or without."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.clock import DAY_MS, Clock
from memgardend.core.editorial.applying import read_rows
from memgardend.core.editorial.card_mapping import card_of
from memgardend.core.editorial.gardens import garden_key, owner_of
from memgardend.core.editorial.request_keys import batch_digest, request_key, requested
from memgardend.core.editorial.store_edits import LEDGER, SEEDS, edits_of_batch
from memgardend.core.ids import Ids
from memgardend.core.ports.capabilities import FULL_CAPABILITIES, Capabilities
from memgardend.core.ports.library import ApplyResult, Snapshot
from memgardend.core.records import EditRequest
from memgardend.core.times import rfc3339
from memgardend.core.words import Status
from memgardend.daemon.clock import clock as clock_of
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.ports import Failpoints, GardenView, Store
    from memgardend.core.records import Edits

RECEIPT_DAYS = 90
"""How long a request key is remembered, unless said otherwise."""

_URL = "sqlite:///"
_KEY = "library:"
_NO_REVISION = -1


class SqliteStore:
    """Cards in one SQLite file: the same that the daemon keeps, so that both may share it.

    `place` is a path or `sqlite:///path`; the file is made at the first write. (tenant, owner) is a garden;
    a workspace's own is the tenant `workspace`. Each call has a connection of its own, so that any thread and
    process may call. A request key is remembered for `receipt_days`, None for ever.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        clock: Clock | None = None,
        new_id: Callable[[], str] | None = None,
        receipt_days: int | None = RECEIPT_DAYS,
        failpoints: Failpoints | None = None,
    ) -> None:
        self.path = Path(str(place).removeprefix(_URL)).absolute()
        self._clock = clock or clock_of(os.environ)
        self._new_id = new_id or Ids(self._clock).new
        self._receipt_ms = None if receipt_days is None else receipt_days * DAY_MS
        self._failpoints = failpoints or NoFailpoints()

    def capabilities(self) -> Capabilities:
        """Everything."""
        return FULL_CAPABILITIES

    def load(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        include_archived: bool = False,
        include_superseded: bool = False,
        ids: Iterable[str] | None = None,
    ) -> Snapshot:
        """The cards that are asked for, by creation, then id; with `ids` the cost follows these alone."""
        retired = include_archived or include_superseded
        with self._open(tenant, owner, create=False) as store:
            reading = store.read_garden(
                statuses=() if retired else (Status.ACTIVE,), ids=ids, state_prefix=SEEDS
            )
        kept = [
            memory
            for memory in reading.memories
            if memory.status is Status.ACTIVE
            or (include_archived if memory.superseded_by is None else include_superseded)
        ]
        seeds = {key.removeprefix(SEEDS): int(value) for key, value in reading.state.items()}
        cards = [dict(card_of(memory)) for memory in kept]
        return Snapshot(cards, str(reading.revision), owner_of(tenant, owner), seeds)

    def maintenance_state(
        self, tenant: str, *, owner: str | None = None, mount: str
    ) -> dict[str, Any]:
        """The ledger of a mount; {} when there is none."""
        with self._open(tenant, owner, create=False) as store:
            state: dict[str, Any] = json.loads(store.state(LEDGER + mount) or "{}")
        return state

    def request_receipt(
        self, tenant: str, *, owner: str | None = None, idempotency_key: str, request_digest: str
    ) -> ApplyResult | None:
        """The stored result of a key. Raises IdempotencyConflict when it was another request's."""
        with self._open(tenant, owner, create=False) as store:
            stored = store.remembered(_KEY + idempotency_key, requested(request_digest))
        return None if stored is None else ApplyResult(**json.loads(stored))

    def apply(
        self,
        tenant: str,
        mutations: Sequence[Mapping[str, Any] | Mutation],
        *,
        owner: str | None = None,
        idempotency_key: str,
        expected_revision: str | None = None,
        maintenance_state: Mapping[str, Any] | None = None,
        request_digest: str | None = None,
    ) -> ApplyResult:
        """Write a batch in one transaction; raises as `StoragePort.apply` says.

        What cannot be written now (locked, disk full) is StoreUnavailableError.
        """
        batch = read_rows(mutations)
        now = self._clock.now_ms()
        request = EditRequest(
            key=_KEY + request_key(idempotency_key),
            digest=batch_digest(batch, maintenance_state, request_digest),
            actor="library",
            at=now,
            expected_revision=_revision(expected_revision),
            forget_before=None if self._receipt_ms is None else now - self._receipt_ms,
        )

        def decide(view: GardenView) -> Edits:
            return edits_of_batch(
                view, batch, new_id=self._new_id, now=rfc3339(now), ledger=maintenance_state
            )

        with self._open(tenant, owner, create=True) as store:
            return ApplyResult(**json.loads(store.edit(request, decide)))

    @contextmanager
    def _open(self, tenant: str, owner: str | None, *, create: bool) -> Iterator[Store]:
        store = open_store(
            self.path,
            garden_key(tenant, owner),
            clock=self._clock,
            failpoints=self._failpoints,
            create=create,
            own_folder=False,
        )
        try:
            yield store
        finally:
            store.close()


def _revision(text: str | None) -> int | None:
    """An expected revision as a number; a text that is none of ours matches nothing."""
    if text is None:
        return None
    number = int(text) if text.isdecimal() else _NO_REVISION
    return number if str(number) == text else _NO_REVISION
