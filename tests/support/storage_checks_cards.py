"""The contract of `StoragePort`: what a store does to cards."""

from __future__ import annotations

from typing import Any

from memgardend.core.editorial.mutations import InvalidMutation, UnknownMutation
from memgardend.core.ports.library import IdempotencyConflict
from support.storage_contract import MINUTE_MS, NEXT, START, Subject, check, raises, supersede


@check
def an_empty_garden_has_a_revision_and_no_cards(s: Subject) -> None:
    snapshot = s.store.load("t", owner="ann")
    assert (snapshot.cards, snapshot.seed_generations, snapshot.owner) == ([], {}, "ann")
    assert isinstance(snapshot.revision, str)


@check
def a_card_comes_back_as_it_was_given(s: Subject) -> None:
    given: dict[str, Any] = {
        "summary": "She drinks tea",
        "content": "Two cups, no sugar.\n第二行",
        "bucket": "Food",
        "threads": ["mornings", "茶"],
        "retrieval_cues": ["what does she drink"],
        "type": "event",
        "importance": 0.61,
        "pulse": 0.3,
        "occurred_at": "2024-05-01",
        "role": "turning_point",
        "is_sensitive": True,
        "source": "any label at all",
        "source_actor": {"agent_id": "a"},
        "mount": "family-shared",
        "anchor_memory_ids": ["x"],
        "own": {"of the host": [1, 2.5, None, "三"]},
    }
    id_ = s.add(**given)
    stored = s.cards()[id_]
    assert {name: stored.get(name) for name in given} == given
    assert (stored["created_at"], stored["updated_at"]) == (START, START)


@check
def given_times_and_ids_are_kept(s: Subject) -> None:
    id_ = s.add(id="mine", created_at="2020-01-02T03:04:05+08:00")
    card = s.cards()["mine"]
    assert id_ == "mine"
    assert (card["created_at"], card["updated_at"]) == ("2020-01-02T03:04:05+08:00", START)


@check
def the_mount_of_the_mutation_decides(s: Subject) -> None:
    def mounted(mount: str, own: str) -> str:
        row = {"op": "add", "mount": mount, "card": {"summary": "x", "mount": own}}
        [result] = s.write(row).results
        return str(s.cards()[result["id"]]["mount"])

    assert mounted("family-shared", "agent-private") == "family-shared"
    assert mounted("", "user-private") == "user-private"
    assert mounted("", "") == "agent-private"
    assert s.seeds() == {"family-shared": 1, "user-private": 1, "agent-private": 1}


@check
def cards_come_by_creation(s: Subject) -> None:
    late = s.add("late")
    early = s.add("early", created_at="2020-01-01T00:00:00Z")
    assert s.active() == [early, late]


@check
def some_cards_can_be_asked_for_by_id(s: Subject) -> None:
    one, _, three = s.add("one"), s.add("two"), s.add("three")
    found = s.store.load("t", owner="ann", ids=[three, one, "nobody"])
    assert sorted(card["id"] for card in found.cards) == sorted([one, three])


@check
def what_is_handed_in_and_out_is_copied(s: Subject) -> None:
    card: dict[str, Any] = {"summary": "a", "content": "b", "threads": ["one"]}
    result = s.write({"op": "add", "card": card}, idempotency_key="k")
    assert card == {"summary": "a", "content": "b", "threads": ["one"]}
    card["threads"].append("changed by the caller")
    s.cards()[result.results[0]["id"]]["threads"].append("changed by a reader")
    result.results[0]["status"] = "changed"
    assert next(iter(s.cards().values()))["threads"] == ["one"]
    same = {"op": "add", "card": {**card, "threads": ["one"]}}
    for _ in range(2):
        replayed = s.write(same, idempotency_key="k").results[0]
        assert replayed["status"] == "written"
        replayed["status"] = "changed by a reader"


@check
def an_update_changes_fields_in_place(s: Subject) -> None:
    id_ = s.add(threads=["a"], own=1)
    s.clock.advance(MINUTE_MS)
    result = s.write({"op": "update", "record_id": id_, "changes": {"content": "new", "own": 2}})
    card = s.cards()[id_]
    assert result.results == [{"id": id_, "status": "updated"}]
    assert (card["content"], card["own"], card["threads"]) == ("new", 2, ["a"])
    assert (card["created_at"], card["updated_at"]) == (START, NEXT)


@check
def what_changes_nothing_moves_nothing(s: Subject) -> None:
    id_ = s.add("tea")
    before = (s.revision(), s.cards())
    s.clock.advance(MINUTE_MS)
    s.write({"op": "update", "record_id": id_, "changes": {"summary": "tea"}})
    s.write(
        {"op": "add", "card": {"id": "brief", "summary": "x", "source": "memory_dream"}},
        {"op": "delete", "record_id": "brief", "requested_by": "ann"},
    )
    assert (s.revision(), s.cards()) == before


@check
def an_update_cannot_touch_identity_or_origin(s: Subject) -> None:
    id_ = s.add()
    for name in ("id", "mount", "archived", "superseded_by", "source", "source_actor"):
        row = {"op": "update", "record_id": id_, "changes": {name: "x"}}
        raises(InvalidMutation, lambda row=row: s.write(row))  # type: ignore[misc]
    assert s.cards()[id_]["source"] == "chat"


@check
def supersede_keeps_what_it_replaces(s: Subject) -> None:
    one, two = s.add("one"), s.add("two")
    s.clock.advance(MINUTE_MS)
    [row] = s.write(supersede(one, two)).results
    assert (row["status"], row["replaced"]) == ("superseded", [one, two])
    for old in (one, two):
        card = s.cards()[old]
        assert (card["archived"], card["superseded_by"]) == (True, row["id"])
        assert (card["created_at"], card["updated_at"]) == (START, NEXT)
    assert s.cards()[one]["content"] == "one."
    assert s.active() == [row["id"]]
    assert s.write(supersede(row["id"])).results[0]["replaced"] == row["id"]


@check
def archived_and_superseded_cards_are_told_apart(s: Subject) -> None:
    shelved, old, kept = s.add("a"), s.add("b"), s.add("c")
    s.write({"op": "archive", "record_id": shelved, "reason": "done"}, supersede(old))
    assert s.cards()[shelved]["archive_reason"] == "done"
    load = s.store.load
    archived = {c["id"] for c in load("t", owner="ann", include_archived=True).cards}
    replaced = {c["id"] for c in load("t", owner="ann", include_superseded=True).cards}
    assert {kept, shelved} <= archived and old not in archived
    assert {kept, old} <= replaced and shelved not in replaced


@check
def delete_removes_a_card_and_what_points_at_it(s: Subject) -> None:
    old = s.add("old")
    new = s.write(supersede(old)).results[0]["id"]
    assert s.write({"op": "delete", "record_id": new, "requested_by": "ann"}).results == [
        {"id": new, "status": "deleted"}
    ]
    assert set(s.cards()) == {old}
    assert not s.cards()[old].get("superseded_by") and s.cards()[old]["archived"]
    s.write({"op": "delete", "record_id": old, "requested_by": "ann"})
    assert s.cards() == {}
    again = s.add("again")
    s.write(
        supersede(again, id="brief"), {"op": "delete", "record_id": "brief", "requested_by": "ann"}
    )
    assert set(s.cards()) == {again} and not s.cards()[again].get("superseded_by")


@check
def ids_are_never_used_again(s: Subject) -> None:
    used = {s.add(), s.add()}
    for id_ in used:
        s.write({"op": "delete", "record_id": id_, "requested_by": "ann"})
    assert s.add() not in used


@check
def promote_changes_the_mount_and_nothing_else(s: Subject) -> None:
    id_ = s.add()
    before = s.cards()[id_]
    [row] = s.write({"op": "promote", "record_id": id_, "to_mount": "family-shared"}).results
    assert row == {"id": id_, "status": "promoted", "mount": "family-shared"}
    assert s.cards()[id_] == {**before, "mount": "family-shared"}


@check
def no_op_leaves_a_receipt_and_nothing_else(s: Subject) -> None:
    s.add()
    before = (s.revision(), s.cards())
    result = s.write({"op": "no_op", "reason": "nothing"}, idempotency_key="empty")
    assert result.results == [{"id": "", "status": "no_op", "reason": "nothing"}]
    assert (s.revision(), s.cards()) == before
    raises(IdempotencyConflict, lambda: s.write({"op": "no_op"}, idempotency_key="empty"))


@check
def what_is_no_mutation_is_refused(s: Subject) -> None:
    raises(UnknownMutation, lambda: s.write({"op": "explode"}))
    raises(InvalidMutation, lambda: s.write({"op": "delete", "record_id": "x"}))
    good = {"op": "add", "card": {"summary": "a", "content": "b"}}
    raises(InvalidMutation, lambda: s.write(good, {"op": "add"}))
    assert s.cards() == {}
