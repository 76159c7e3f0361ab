"""Consolidations and a store: what the next one finds."""

from __future__ import annotations

from typing import Any

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.maintenance_request import MaintenanceRequest
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.editorial.mutations import NoOp
from memgardend.core.editorial.results import MaintenanceResult
from support.consolidating import NOTHING, Card, card, reply, request, row

MEI = "mei"
MOUNT = "agent-private"


class Night:
    """A host that consolidates what its store holds, one run after the other."""

    def __init__(self, cards: list[Card]) -> None:
        self.store = InMemoryStore(clock=ManualClock(1_700_000_000_000))
        self.write([{"op": "add", "card": one} for one in cards], key="seeds")

    def write(self, rows: list[dict[str, Any]], key: str) -> None:
        self.store.apply(MEI, rows, idempotency_key=key)

    def ask(self) -> MaintenanceRequest:
        shot = self.store.load(MEI, include_archived=True, include_superseded=True)
        return request(shot.cards, ledger=self.store.maintenance_state(MEI, mount=MOUNT))

    def run(self, said: str) -> MaintenanceResult:
        session = MaintenanceSession(self.ask())
        while session.next_prompt is not None:
            session.feed(said)
        made = session.result
        assert made is not None
        if made.ledger is not None:
            key = f"night:{self.store.load(MEI).revision}"
            rows = made.mutations or (NoOp(),)
            self.store.apply(MEI, rows, idempotency_key=key, maintenance_state=made.ledger)
        return made


def test_what_it_wrote_is_reviewed_and_an_edit_of_it_is_not() -> None:
    night = Night([card("a1"), card("a2"), card("a3")])
    assert night.run(reply(row("a1", "a2"))).needed
    assert not night.run(NOTHING).needed
    (new,) = (one for one in night.store.load(MEI).cards if one["source"] == "memory_dream")
    state = night.store.maintenance_state(MEI, mount=MOUNT)
    assert set(state["reviewed_versions"]) == {"a3", new["id"]}
    night.write([{"op": "update", "record_id": new["id"], "changes": {"content": "No."}}], "edit")
    assert night.run(NOTHING).trace["pending"] == 1


def test_old_cards_point_at_the_new_one_and_are_no_targets_again() -> None:
    night = Night([card("a1"), card("a2")])
    night.run(reply(row("a1")))
    everything = night.store.load(MEI, include_superseded=True).cards
    (old,) = (one for one in everything if one["id"] == "a1")
    (new,) = (one for one in everything if one["source"] == "memory_dream")
    assert old["superseded_by"] == new["id"]
    night.write([{"op": "update", "record_id": "a2", "changes": {"content": "More."}}], "edit")
    again = night.run(reply(row("a1")))
    assert again.error == "maintenance_targets_rejected"
    assert night.run(NOTHING).error is None


def test_an_error_leaves_the_ledger_as_it_was() -> None:
    night = Night([card("a1")])
    assert night.run("prose").error == "no_json_object"
    assert night.store.maintenance_state(MEI, mount=MOUNT) == {}
    assert night.run(NOTHING).needed
