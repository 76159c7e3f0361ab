"""The contract catches a store that breaks one promise, and says which."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.ports.library import ApplyResult, IdempotencyConflict, Snapshot
from support.documented_store import DocumentedStore
from support.storage_checks import CHECKS
from support.storage_contract import Subject


class ForgetsKeys(DocumentedStore):
    def known(self, garden: dict[str, Any], key: str, digest: list[Any]) -> ApplyResult | None:
        return None


class IgnoresDigests(DocumentedStore):
    def known(self, garden: dict[str, Any], key: str, digest: list[Any]) -> ApplyResult | None:
        if key not in garden["receipts"]:
            return None
        _, results, revision = garden["receipts"][key]
        return ApplyResult(results, revision)


class AsksTheBatchOfADigestToo(DocumentedStore):
    def known(self, garden: dict[str, Any], key: str, digest: list[Any]) -> ApplyResult | None:
        if key in garden["receipts"] and digest[0] == "request":
            raise IdempotencyConflict(key)
        return super().known(garden, key, digest)


class IgnoresRevisions(DocumentedStore):
    def compare(self, garden: dict[str, Any], expected: str | None) -> None:
        return


class ComparesBeforeReplaying(DocumentedStore):
    def known(self, garden: dict[str, Any], key: str, digest: list[Any]) -> ApplyResult | None:
        self.compare(garden, self.expected)
        return super().known(garden, key, digest)

    expected: str | None = None

    def apply(self, tenant: str, mutations: Any, **how: Any) -> ApplyResult:
        self.expected = how.get("expected_revision")
        return super().apply(tenant, mutations, **how)


class WritesHalfBatches(DocumentedStore):
    def write(self, name: str, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        result = super().write(name, garden, row)
        self.commit(name, garden)
        return result


class NumbersByCounting(DocumentedStore):
    def free_id(self, garden: dict[str, Any], row: dict[str, Any], given: str | None) -> str:
        return super().free_id(garden, row, given or f"made-{len(garden['cards']) + 1}")


class Overwrites(DocumentedStore):
    def free_id(self, garden: dict[str, Any], row: dict[str, Any], given: str | None) -> str:
        return given or super().free_id(garden, row, given)


class ReplacesByDeleting(DocumentedStore):
    def retire(self, garden: dict[str, Any], row: dict[str, Any], target: str, by: str) -> None:
        self.remove(garden, target)


class ReplacesTheRetired(DocumentedStore):
    def active(self, garden: dict[str, Any], row: dict[str, Any], id_: str) -> dict[str, Any]:
        return self.existing(garden, row, id_)


class RetiresByUpdate(DocumentedStore):
    def stay_active(self, row: dict[str, Any], card: dict[str, Any]) -> None:
        if row["op"] != "update":
            super().stay_active(row, card)


class DeletesByHiding(DocumentedStore):
    def remove(self, garden: dict[str, Any], id_: str) -> None:
        garden["cards"][id_]["archived"] = True


class LowersSeedsOnDelete(DocumentedStore):
    def remove(self, garden: dict[str, Any], id_: str) -> None:
        mount = garden["cards"][id_]["mount"]
        garden["seeds"][mount] = max(0, garden["seeds"].get(mount, 0) - 1)
        super().remove(garden, id_)


class CountsItsOwnDreams(DocumentedStore):
    def count(self, garden: dict[str, Any], card: dict[str, Any], mount: str) -> None:
        super().count(garden, {**card, "source": ""}, mount)


class MixesOwners(DocumentedStore):
    def name(self, tenant: str, owner: str | None) -> str:
        return str(json.loads(super().name(tenant, owner))[0])


class JoinsNamesCarelessly(DocumentedStore):
    def name(self, tenant: str, owner: str | None) -> str:
        tenant_, owner_ = json.loads(super().name(tenant, owner))
        return str(tenant_ if tenant_ == owner_ else f"{tenant_}/{owner_}")


class HasADefaultGarden(DocumentedStore):
    def name(self, tenant: str, owner: str | None) -> str:
        return json.dumps([tenant.strip() or "default", (owner or "").strip() or tenant])


class DropsOwnFields(DocumentedStore):
    def insert(self, garden: dict[str, Any], row: dict[str, Any]) -> str:
        card = {name: value for name, value in row["card"].items() if name != "own"}
        return super().insert(garden, {**row, "card": card})


class RestampsEverything(DocumentedStore):
    def change(
        self, garden: dict[str, Any], row: dict[str, Any], id_: str, changes: dict[str, Any]
    ) -> None:
        super().change(garden, row, id_, changes)
        garden["cards"][id_]["updated_at"] = self.now()


class StampsEachRow(DocumentedStore):
    def insert(self, garden: dict[str, Any], row: dict[str, Any]) -> str:
        self.clock.advance(1)
        return super().insert(garden, row)


class NeverReviewsItsDreams(DocumentedStore):
    def keep_ledger(self, garden: dict[str, Any], state: Any, known: set[str]) -> None:
        super().keep_ledger(garden, state, set(garden["cards"]))


class KeepsTheDeadInTheLedger(DocumentedStore):
    def keep_ledger(self, garden: dict[str, Any], state: Any, known: set[str]) -> None:
        super().keep_ledger(garden, state, known)
        garden["ledgers"]["agent-private"]["reviewed_versions"] |= state.get(
            "reviewed_versions", {}
        )


class SharesLedgers(DocumentedStore):
    def keep_ledger(self, garden: dict[str, Any], state: Any, known: set[str]) -> None:
        super().keep_ledger(garden, {**state, "mount": "agent-private"}, known)


class ShowsTheRetired(DocumentedStore):
    def load(self, tenant: str, **how: Any) -> Snapshot:
        return super().load(tenant, **{**how, "include_superseded": True})


class HandsOutItsOwnCards(DocumentedStore):
    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.living: dict[str, dict[str, Any]] = {}

    def read(self, name: str) -> dict[str, Any]:
        return self.living.setdefault(name, super().read(name))


class TouchesOnReading(DocumentedStore):
    def load(self, tenant: str, **how: Any) -> Snapshot:
        name = self.name(tenant, how.get("owner"))
        garden = self.read(name)
        for card in garden["cards"].values():
            card["updated_at"] = self.now()
        self.commit(name, garden)
        return super().load(tenant, **how)


CAUGHT_BY: dict[type[DocumentedStore], tuple[str, ...]] = {
    ForgetsKeys: ("a_request_is_written_once", "a_receipt_can_be_looked_up"),
    IgnoresDigests: ("a_key_of_another_request_is_a_conflict", "a_receipt_can_be_looked_up"),
    AsksTheBatchOfADigestToo: ("a_request_digest_decides_alone",),
    IgnoresRevisions: ("a_stale_revision_is_a_conflict",),
    ComparesBeforeReplaying: ("a_request_is_written_once",),
    WritesHalfBatches: ("a_batch_is_written_whole_or_not_at_all",),
    NumbersByCounting: ("ids_are_never_used_again",),
    Overwrites: ("a_taken_id_is_refused",),
    ReplacesByDeleting: ("supersede_keeps_what_it_replaces",),
    ReplacesTheRetired: ("retired_targets_are_refused", "two_rows_cannot_replace_the_same_card"),
    RetiresByUpdate: ("a_new_card_is_active_and_plain_data",),
    DeletesByHiding: ("delete_removes_a_card_and_what_points_at_it",),
    LowersSeedsOnDelete: ("seeds_are_counted_and_never_lost",),
    CountsItsOwnDreams: ("seeds_are_counted_and_never_lost",),
    MixesOwners: ("owners_share_nothing", "a_tenant_without_an_owner_owns_its_cards"),
    JoinsNamesCarelessly: ("owners_share_nothing",),
    HasADefaultGarden: ("a_garden_needs_names",),
    DropsOwnFields: ("a_card_comes_back_as_it_was_given",),
    RestampsEverything: ("what_changes_nothing_moves_nothing",),
    StampsEachRow: ("one_instant_stamps_a_batch",),
    NeverReviewsItsDreams: ("the_ledger_is_written_with_the_cards",),
    KeepsTheDeadInTheLedger: ("the_ledger_is_written_with_the_cards",),
    SharesLedgers: ("each_mount_has_its_own_ledger",),
    ShowsTheRetired: ("archived_and_superseded_cards_are_told_apart",),
    HandsOutItsOwnCards: ("what_is_handed_in_and_out_is_copied",),
    TouchesOnReading: ("reading_changes_nothing",),
}


@pytest.mark.parametrize("store", CAUGHT_BY, ids=lambda store: store.__name__)
def test_a_broken_promise_is_caught_by_name(store: type[DocumentedStore]) -> None:
    assert set(CAUGHT_BY[store]) <= set(_failing(store))


def _failing(store: type[DocumentedStore]) -> Iterable[str]:
    for name, check in CHECKS.items():
        try:
            check(Subject(store))
        except Exception:  # noqa: BLE001 - whatever a broken store does, it has failed
            yield name
