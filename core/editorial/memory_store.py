"""A `StoragePort` that keeps its cards in this process: for tests, trials and short-lived agents."""

from __future__ import annotations

import uuid
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from memgardend.core.clock import Clock, SystemClock
from memgardend.core.editorial.applying import (
    read_rows,
    write_batch,
)
from memgardend.core.editorial.cards import is_active
from memgardend.core.editorial.gardens import asked_for, garden_key, owner_of
from memgardend.core.editorial.ledgers import ledger_mount, next_ledger
from memgardend.core.editorial.request_keys import batch_digest, request_key, requested
from memgardend.core.editorial.times import instant_ms
from memgardend.core.ports.capabilities import FULL_CAPABILITIES, Capabilities
from memgardend.core.ports.library import (
    ApplyResult,
    IdempotencyConflict,
    RevisionConflict,
    Snapshot,
)
from memgardend.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memgardend.core.editorial.cards import Card
    from memgardend.core.editorial.mutations import Mutation

Receipt: TypeAlias = tuple[str, ApplyResult]


@dataclass(frozen=True, slots=True)
class _Garden:
    """One garden; never changed, only replaced by the next."""

    cards: Mapping[str, Card] = field(default_factory=dict)
    revision: int = 0
    seeds: Mapping[str, int] = field(default_factory=dict)
    ledgers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    receipts: Mapping[str, Receipt] = field(default_factory=dict)


class InMemoryStore:
    """Cards in memory, for any number of gardens and threads; gone with the process."""

    def __init__(
        self, *, clock: Clock | None = None, new_id: Callable[[], str] | None = None
    ) -> None:
        self._clock = clock or SystemClock()
        self._new_id = new_id or (lambda: str(uuid.uuid4()))
        self._gardens: dict[str, _Garden] = {}
        self._writing = Lock()

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
        """Copies of the cards that are asked for, by creation, then id."""
        garden = self._garden(tenant, owner)
        cards = asked_for(
            garden.cards.values(),
            include_archived=include_archived,
            include_superseded=include_superseded,
            ids=ids,
        )
        cards.sort(key=lambda card: (instant_ms(card["created_at"]) or 0, card["id"]))
        return Snapshot(cards, str(garden.revision), owner_of(tenant, owner), dict(garden.seeds))

    def maintenance_state(
        self, tenant: str, *, owner: str | None = None, mount: str
    ) -> dict[str, Any]:
        """A copy of the ledger of a mount; {} when there is none."""
        return deepcopy(self._garden(tenant, owner).ledgers.get(mount, {}))

    def request_receipt(
        self, tenant: str, *, owner: str | None = None, idempotency_key: str, request_digest: str
    ) -> ApplyResult | None:
        """The stored result of a key. Raises IdempotencyConflict when it was another request's."""
        return _known(self._garden(tenant, owner), idempotency_key, requested(request_digest))

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
        """Write a batch, whole or not at all; raises as `StoragePort.apply` says."""
        batch = read_rows(mutations)
        digest = batch_digest(batch, maintenance_state, request_digest)
        key, name = request_key(idempotency_key), garden_key(tenant, owner)
        with self._writing:
            garden = self._garden(tenant, owner)
            known = _known(garden, key, digest)
            if known is not None:
                return known
            if expected_revision not in (None, str(garden.revision)):
                raise RevisionConflict(str(expected_revision), str(garden.revision))
            changed, results = self._written(garden, batch, maintenance_state)
            result = ApplyResult(results, str(changed.revision))
            receipts = {**changed.receipts, key: (digest, deepcopy(result))}
            self._gardens[name] = replace(changed, receipts=receipts)
            return result

    def _written(
        self, garden: _Garden, batch: Sequence[Mutation], state: Mapping[str, Any] | None
    ) -> tuple[_Garden, list[dict[str, Any]]]:
        """The garden after a batch, and its result rows."""
        now = rfc3339(self._clock.now_ms())
        written = write_batch(
            batch,
            find=garden.cards.get,
            replaced_by=lambda id_: [
                one for one, card in garden.cards.items() if card.get("superseded_by") == id_
            ],
            new_id=self._new_id,
            now=now,
        )
        cards = dict(garden.cards)
        for change in written.changes:
            if change.after is not None:
                cards[change.after["id"]] = change.after
            elif change.before is not None:
                del cards[change.before["id"]]
        revision = garden.revision + (written.moves_revision or state is not None)
        ledgers = dict(garden.ledgers)
        if state is not None:
            active = {id_ for id_, card in cards.items() if is_active(card)}
            ledgers[ledger_mount(state)] = next_ledger(
                state, written, active_ids=active, revision=str(revision), now=now
            )
        after = replace(
            garden,
            cards=cards,
            revision=revision,
            seeds=dict(Counter(garden.seeds) + Counter(written.seeds)),
            ledgers=ledgers,
        )
        return after, list(written.results)

    def _garden(self, tenant: str, owner: str | None) -> _Garden:
        return self._gardens.get(garden_key(tenant, owner), _Garden())


def _known(garden: _Garden, key: str, digest: str) -> ApplyResult | None:
    stored = garden.receipts.get(key)
    if stored is None:
        return None
    if stored[0] != digest:
        raise IdempotencyConflict(key)
    return deepcopy(stored[1])
