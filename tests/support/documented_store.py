"""A second store, written from `core/ports/library.py` alone: gardens as JSON texts, no shared code of ours.

What it does in small steps can be broken one by one (`breakages.py`).
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.cards import card_status
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.mutations import mutation_to_dict
from memgardend.core.editorial.seeds import card_version
from memgardend.core.ports.capabilities import FULL_CAPABILITIES, Capabilities
from memgardend.core.ports.library import (
    ApplyResult,
    IdempotencyConflict,
    MutationRejected,
    RevisionConflict,
    Snapshot,
)
from memgardend.core.times import parse_time, rfc3339

EMPTY: dict[str, Any] = {
    "cards": {}, "revision": 0, "made": 0, "seeds": {}, "ledgers": {}, "receipts": {}
}  # fmt: skip


class DocumentedStore:
    """All of a garden is one JSON text: reading it makes copies, and writing it is the commit."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.gardens: dict[str, str] = {}
        self.gone: set[str] = set()  # in this batch

    def capabilities(self) -> Capabilities:
        return FULL_CAPABILITIES

    def load(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        include_archived: bool = False,
        include_superseded: bool = False,
        ids: Any = None,
    ) -> Snapshot:
        garden = self.read(self.name(tenant, owner))
        cards = [
            card
            for card in garden["cards"].values()
            if (ids is None or card["id"] in set(ids))
            and (
                not card.get("archived")
                or (include_superseded if card.get("superseded_by") else include_archived)
            )
        ]
        cards.sort(key=lambda card: (parse_time(card["created_at"], UTC), card["id"]))
        named = tenant if owner is None else owner
        return Snapshot(cards, f"r{garden['revision']}", named, garden["seeds"])

    def maintenance_state(
        self, tenant: str, *, owner: str | None = None, mount: str
    ) -> dict[str, Any]:
        ledger: dict[str, Any] = self.read(self.name(tenant, owner))["ledgers"].get(mount, {})
        return ledger

    def request_receipt(
        self, tenant: str, *, owner: str | None = None, idempotency_key: str, request_digest: str
    ) -> ApplyResult | None:
        garden = self.read(self.name(tenant, owner))
        return self.known(garden, idempotency_key, ["request", request_digest])

    def apply(
        self,
        tenant: str,
        mutations: Any,
        *,
        owner: str | None = None,
        idempotency_key: str,
        expected_revision: str | None = None,
        maintenance_state: Any = None,
        request_digest: str | None = None,
    ) -> ApplyResult:
        batch = [mutation_to_dict(one) for one in read_batch(mutations)]
        if not idempotency_key.strip():
            raise ValueError("no key")
        self.plain(batch, "batch")
        digest = ["request", request_digest]
        if request_digest is None:
            digest = ["batch", json.dumps([batch, maintenance_state], sort_keys=True)]
        name = self.name(tenant, owner)
        garden = self.read(name)
        known = self.known(garden, idempotency_key, digest)
        if known is not None:
            return known
        self.compare(garden, expected_revision)
        before = json.dumps([garden["cards"], garden["seeds"]])
        self.gone.clear()
        results = [self.write(name, garden, row) for row in batch]
        changed = json.dumps([garden["cards"], garden["seeds"]]) != before
        garden["revision"] += changed or maintenance_state is not None
        if maintenance_state is not None:
            self.keep_ledger(garden, maintenance_state, set(json.loads(before)[0]))
        result = ApplyResult(results, f"r{garden['revision']}")
        garden["receipts"][idempotency_key] = [digest, results, result.revision]
        self.commit(name, garden)
        return result

    # -- small steps ---------------------------------------------------------------------------

    def name(self, tenant: str, owner: str | None) -> str:
        named = tenant if owner is None else owner
        if not tenant.strip() or not named.strip():
            raise ValueError("blank")
        return json.dumps([tenant, named])

    def read(self, name: str) -> dict[str, Any]:
        garden: dict[str, Any] = json.loads(self.gardens.get(name) or json.dumps(EMPTY))
        return garden

    def commit(self, name: str, garden: dict[str, Any]) -> None:
        self.gardens[name] = json.dumps(garden)

    def known(self, garden: dict[str, Any], key: str, digest: list[Any]) -> ApplyResult | None:
        if key not in garden["receipts"]:
            return None
        stored, results, revision = garden["receipts"][key]
        if stored != digest:
            raise IdempotencyConflict(key)
        return ApplyResult(results, revision)

    def compare(self, garden: dict[str, Any], expected: str | None) -> None:
        current = f"r{garden['revision']}"
        if expected not in (None, current):
            raise RevisionConflict(str(expected), current)

    def write(self, name: str, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = getattr(self, row["op"])(garden, row)
        return result

    def add(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        return {"id": self.insert(garden, row), "status": "written"}

    def update(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        self.stay_active(row, row["changes"])
        self.change(garden, row, row["record_id"], row["changes"])
        return {"id": row["record_id"], "status": "updated"}

    def supersede(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        targets = row["target_ids"]
        for target in targets:
            self.active(garden, row, target)
        made = self.insert(garden, row)
        for target in targets:
            self.retire(garden, row, target, made)
        replaced = targets[0] if len(targets) == 1 else targets
        return {"id": made, "status": "superseded", "replaced": replaced}

    def retire(self, garden: dict[str, Any], row: dict[str, Any], target: str, by: str) -> None:
        self.change(garden, row, target, {"archived": True, "superseded_by": by})

    def archive(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        changes = {"archived": True, "archive_reason": row.get("reason", "")}
        self.change(garden, row, row["record_id"], changes)
        return {"id": row["record_id"], "status": "archived"}

    def delete(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        id_ = row["record_id"]
        self.existing(garden, row, id_)
        self.remove(garden, id_)
        for card in garden["cards"].values():
            if card.get("superseded_by") == id_:
                del card["superseded_by"]
                card["updated_at"] = self.now()
        return {"id": id_, "status": "deleted"}

    def remove(self, garden: dict[str, Any], id_: str) -> None:
        del garden["cards"][id_]
        self.gone.add(id_)

    def promote(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        id_, mount = row["record_id"], row["to_mount"]
        card = self.active(garden, row, id_)
        moved = card["mount"] != mount
        self.change(garden, row, id_, {"mount": mount})
        if moved:
            self.count(garden, card, mount)
        return {"id": id_, "status": "promoted", "mount": mount}

    def no_op(self, garden: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        return {"id": "", "status": "no_op", "reason": row.get("reason", "")}

    def insert(self, garden: dict[str, Any], row: dict[str, Any]) -> str:
        card = row["card"]
        self.stay_active(row, card)
        for name in ("created_at", "updated_at"):
            self.timely(row, card.get(name))
        id_ = self.free_id(garden, row, card.get("id"))
        card = {
            "created_at": self.now(),
            "updated_at": self.now(),
            **card,
            "id": id_,
            "mount": row.get("mount") or card.get("mount") or "agent-private",
        }
        garden["cards"][id_] = card
        self.count(garden, card, card["mount"])
        return id_

    def stay_active(self, row: dict[str, Any], card: dict[str, Any]) -> None:
        if card_status(card) != "active":
            raise MutationRejected(row["op"], MutationRejected.NOT_ACTIVE)

    def free_id(self, garden: dict[str, Any], row: dict[str, Any], given: str | None) -> str:
        if not given:
            garden["made"] += 1
            return f"made-{garden['made']}"
        if given in garden["cards"] or given in self.gone:
            raise MutationRejected(row["op"], MutationRejected.ID_EXISTS, given)
        return given

    def change(
        self, garden: dict[str, Any], row: dict[str, Any], id_: str, changes: dict[str, Any]
    ) -> None:
        card = self.active(garden, row, id_)
        if {**card, **changes} != card:
            card.update(changes)
            card["updated_at"] = self.now()

    def active(self, garden: dict[str, Any], row: dict[str, Any], id_: str) -> dict[str, Any]:
        card = self.existing(garden, row, id_)
        if card.get("archived"):
            raise MutationRejected(row["op"], MutationRejected.RETIRED, id_)
        return card

    def existing(self, garden: dict[str, Any], row: dict[str, Any], id_: str) -> dict[str, Any]:
        if id_ not in garden["cards"]:
            raise MutationRejected(row["op"], MutationRejected.NOT_FOUND, id_)
        card: dict[str, Any] = garden["cards"][id_]
        return card

    def count(self, garden: dict[str, Any], card: dict[str, Any], mount: str) -> None:
        if card.get("source") != "memory_dream":
            garden["seeds"][mount] = garden["seeds"].get(mount, 0) + 1

    def keep_ledger(self, garden: dict[str, Any], state: Any, known: set[str]) -> None:
        reviewed = dict(state.get("reviewed_versions", {}))
        for id_, card in garden["cards"].items():
            if id_ not in known and card.get("source") == "memory_dream":
                reviewed[id_] = card_version(card)
        mount = state.get("mount") or "agent-private"
        garden["ledgers"][mount] = {
            **state,
            "mount": mount,
            "reviewed_versions": {
                id_: version
                for id_, version in reviewed.items()
                if id_ in garden["cards"] and not garden["cards"][id_].get("archived")
            },
            "schema_version": 2,
            "revision": f"r{garden['revision']}",
            "updated_at": self.now(),
        }

    def timely(self, row: dict[str, Any], text: str | None) -> None:
        try:
            parse_time(text or "2000-01-01", UTC)
        except ValueError as error:
            raise MutationRejected(row["op"], MutationRejected.INVALID) from error

    def plain(self, value: Any, operation: str) -> None:
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise MutationRejected(operation, MutationRejected.INVALID) from error

    def now(self) -> str:
        return rfc3339(self.clock.now_ms())
