"""Stores that have only the three basic methods, made into a `StoragePort` that says what it lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.applying import read_rows
from memgardend.core.editorial.gardens import asked_for, owner_of
from memgardend.core.editorial.mutations import mutation_to_dict, needed_capabilities
from memgardend.core.ports.capabilities import MAINTENANCE, declared, missing
from memgardend.core.ports.library import ApplyResult, Snapshot, UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.ports.capabilities import Capabilities
    from memgardend.core.ports.library import BasicStoragePort, StoragePort

BASIC_METHODS = ("capabilities", "load", "apply")
FURTHER_METHODS = ("maintenance_state", "request_receipt")


def as_storage(store: StoragePort | BasicStoragePort) -> StoragePort:
    """The store itself, or a basic one with all it lacks switched off. Raises TypeError for what is neither."""
    lacking = [name for name in BASIC_METHODS if not callable(getattr(store, name, None))]
    if lacking:
        raise TypeError(f"{type(store).__name__} is no store: it has no {', '.join(lacking)}")
    if all(callable(getattr(store, name, None)) for name in FURTHER_METHODS):
        return cast("StoragePort", store)
    return BasicStorage(cast("BasicStoragePort", store))


class BasicStorage:
    """A basic store as a `StoragePort`: one owner a tenant, no ledger, no receipts."""

    def __init__(self, store: BasicStoragePort) -> None:
        self._store = store

    def capabilities(self) -> Capabilities:
        """What the store says, less what three methods cannot give."""
        return replace(
            declared(self._store),
            supports_owner_scoping=False,
            supports_maintenance_state=False,
            supports_monotonic_seed_generation=False,
            supports_incremental_maintenance=False,
            supports_request_receipts=False,
        )

    def load(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        include_archived: bool = False,
        include_superseded: bool = False,
        ids: Iterable[str] | None = None,
    ) -> Snapshot:
        """The cards of a tenant. Raises UnsupportedOperation for an owner other than the tenant."""
        named = self._only_owner("load", tenant, owner)
        loaded = self._store.load(
            tenant, include_archived=include_archived, include_superseded=include_superseded
        )
        cards = asked_for(
            loaded.cards,
            include_archived=include_archived,
            include_superseded=include_superseded,
            ids=ids,
        )
        return Snapshot(cards, str(loaded.revision), named)

    def maintenance_state(
        self, tenant: str, *, owner: str | None = None, mount: str
    ) -> dict[str, Any]:
        """Raises UnsupportedOperation: there is no ledger."""
        raise UnsupportedOperation(
            f"maintenance of {mount}", missing(self.capabilities(), MAINTENANCE)
        )

    def request_receipt(
        self, tenant: str, *, owner: str | None = None, idempotency_key: str, request_digest: str
    ) -> ApplyResult | None:
        """Raises UnsupportedOperation: a request is not recognised before it is written."""
        raise UnsupportedOperation("a request key", ("supports_request_receipts",))

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
        """Hand a batch on, if the store can take it; raises UnsupportedOperation before anything is written."""
        self._only_owner("apply", tenant, owner)
        batch = read_rows(mutations)
        needed = {str(capability) for capability in needed_capabilities(batch)}
        needed |= set() if maintenance_state is None else set(MAINTENANCE)
        needed |= set() if request_digest is None else {"request_receipts"}
        lacking = missing(self.capabilities(), needed)
        if lacking:
            raise UnsupportedOperation("apply", lacking)
        applied = self._store.apply(
            tenant,
            [mutation_to_dict(one) for one in batch],
            idempotency_key=idempotency_key,
            expected_revision=expected_revision,
        )
        return ApplyResult([dict(row) for row in applied.results], str(applied.revision))

    def _only_owner(self, operation: str, tenant: str, owner: str | None) -> str:
        named = owner_of(tenant, owner)
        if named != tenant:
            raise UnsupportedOperation(operation, ("supports_owner_scoping",))
        return named
