"""Our stores, mounted, as a host of memgarden's conformance kit: only public calls, as a host makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memgarden.conformance import Outcome

from memgardend import GardenComponent, MountedGarden, Scope
from memgardend.core.clock import ManualClock
from memgardend.core.editorial.cards import card_status, is_active, texts
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.mutations import InvalidMutation
from memgardend.core.editorial.results import ErrorWord, OperationReceipt
from memgardend.core.editorial.selection import Chain
from memgardend.core.editorial.stages import RecentStage, RelevanceStage
from memgardend.core.ports.library import MutationRejected, StoragePort

TENANT = "conformance"
FIELDS = ("summary", "content", "bucket", "threads", "occurred_at", "source")
START_MS = 1_796_083_200_000  # 2026-12-01T00:00:00Z
ERRORS = {
    ErrorWord.RECORD_NOT_FOUND: "not_found",
    ErrorWord.REVISION_CONFLICT: "conflict",
    ErrorWord.IDEMPOTENCY_CONFLICT: "idempotency_conflict",
    ErrorWord.STORAGE_FAILED: "storage_failed",
    ErrorWord.MUTATION_REJECTED: "invalid",
    ErrorWord.INVALID_MUTATION: "invalid",
    ErrorWord.INVALID_CARD_CONTENT: "invalid",
    ErrorWord.RECORD_ID_REQUIRED: "invalid",
    ErrorWord.REQUESTED_BY_REQUIRED: "invalid",
}
"""What the kit calls them."""
Cards = list[dict[str, Any]]


class StorageBrokeError(Exception):
    """What an armed host lets happen inside the store's transaction."""


class LibraryHost:
    """A garden of cards behind the calls that the kit makes."""

    sources = ("history_import", "chat")

    def __init__(
        self, name: str, make: Callable[[ManualClock, Callable[[], str]], StoragePort]
    ) -> None:
        self.name = name
        self.clock = ManualClock(START_MS)
        self.store = make(self.clock, self._new_id)
        self.component = GardenComponent(
            selection=Chain(stages=(RelevanceStage(8), RecentStage(2)))
        )
        self.armed = False
        self._made = 0
        self._progress: dict[str, frozenset[str]] = {}

    # -- writes --------------------------------------------------------------------------------

    def add(
        self, owner: str, card: Mapping[str, Any], *, request_id: str = "", record_id: str = ""
    ) -> Outcome:
        row = {"op": "add", "card": _card(card, record_id)}
        return self._write(owner, [row], key=request_id)

    def patch(
        self, owner: str, record_id: str, changes: Mapping[str, Any], *, based_on: Any = None
    ) -> Outcome:
        row = {"op": "update", "record_id": record_id, "changes": dict(changes)}
        return self._write(owner, [row], based_on=based_on)

    def supersede(
        self,
        owner: str,
        target_ids: Sequence[str],
        card: Mapping[str, Any],
        *,
        based_on: Any = None,
    ) -> Outcome:
        row = {"op": "supersede", "target_ids": list(target_ids), "card": _card(card)}
        return self._write(owner, [row], based_on=based_on)

    def archive(self, owner: str, record_id: str, *, reason: str = "") -> Outcome:
        return self._write(owner, [{"op": "archive", "record_id": record_id, "reason": reason}])

    def delete(self, owner: str, record_id: str, *, requested_by: str) -> Outcome:
        return _outcome(self._garden(owner).records.delete(record_id, requested_by=requested_by))

    def observe(self, owner: str) -> str:
        return self.store.load(TENANT, owner=owner).revision

    def tick(self) -> None:
        self.clock.advance(60_000)

    def commit_capture(
        self,
        owner: str,
        cards: Sequence[Mapping[str, Any]],
        *,
        request_id: str,
        fail_storage: bool = False,
    ) -> Outcome:
        self.armed = fail_storage
        rows: Cards = [{"op": "add", "card": _card(card)} for card in cards]
        outcome = self._write(owner, rows or [{"op": "no_op"}], key=request_id)
        self.armed = False
        if outcome.ok:
            self._progress[owner] = self.capture_progress(owner) | {request_id}
        return outcome if cards else Outcome(ok=outcome.ok, reason="nothing_to_keep")

    def capture_progress(self, owner: str) -> frozenset[str]:
        return self._progress.get(owner, frozenset())

    # -- reads ---------------------------------------------------------------------------------

    def inspect(self, owner: str, record_id: str) -> dict[str, Any] | None:
        return next((view for view in self.history(owner) if view["id"] == record_id), None)

    def fetch(self, owner: str, ids: Sequence[str], *, include_history: bool = False) -> Cards:
        return self._views(owner, ids=ids, retired=include_history)

    def index(self, owner: str) -> Cards:
        return self._views(owner)

    def search(self, owner: str, query: str) -> list[str]:
        return [hit.id for hit in self._garden(owner).records.search(query)]

    def recall(self, owner: str, query: str) -> list[str]:
        return list(self._garden(owner).build_context(query).record_ids)

    def related(self, owner: str, ids: Sequence[str]) -> list[str]:
        """Cards that share a thread with these, and those that these replaced."""
        everything = {card["id"]: card for card in self._load(owner, retired=True)}
        threads = {one for id_ in ids for one in texts(everything[id_].get("threads"))}
        return [
            id_
            for id_, card in everything.items()
            if id_ not in ids
            and (
                card.get("superseded_by") in ids
                or (is_active(card) and threads & set(texts(card.get("threads"))))
            )
        ]

    def history(self, owner: str) -> Cards:
        return self._views(owner, retired=True)

    # -- inside --------------------------------------------------------------------------------

    def _garden(self, owner: str) -> MountedGarden:
        scope = Scope(tenant_id=TENANT, memory_owner_id=owner)
        return MountedGarden(self.component, self.store, scope)

    def _write(
        self, owner: str, rows: Cards, *, key: str = "", based_on: str | None = None
    ) -> Outcome:
        try:
            mutations = read_batch(rows)
        except InvalidMutation:
            return Outcome(ok=False, error="invalid")
        records = self._garden(owner).records
        return _outcome(records.apply(mutations, idempotency_key=key, expected_revision=based_on))

    def _new_id(self) -> str:
        self._made += 1
        if self.armed and self._made % 2 == 0:  # in the middle of a batch of two
            raise StorageBrokeError
        return f"card-{self._made:04}"

    def _load(self, owner: str, *, retired: bool = False, ids: Any = None) -> Cards:
        return self.store.load(
            TENANT, owner=owner, include_archived=retired, include_superseded=retired, ids=ids
        ).cards

    def _views(self, owner: str, **how: Any) -> Cards:
        return [
            {
                "id": card["id"],
                **{name: card.get(name) for name in FIELDS},
                "created_at": card["created_at"],
                "updated_at": card["updated_at"],
                "status": str(card_status(card)),
                "superseded_by": card.get("superseded_by", ""),
            }
            for card in self._load(owner, **how)
        ]


def _outcome(receipt: OperationReceipt) -> Outcome:
    if receipt.error is None:
        return Outcome(ok=True, record_ids=receipt.record_ids)
    retired = receipt.error.detail in (MutationRejected.RETIRED, MutationRejected.ID_EXISTS)
    return Outcome(ok=False, error="conflict" if retired else ERRORS[receipt.error.word])


def _card(given: Mapping[str, Any], record_id: str = "") -> dict[str, Any]:
    card = {name: given[name] for name in FIELDS if name in given}
    return {**card, "id": record_id} if record_id else card
