"""The seven operations, read and written."""

from __future__ import annotations

from typing import Any

import pytest

from memgardend.core.editorial.cards import Card
from memgardend.core.editorial.mutation_reading import read_batch, read_mutation
from memgardend.core.editorial.mutations import (
    FORBIDDEN_CHANGES,
    Add,
    Archive,
    Capability,
    Delete,
    InvalidMutation,
    Mutation,
    NoOp,
    Promote,
    Supersede,
    UnknownMutation,
    Update,
    mutation_to_dict,
    needed_capabilities,
)

CARD: Card = {"summary": "Mei has a dog", "content": "Mei has a dog called Bruno."}
EXAMPLES: list[tuple[dict[str, Any], Mutation]] = [
    ({"op": "add", "card": CARD}, Add(card=CARD)),
    (
        {"op": "update", "record_id": "a", "changes": {"bucket": "Pets"}},
        Update(record_id="a", changes={"bucket": "Pets"}),
    ),
    (
        {"op": "supersede", "card": CARD, "target_ids": ["a", "b"], "rationale": "one story"},
        Supersede(card=CARD, target_ids=("a", "b"), rationale="one story"),
    ),
    ({"op": "archive", "record_id": "a", "reason": "over"}, Archive(record_id="a", reason="over")),
    (
        {"op": "delete", "record_id": "a", "requested_by": "u"},
        Delete(record_id="a", requested_by="u"),
    ),
    (
        {"op": "promote", "record_id": "a", "to_mount": "user-private", "mount": "agent-private"},
        Promote(record_id="a", to_mount="user-private", mount="agent-private"),
    ),
    ({"op": "no_op", "reason": "nothing_worth_keeping"}, NoOp(reason="nothing_worth_keeping")),
]


@pytest.mark.parametrize(("raw", "mutation"), EXAMPLES)
def test_a_mutation_is_read_and_written_back(raw: dict[str, Any], mutation: Mutation) -> None:
    assert read_mutation(raw) == mutation
    assert mutation_to_dict(mutation) == raw


def test_targets_are_joined_and_stand_once() -> None:
    read = read_mutation(
        {"op": "supersede", "card": CARD, "target_id": "a", "target_ids": ["b", "a"]}
    )
    assert isinstance(read, Supersede)
    assert read.target_ids == ("a", "b")
    for op, extra in (
        ("archive", {}),
        ("delete", {"requested_by": "u"}),
        ("promote", {"to_mount": "m"}),
    ):
        assert read_mutation({"op": op, "target_id": "a", **extra}).record_id == "a"  # type: ignore[union-attr]


def test_keys_of_one_row_are_known_and_left_out() -> None:
    raw = {"op": "no_op", "idempotency_key": "k", "expected_revision": "7"}
    assert read_mutation(raw) == NoOp()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("add", "a mutation is a mapping"),
        ({"op": "add"}, "add needs `card`"),
        ({"op": "add", "card": {}}, "add needs `card`"),
        ({"op": "add", "card": CARD, "target": "a"}, "unknown fields: target"),
        ({"op": "update", "changes": {"bucket": "Pets"}}, "update needs `record_id`"),
        ({"op": "update", "record_id": "a", "changes": {}}, "update needs `changes`"),
        ({"op": "supersede", "card": CARD, "target_ids": [" "]}, "supersede needs `target_id`"),
        ({"op": "archive", "record_id": 7}, "`record_id` must be a text"),
        ({"op": "delete", "record_id": "a"}, "delete needs `requested_by`"),
        ({"op": "promote", "record_id": "a"}, "promote needs `to_mount`"),
    ],
)
def test_what_is_no_mutation_says_why(raw: object, message: str) -> None:
    with pytest.raises(InvalidMutation, match=message):
        read_batch([{"op": "no_op"}, raw])


@pytest.mark.parametrize("name", ["merge", "", None, 3])
def test_an_unknown_operation_is_refused_with_those_there_are(name: object) -> None:
    with pytest.raises(UnknownMutation) as caught:
        read_mutation({"op": name})
    assert isinstance(caught.value, ValueError)
    assert "supersede" in (caught.value.hint or "")


@pytest.mark.parametrize("field", sorted(FORBIDDEN_CHANGES))
def test_an_update_touches_neither_identity_nor_origin(field: str) -> None:
    with pytest.raises(InvalidMutation, match=field):
        read_mutation({"op": "update", "record_id": "a", "changes": {field: "x", "bucket": "Pets"}})


@pytest.mark.parametrize(
    ("rows", "needed"),
    [
        ([], set()),
        ([0], set()),
        ([2], {Capability.SUPERSEDE}),
        ([4], {Capability.HARD_DELETE}),
        ([0, 0], {Capability.ATOMIC_BATCH}),
        ([2, 4], set(Capability)),
    ],
)
def test_what_a_batch_needs(rows: list[int], needed: set[Capability]) -> None:
    assert needed_capabilities([EXAMPLES[at][1] for at in rows]) == needed
