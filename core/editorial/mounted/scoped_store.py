"""A store as one scope may use it: reads show open mounts alone, writes are isolated, gated and written once."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.applying import plain_json
from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.editorial.importing.progress import digest
from memgardend.core.editorial.mounted.failures import attempted
from memgardend.core.editorial.mounted.isolation import isolate, targets_of
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.mutations import (
    Add,
    Supersede,
    Update,
    mutation_to_dict,
    needed_capabilities,
)
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.scope import MountPermissionError
from memgardend.core.ports.capabilities import declared, missing
from memgardend.core.ports.library import ApplyResult, Snapshot, UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.editorial.scope import Scope
    from memgardend.core.editorial.text_gate import TextGate
    from memgardend.core.ports.library import StoragePort

MAX_ATTEMPTS = 3
"""Times that something is read and tried when somebody else keeps writing."""
OWNERS = "supports_owner_scoping"
RECEIPTS = "supports_request_receipts"


@dataclass(frozen=True, slots=True)
class Write:
    """What is to be written in one step. Without a `key` it is nobody's repetition.

    `expected_revision`: what was read when it was decided; None where nothing was. `request_digest`: what makes
    it the same request, where that is more than its mutations.
    """

    mutations: tuple[Mutation, ...]
    key: str = ""
    expected_revision: str | None = None
    request_digest: str | None = None
    ledger: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ScopedStore:
    """A store, and whose cards of it may be seen and written."""

    store: StoragePort
    scope: Scope

    def lacking(self, needed: Iterable[str] = ()) -> Failure | None:
        """What the store would need for this and does not have; nothing is read."""
        foreign = self.scope.memory_owner_id != self.scope.tenant_id
        lacks = missing(declared(self.store), {*needed, *([OWNERS] if foreign else ())})
        return Failure(ErrorWord.STORAGE_LACKS_CAPABILITIES, ",".join(lacks)) if lacks else None

    def load(self, *, retired: bool = False, ids: Iterable[str] | None = None) -> Snapshot:
        """The cards in open mounts. Raises MountPermissionError for a store that answers for somebody else."""
        shot = self._load(retired=retired, ids=ids)
        return replace(shot, cards=[card for card in shot.cards if self._sees(card)])

    def ledger(self, mount: str) -> dict[str, Any]:
        """What a consolidation of the mount noted last."""
        scope = self.scope
        return self.store.maintenance_state(
            scope.tenant_id, owner=scope.memory_owner_id, mount=scope.check(mount)
        )

    def known(self, key: str, request_digest: str) -> ApplyResult | None:
        """What was written under a key. Raises IdempotencyConflict where that was another request."""
        return self.store.request_receipt(
            self.scope.tenant_id,
            owner=self.scope.memory_owner_id,
            idempotency_key=key,
            request_digest=request_digest,
        )

    def digest(self, *told: Any) -> str:
        """What makes a request the same: the scope, and what else is told."""
        return digest(asdict(self.scope), *told)

    def write(self, asked: Write, gate: TextGate) -> ApplyResult | Failure:
        """Write a batch once, or say why not. Raises MountPermissionError.

        A key that is known gives its stored result. Targets are looked at, and the write is pinned to the
        revision at which they were; where the caller named none, it is tried again when somebody else wrote.
        """
        batch = attempted(lambda: _checked(asked.mutations))
        if isinstance(batch, Failure):
            return batch
        lacks = self.lacking({str(one) for one in needed_capabilities(batch)})
        if lacks:
            return lacks
        keyed = self._keyed(replace(asked, mutations=batch))
        known = self._replayed(keyed) if asked.key else None
        if known is not None:
            return known
        written = self._attempt(keyed, gate)
        for _ in range(MAX_ATTEMPTS - 1):
            if asked.expected_revision is not None or not is_conflict(written):
                break
            written = self._attempt(keyed, gate)
        return written

    def _attempt(self, asked: Write, gate: TextGate) -> ApplyResult | Failure:
        """Look at the targets, then write what scope and gate allow."""
        targets = targets_of(asked.mutations)
        shot = attempted(lambda: self._load(retired=True, ids=targets)) if targets else None
        if isinstance(shot, Failure):
            return shot
        isolated = isolate(asked.mutations, shot.cards if shot else (), self.scope)
        if isinstance(isolated, Failure):
            return isolated
        unfit = _unfit(isolated, gate)
        if unfit:
            return unfit
        seen = asked.expected_revision
        pinned = shot.revision if shot and seen is None else seen
        rows = [mutation_to_dict(one) for one in isolated]
        return attempted(
            lambda: self.store.apply(
                self.scope.tenant_id,
                rows,
                owner=self.scope.memory_owner_id,
                idempotency_key=asked.key,
                expected_revision=pinned,
                maintenance_state=asked.ledger,
                request_digest=asked.request_digest,
            )
        )

    def _keyed(self, asked: Write) -> Write:
        """With a key in any case, and with a digest where the store can tell a repetition by it."""
        if not asked.key:
            return replace(asked, key=f"once:{uuid.uuid4()}")
        if asked.request_digest or missing(declared(self.store), (RECEIPTS,)):
            return asked
        rows = [mutation_to_dict(one) for one in asked.mutations]
        return replace(asked, request_digest=self.digest(rows, asked.ledger))

    def _replayed(self, asked: Write) -> ApplyResult | Failure | None:
        told = asked.request_digest
        return attempted(lambda: self.known(asked.key, told)) if told else None

    def _load(self, *, retired: bool, ids: Iterable[str] | None) -> Snapshot:
        scope = self.scope
        if self.lacking():
            raise UnsupportedOperation("another owner", (OWNERS,))
        shot = self.store.load(
            scope.tenant_id,
            owner=scope.memory_owner_id,
            include_archived=retired,
            include_superseded=retired,
            ids=ids,
        )
        if shot.owner != scope.memory_owner_id:
            raise MountPermissionError("the store answered with somebody else's cards")
        return shot

    def _sees(self, card: Mapping[str, Any]) -> bool:
        return (card.get("mount") or DEFAULT_MOUNT) in self.scope.mounts


def _checked(mutations: Iterable[Mutation]) -> tuple[Mutation, ...]:
    """The mutations as any store reads them. Raises InvalidMutation, and MutationRejected for what is no JSON."""
    rows = [mutation_to_dict(one) for one in mutations]
    plain_json(rows, "batch")
    return read_batch(rows)


def is_conflict(written: ApplyResult | Failure) -> bool:
    """Whether somebody else wrote in between."""
    return isinstance(written, Failure) and written.word is ErrorWord.REVISION_CONFLICT


def _unfit(batch: Sequence[Mutation], gate: TextGate) -> Failure | None:
    """The first text that no card may hold: whoever writes, no placeholder and no protocol gets in."""
    for one in batch:
        card: Mapping[str, Any] = {}
        if isinstance(one, Add | Supersede):
            card = {"summary": None, **one.card}
        elif isinstance(one, Update):
            card = one.changes
        for name in ("summary", "content"):
            problem = gate.problem(name, card[name]) if name in card else None
            if problem:
                return Failure(ErrorWord.INVALID_CARD_CONTENT, problem)
    return None
