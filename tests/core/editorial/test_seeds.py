"""When a garden is due for a consolidation: by counting seeds, and card by card."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.seeds import (
    DueReason,
    MaintenanceLedger,
    card_version,
    dream_idempotency_key,
    needs_dream,
    needs_review,
    pending_cards,
    seed_snapshot,
)

Cards = list[dict[str, Any]]


def card(identity: str, **fields: Any) -> dict[str, Any]:
    told = {"summary": f"About {identity}", "created_at": "2026-01-01T00:00:00Z", **fields}
    return {"id": identity, "source": "conversation_capture", **told}


def garden(count: int) -> Cards:
    return [card(f"c{number:03}") for number in range(count)]


def ledger(cards: Cards) -> MaintenanceLedger:
    seen = seed_snapshot(cards)
    versions = {one["id"]: card_version(one) for one in cards}
    return MaintenanceLedger(seen.signature, seen.seed_count, versions)


@pytest.mark.parametrize(
    ("now", "before", "reason", "new_cards"),
    [
        (0, 0, DueReason.NO_MEMORY_CARDS, 0),
        (1, 0, DueReason.NOT_ENOUGH_NEW_CARDS, 1),
        (12, 12, DueReason.ALREADY_DREAMED, 0),
        (21, 12, DueReason.NOT_ENOUGH_NEW_CARDS, 9),
        (22, 12, DueReason.DUE, 10),
        (5, 12, DueReason.NOT_ENOUGH_NEW_CARDS, 0),
    ],
)
def test_the_reasons_in_their_order(
    now: int, before: int, reason: DueReason, new_cards: int
) -> None:
    check = needs_dream(seed_snapshot(garden(now)), ledger(garden(before)))
    assert (check.needed, check.reason, check.trace["new_cards"]) == (
        reason is DueReason.DUE,
        reason,
        new_cards,
    )


def test_a_garden_that_was_never_dreamed_is_due_at_the_threshold_of_its_host() -> None:
    snapshot = seed_snapshot(garden(3))
    assert needs_dream(snapshot, MaintenanceLedger(), min_new_cards=3).needed
    assert not needs_dream(snapshot, MaintenanceLedger(), min_new_cards=4).needed


def test_what_a_dream_wrote_is_a_card_and_no_seed() -> None:
    before = seed_snapshot(garden(3))
    after = seed_snapshot([*garden(3), card("new", source="memory_dream")])
    assert (after.card_count, after.seed_count) == (4, 3)
    assert after.signature == before.signature


def test_a_host_may_have_a_word_of_its_own_for_what_a_dream_wrote() -> None:
    own = card("new", source="night")
    assert seed_snapshot([own], consolidated_source="night").seed_count == 0
    assert pending_cards([own], {}, consolidated_source="night") == []


def test_retired_seeds_still_count() -> None:
    assert seed_snapshot([card("a", archived=True)]).seed_count == 1


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("created_at", True),
        ("occurred_at", True),
        ("source", True),
        ("id", True),
        ("summary", False),
        ("content", False),
        ("importance", False),
    ],
)
def test_what_moves_the_signature(name: str, moves: bool) -> None:
    before, after = seed_snapshot([card("a")]), seed_snapshot([{**card("a"), name: "other"}])
    assert (before.signature != after.signature) is moves


seeds = st.lists(
    st.builds(card, st.text(min_size=1, max_size=4), occurred_at=st.none() | st.text(max_size=4)),
    unique_by=lambda one: one["id"],
    max_size=8,
)


@given(seeds, st.lists(st.text(min_size=5, max_size=6)), st.randoms(use_true_random=False))
def test_the_signature_knows_neither_order_nor_what_dreams_wrote(
    cards: Cards, dreamed: list[str], random: Any
) -> None:
    shuffled = [*cards, *(card(one, source="memory_dream") for one in dreamed)]
    random.shuffle(shuffled)
    assert seed_snapshot(shuffled).signature == seed_snapshot(cards).signature


def test_the_key_is_stable_and_moves_with_seeds_ledger_and_extras() -> None:
    first, second = seed_snapshot(garden(3)), seed_snapshot(garden(4))
    key = dream_idempotency_key(first, MaintenanceLedger())
    assert key == dream_idempotency_key(first, MaintenanceLedger(seed_card_count=9))
    assert key.startswith("dream:") and len(key) == len("dream:") + 32
    others = (
        dream_idempotency_key(second, MaintenanceLedger()),
        dream_idempotency_key(first, ledger(garden(2))),
        dream_idempotency_key(first, MaintenanceLedger(), {"mount": "family-shared"}),
    )
    assert len({key, *others}) == 4


@pytest.mark.parametrize(
    ("change", "pending"),
    [
        ({"summary": "Something else"}, True),
        ({"content": "more"}, True),
        ({"bucket": "Work"}, True),
        ({"threads": ["trip"]}, True),
        ({"retrieval_cues": ["hint"]}, True),
        ({"importance": 0.9}, True),
        ({"updated_at": "2027-01-01T00:00:00Z"}, False),
        ({"hits": 7}, False),
        ({"archived": True, "summary": "Something else"}, False),
    ],
)
def test_an_edit_makes_a_card_pending_again_and_a_read_does_not(
    change: dict[str, Any], pending: bool
) -> None:
    assert bool(
        pending_cards([{**card("a"), **change}], ledger([card("a")]).reviewed_versions)
    ) is (pending)


def test_the_oldest_wait_first_then_by_id() -> None:
    cards = [card("c"), card("b"), card("a", created_at="2026-02-01T00:00:00Z")]
    assert [one["id"] for one in pending_cards(cards, {})] == ["b", "c", "a"]


def test_a_card_that_says_nothing_waits_for_no_review() -> None:
    assert pending_cards([card("a", summary=" "), {"summary": "no id"}], {}) == []


def test_what_a_dream_wrote_waits_for_a_review_only_once_it_was_edited() -> None:
    dreamed = card("a", source="memory_dream")
    assert pending_cards([dreamed], {}) == []
    assert pending_cards([dreamed], {"a": card_version(dreamed)}) == []
    assert pending_cards([dreamed | {"content": "edited"}], {"a": card_version(dreamed)})


def test_a_host_may_let_pending_cards_gather() -> None:
    check = needs_review(garden(3), MaintenanceLedger(), min_pending=4)
    assert (check.needed, check.reason, check.trace) == (False, "already_reviewed", {"pending": 3})
    assert needs_review(garden(4), MaintenanceLedger(), min_pending=4).reason == "pending_cards"
    assert not needs_review([], MaintenanceLedger(), min_pending=0).needed


def test_a_ledger_survives_its_store() -> None:
    kept = ledger(garden(2))
    assert MaintenanceLedger.from_state(kept.to_state()) == kept
    assert MaintenanceLedger.from_state({}) == MaintenanceLedger()
