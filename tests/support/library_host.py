"""Our stores as a host of memgarden's conformance kit: only public calls of the library, as a host makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memgarden.conformance import Outcome

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.cards import card_status, is_active, texts
from memgardend.core.editorial.mutations import InvalidMutation
from memgardend.core.editorial.selection import Chain
from memgardend.core.editorial.stages import RecentStage, RelevanceStage
from memgardend.core.editorial.text_gate import TextGate
from memgardend.core.ports.library import (
    IdempotencyConflict,
    MutationRejected,
    RevisionConflict,
    StoragePort,
)

TENANT = "conformance"
FIELDS = ("summary", "content", "bucket", "threads", "occurred_at", "source")
START_MS = 1_796_083_200_000  # 2026-12-01T00:00:00Z
REJECTED = {
    MutationRejected.NOT_FOUND: "not_found",
    MutationRejected.RETIRED: "conflict",
    MutationRejected.ID_EXISTS: "conflict",
}
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
        self.gate = TextGate()
        self.armed = False
        self._made = 0
        self._keys = 0
        self._progress: dict[str, frozenset[str]] = {}

    # -- writes --------------------------------------------------------------------------------

    def add(
        self, owner: str, card: Mapping[str, Any], *, request_id: str = "", record_id: str = ""
    ) -> Outcome:
        row = {"op": "add", "card": _card(card, record_id)}
        return self._gated([card]) or self._write(owner, [row], key=request_id)

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
        return self._gated([card]) or self._write(owner, [row], based_on=based_on)

    def archive(self, owner: str, record_id: str, *, reason: str = "") -> Outcome:
        return self._write(owner, [{"op": "archive", "record_id": record_id, "reason": reason}])

    def delete(self, owner: str, record_id: str, *, requested_by: str) -> Outcome:
        row = {"op": "delete", "record_id": record_id, "requested_by": requested_by}
        return self._write(owner, [row])

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
        rejected = self._gated(cards)
        if rejected:
            return rejected
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
        return self._selected(owner, query, Chain(stages=(RelevanceStage(limit=20),)))

    def recall(self, owner: str, query: str) -> list[str]:
        return self._selected(owner, query, Chain(stages=(RelevanceStage(8), RecentStage(2))))

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

    def _write(
        self, owner: str, rows: Cards, *, key: str = "", based_on: str | None = None
    ) -> Outcome:
        self._keys += 1
        try:
            applied = self.store.apply(
                TENANT,
                rows,
                owner=owner,
                idempotency_key=key or f"host-{self._keys}",
                expected_revision=based_on,
            )
        except MutationRejected as error:
            return Outcome(ok=False, error=REJECTED.get(error.reason, "invalid"))
        except InvalidMutation:
            return Outcome(ok=False, error="invalid")
        except RevisionConflict:
            return Outcome(ok=False, error="conflict")
        except IdempotencyConflict:
            return Outcome(ok=False, error="idempotency_conflict")
        except StorageBrokeError:
            return Outcome(ok=False, error="storage_failed")
        ids = tuple(row["id"] for row in applied.results if row["id"])
        return Outcome(ok=True, record_ids=ids)

    def _gated(self, cards: Sequence[Mapping[str, Any]]) -> Outcome | None:
        """What every card is held against before it is written."""
        problems = [
            self.gate.problem(name, card.get(name))
            for card in cards
            for name in ("summary", "content")
        ]
        return Outcome(ok=False, error="invalid") if any(problems) else None

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

    def _selected(self, owner: str, query: str, policy: Chain) -> list[str]:
        return list(policy.select(self._load(owner), query, limit=20).card_ids)


def _card(given: Mapping[str, Any], record_id: str = "") -> dict[str, Any]:
    card = {name: given[name] for name in FIELDS if name in given}
    return {**card, "id": record_id} if record_id else card
