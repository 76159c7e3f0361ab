"""A garden that is consolidated in a test: its cards, what a model says of them, and what a store makes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.maintenance_request import MaintenanceRequest
from memgardend.core.editorial.mutations import Supersede
from memgardend.core.editorial.results import MaintenanceResult

Card = dict[str, Any]
NOTHING = json.dumps({"consolidations": [], "questions_to_ask": []})


def card(identity: str, **fields: Any) -> Card:
    """An active card that says what its id is."""
    told = {
        "summary": f"Something about {identity}-day",
        "content": f"On {identity}-day there was a walk along the river.",
        "source": "conversation_capture",
        "created_at": "2026-01-01T00:00:00Z",
    }
    return {"id": identity, **told, **fields}


def garden(count: int) -> list[Card]:
    """So many cards, the oldest first."""
    return [card(f"c{number:03}") for number in range(count)]


def row(*card_ids: str, **fields: Any) -> dict[str, Any]:
    """One consolidation as a model writes it."""
    told = {"op": "merge", "card_ids": list(card_ids), "rationale": "one continuing story"}
    return {**told, "result": result(), **fields}


def result(**fields: Any) -> dict[str, Any]:
    """The new card of a consolidation."""
    return {"summary": "A walk by the river", "content": "They walked along the river.", **fields}


def reply(*rows: object, **fields: Any) -> str:
    """A whole reply."""
    return json.dumps({"consolidations": rows, **fields}, ensure_ascii=False)


def request(cards: Sequence[Card], **fields: Any) -> MaintenanceRequest:
    """A request for an English garden."""
    return MaintenanceRequest(**{"cards": cards, "locale": "en", **fields})


def consolidate(
    asked: MaintenanceRequest, *replies: str, max_retries: int = 1
) -> MaintenanceResult:
    """Run a consolidation with these replies; all of them must be asked for, and no more."""
    session = MaintenanceSession(asked, max_retries=max_retries)
    for one in replies:
        session.feed(one)
    assert session.next_prompt is None
    assert session.result is not None
    return session.result


def committed(asked: MaintenanceRequest, made: MaintenanceResult) -> MaintenanceRequest:
    """What the same host asks next, after its store has taken the result."""
    cards = [dict(one) for one in asked.cards]
    for number, mutation in enumerate(made.mutations):
        assert isinstance(mutation, Supersede)
        identity = f"d{len(cards)}-{number}"
        for one in cards:
            if one["id"] in mutation.target_ids:
                one.update(archived=True, superseded_by=identity)
        cards.append({**mutation.card, "id": identity, "created_at": "2026-02-01T00:00:00Z"})
    return replace(asked, cards=cards, ledger=made.ledger or asked.ledger)
