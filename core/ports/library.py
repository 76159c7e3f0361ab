"""The storage socket of the library: everything a store has to know, so that one can be written from here.

A store keeps **cards**: JSON mappings (`core/editorial/cards.py` names their fields; whatever else a host puts
in comes back unchanged). Cards belong to a garden, which is a pair (tenant, owner): two gardens share nothing,
not even ids, keys or revisions. A blank tenant or owner is a ValueError; an owner that is left out (None) means
that the tenant owns its cards itself. All that is handed in stays the caller's: a store keeps and returns copies.

A store is given **mutations**, mappings with `op`: `read_batch` (`core/editorial/mutation_reading.py`) reads and
checks them; call it first, it raises InvalidMutation or UnknownMutation. What each does, and the row it answers:

* `add` {card}: a new card. An id that comes with it must be free, of retired cards and of those deleted in the
  same batch too; else the store makes one that was never used before. → {id, status: written}
* `update` {record_id, changes}: fields of an active card, in place; it has to stay active.
  → {id, status: updated}
* `supersede` {card, target_ids}: a new card; each target gets `superseded_by` = its id and `archived` = true, and
  is kept. Every target must be active. → {id, status: superseded, replaced: id, or a list of several}
* `archive` {record_id, reason}: `archived` = true and `archive_reason`, of an active card.
  → {id, status: archived}
* `delete` {record_id, requested_by}: the card is gone, whatever its state, and all that is kept of its text with
  it. A card that it had replaced loses its `superseded_by` and stays archived. → {id, status: deleted}
* `promote` {record_id, to_mount}: `mount` of an active card, nothing else. → {id, status: promoted, mount}
* `no_op` {reason}: nothing. → {id: "", status: no_op, reason}

A new card gets `created_at`, `updated_at` (kept where it brings them) and `mount` (of the mutation, else its own,
else `agent-private`). A changed or retired card gets a new `updated_at`; an update that changes nothing does not.
One instant stamps a whole batch, in RFC 3339 with `Z`. `core/editorial/applying.py` does all of this as a pure
function, `write_batch`, for whoever likes to use it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from memgardend.core.errors import MemgardendError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.ports.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cards of a garden at one revision.

    `revision` is opaque text; equal revisions mean equal cards. `seed_generations` counts, by mount, the cards
    ever written there that no consolidation made; deleting one lowers nothing.
    """

    cards: list[dict[str, Any]]
    revision: str
    owner: str = ""
    seed_generations: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """One row for each mutation, in order, and the revision after them."""

    results: list[dict[str, Any]]
    revision: str


class BasicStoragePort(Protocol):
    """The least a store can be: one owner a tenant, no receipts, no ledger. `as_storage` makes the most of it."""

    def capabilities(self) -> Any: ...

    def load(self, tenant: str, **filters: Any) -> Any:
        """Something with `cards` and `revision`."""
        ...

    def apply(
        self,
        tenant: str,
        mutations: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str,
        expected_revision: str | None = None,
    ) -> Any:
        """Something with `results` and `revision`."""
        ...


class StoragePort(Protocol):
    """A store of cards. Every method may be called from any thread."""

    def capabilities(self) -> Capabilities:
        """What it can do; may be called at any time, and reads nothing."""
        ...

    def load(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        include_archived: bool = False,
        include_superseded: bool = False,
        ids: Iterable[str] | None = None,
    ) -> Snapshot:
        """The active cards of a garden, with the other two kinds where asked for; of `ids` alone where given.

        By `created_at`, then id. A superseded card is not an archived one, though `archived` is true of both.
        """
        ...

    def maintenance_state(
        self, tenant: str, *, owner: str | None = None, mount: str
    ) -> dict[str, Any]:
        """The ledger of a mount as `apply` wrote it last; {} when there is none."""
        ...

    def request_receipt(
        self, tenant: str, *, owner: str | None = None, idempotency_key: str, request_digest: str
    ) -> ApplyResult | None:
        """The stored result of a key, None when it is free. Raises IdempotencyConflict for another digest."""
        ...

    def apply(
        self,
        tenant: str,
        mutations: Sequence[Mapping[str, Any]],
        *,
        owner: str | None = None,
        idempotency_key: str,
        expected_revision: str | None = None,
        maintenance_state: Mapping[str, Any] | None = None,
        request_digest: str | None = None,
    ) -> ApplyResult:
        """Write a batch in one transaction, in this order:

        1. A key that is known gives its stored result again, before anything else is looked at, even when its
           cards are gone. It must be the same request: where either call has a `request_digest`, both must have
           the same; else mutations and ledger must be equal as JSON with sorted keys. IdempotencyConflict.
        2. An `expected_revision` that is not the current one: RevisionConflict.
        3. The mutations, each seeing the ones before it. A target that is missing, retired or of another
           garden, an id that is taken, a card that is no JSON: MutationRejected, and the whole batch, ledger,
           counts and key leave no trace.
        4. `seed_generations` of the card's mount + 1 for each add or supersede whose card has another `source`
           than `memory_dream`, and for each promote of such a card to another mount.
        5. The revision rises if cards or counts changed or a ledger was given. no_op alone keeps it.
        6. `maintenance_state` replaces the ledger of its `mount` (default `agent-private`): into its
           `reviewed_versions` go the `card_version` (`core/editorial/seeds.py`) of cards from `memory_dream`
           written in this batch, and out go those of cards that are not active; `schema_version` 2, `revision`
           and `updated_at` are stamped. `next_ledger` in `core/editorial/ledgers.py` does it.
        7. The result under its key: ids, words and revision, no text.

        A store that cannot take back half of a batch raises PartialFailure, and says so in its capabilities.
        """
        ...


class RevisionConflict(StoreError):  # noqa: N818 - the library's names for them
    """Somebody wrote in between: read again and judge again."""

    exit_code = 75

    def __init__(self, expected: str, current: str) -> None:
        super().__init__(
            f"the garden is at revision {current}, not {expected}",
            hint="load again, judge again, and write with the new revision",
        )
        self.expected = expected
        self.current = current


class IdempotencyConflict(StoreError):  # noqa: N818
    """A request key was used before for another request."""

    exit_code = 2

    def __init__(self, key: str) -> None:
        super().__init__(
            f"request key {key} was used before for another request",
            hint="use a new key for a new request",
        )
        self.key = key


class MutationRejected(MemgardendError, ValueError):  # noqa: N818
    """A batch does not fit the store; `reason` is one of the words below, `record_id` the card it is about."""

    exit_code = 2

    NOT_FOUND = "not_found"
    RETIRED = "retired"
    ID_EXISTS = "id_exists"
    NOT_ACTIVE = (
        "not_active"  # a new or updated card that says it is archived, superseded or deleted
    )
    INVALID = "invalid"

    def __init__(self, operation: str, reason: str, record_id: str = "") -> None:
        super().__init__(f"{operation}: {reason}" + (f" ({record_id})" if record_id else ""))
        self.operation = operation
        self.reason = reason
        self.record_id = record_id


class PartialFailure(StoreError):  # noqa: N818
    """A store that cannot roll back failed in the middle: `applied` rows stand, `failed_at` is the next one."""

    exit_code = 1

    def __init__(
        self, applied: Sequence[Mapping[str, Any]], failed_at: int, cause: Exception
    ) -> None:
        super().__init__(
            f"mutation {failed_at + 1} failed after {len(applied)} had been written"
            f" ({type(cause).__name__})",
            hint="load again, and see what is there before writing anything",
        )
        self.applied = list(applied)
        self.failed_at = failed_at
        self.cause = cause


class UnsupportedOperation(MemgardendError):  # noqa: N818
    """The store cannot do what this needs; nothing was read or written."""

    exit_code = 69

    def __init__(self, operation: str, lacking: Iterable[str]) -> None:
        self.operation = operation
        self.lacking = tuple(lacking)
        super().__init__(
            f"{operation} needs a store with {', '.join(self.lacking)}",
            hint="describe_for_user(store.capabilities()) says what is off",
        )
