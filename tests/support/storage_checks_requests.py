"""The contract of `StoragePort`: what it refuses, whom it serves, and what it keeps of requests."""

from __future__ import annotations

from typing import Any

from memgardend.core.editorial.seeds import card_version
from memgardend.core.ports.library import (
    ApplyResult,
    IdempotencyConflict,
    MutationRejected,
    RevisionConflict,
)
from support.storage_contract import MINUTE_MS, START, Subject, check, raises, supersede


@check
def missing_targets_are_refused(s: Subject) -> None:
    for row in (
        {"op": "update", "record_id": "nobody", "changes": {"content": "x"}},
        {"op": "archive", "record_id": "nobody"},
        {"op": "delete", "record_id": "nobody", "requested_by": "ann"},
        {"op": "promote", "record_id": "nobody", "to_mount": "m"},
        supersede("nobody"),
        supersede("itself", id="itself"),
    ):
        s.refused(row, reason="not_found")


@check
def retired_targets_are_refused(s: Subject) -> None:
    old, shelved = s.add("old"), s.add("shelved")
    s.write(supersede(old), {"op": "archive", "record_id": shelved})
    for id_ in (old, shelved):
        for row in (
            supersede(id_),
            {"op": "update", "record_id": id_, "changes": {"content": "x"}},
            {"op": "archive", "record_id": id_, "reason": "again"},
            {"op": "promote", "record_id": id_, "to_mount": "m"},
        ):
            s.refused(row, reason="retired")


@check
def two_rows_cannot_replace_the_same_card(s: Subject) -> None:
    one, two = s.add("one"), s.add("two")
    s.refused(supersede(one), supersede(two, one), reason="retired")


@check
def a_taken_id_is_refused(s: Subject) -> None:
    id_ = s.add()
    gone = s.add()
    s.write(supersede(id_), {"op": "delete", "record_id": gone, "requested_by": "ann"})
    s.refused({"op": "add", "card": {"id": id_, "summary": "x"}}, reason="id_exists")
    s.refused(supersede(s.active()[0], id=id_), reason="id_exists")
    kept = s.active()[0]
    delete = {"op": "delete", "record_id": kept, "requested_by": "ann"}
    s.refused(delete, {"op": "add", "card": {"id": kept, "summary": "x"}}, reason="id_exists")


@check
def a_new_card_is_active_and_plain_data(s: Subject) -> None:
    lives: list[dict[str, Any]] = [{"archived": True}, {"superseded_by": "x"}, {"deleted": True}]
    for life in (*lives, {"status": "archived"}, {"status": "odd"}):
        s.refused({"op": "add", "card": {"summary": "x", **life}}, reason="not_active")
    id_ = s.add()
    for life in ({"status": "deleted"}, {"status": "superseded"}, {"lifecycle": "odd"}):
        row = {"op": "update", "record_id": id_, "changes": life}
        s.refused(row, reason="not_active")
    for bad in (
        {"own": object()},
        {"own": float("nan")},
        {"summary": "\ud800"},
        {"created_at": "yesterday"},
    ):
        s.refused({"op": "add", "card": {"summary": "x", **bad}}, reason="invalid")


@check
def a_batch_is_written_whole_or_not_at_all(s: Subject) -> None:
    one, two = s.add("one"), s.add("two")
    s.refused(
        {"op": "add", "card": {"summary": "new"}},
        supersede(one),
        {"op": "archive", "record_id": two},
        {"op": "delete", "record_id": two, "requested_by": "ann"},
        {"op": "update", "record_id": "nobody", "changes": {"content": "x"}},
        reason="not_found",
        maintenance_state={"signature": "s"},
        idempotency_key="again",
    )
    s.write({"op": "archive", "record_id": two}, idempotency_key="again")  # the key is still free


@check
def a_row_sees_the_rows_before_it(s: Subject) -> None:
    s.write(
        {"op": "add", "card": {"id": "a", "summary": "a"}},
        {"op": "update", "record_id": "a", "changes": {"content": "b"}},
        {"op": "supersede", "target_id": "a", "card": {"id": "b", "summary": "b"}},
        {"op": "add", "card": {"id": "c", "summary": "c"}},
        {"op": "delete", "record_id": "c", "requested_by": "ann"},
    )
    assert s.active() == ["b"]
    assert s.cards()["a"]["content"] == "b" and s.cards().keys() == {"a", "b"}


@check
def one_instant_stamps_a_batch(s: Subject) -> None:
    cards = [{"op": "add", "card": {"summary": str(n), "content": str(n)}} for n in range(3)]
    s.write(*cards)
    assert {card["created_at"] for card in s.cards().values()} == {START}


@check
def owners_share_nothing(s: Subject) -> None:
    id_ = s.add("secret")
    before = s.cards()
    for row in (
        {"op": "update", "record_id": id_, "changes": {"content": "x"}},
        {"op": "delete", "record_id": id_, "requested_by": "bob"},
        supersede(id_),
    ):
        raises(MutationRejected, lambda row=row: s.write(row, owner="bob"))  # type: ignore[misc]
    assert (s.cards("bob"), s.cards()) == ({}, before)
    card = {"id": id_, "summary": "bob's own", "content": "x"}
    other = s.write({"op": "add", "card": card}, owner="bob", idempotency_key="key-1")
    assert other.results[0]["id"] == id_ and s.cards() == before
    assert s.store.load("t2", owner="ann").cards == []
    s.store.apply("t/x", [{"op": "add", "card": {"summary": "a"}}], idempotency_key="k")
    for tenant, named in (("t%2Fx", "t%2Fx"), ("t", "x"), ("t", "t/x"), ("t/x", "x")):
        assert s.store.load(tenant, owner=named).cards == []
    assert s.store.load("t/ann", owner="t/ann").cards == s.store.load("t").cards == []


@check
def a_garden_needs_names(s: Subject) -> None:
    for tenant, owner in (("", "ann"), (" ", "ann"), ("t", ""), ("t", "  "), ("", None)):
        raises(ValueError, lambda t=tenant, o=owner: s.store.load(t, owner=o))  # type: ignore[misc]
        raises(
            ValueError,
            lambda t=tenant, o=owner: s.store.apply(  # type: ignore[misc]
                t, [{"op": "no_op"}], owner=o, idempotency_key="k"
            ),
        )
    raises(ValueError, lambda: s.write({"op": "no_op"}, idempotency_key=" "))


@check
def a_tenant_without_an_owner_owns_its_cards(s: Subject) -> None:
    s.store.apply("solo", [{"op": "add", "card": {"summary": "a"}}], idempotency_key="k")
    assert len(s.store.load("solo").cards) == len(s.store.load("solo", owner="solo").cards) == 1
    assert s.store.load("solo", owner="other").cards == []


@check
def a_request_is_written_once(s: Subject) -> None:
    row = {"op": "add", "card": {"summary": "a", "content": "b"}}
    first = s.write(row, idempotency_key="k")
    s.write({"op": "delete", "record_id": first.results[0]["id"], "requested_by": "ann"})
    s.clock.advance(MINUTE_MS)
    again = s.write(row, idempotency_key="k", expected_revision="long ago")
    assert (again, s.cards()) == (first, {})


@check
def a_key_of_another_request_is_a_conflict(s: Subject) -> None:
    s.write({"op": "add", "card": {"summary": "a"}}, idempotency_key="k")
    before = s.cards()
    other = {"op": "add", "card": {"summary": "b"}}
    raises(IdempotencyConflict, lambda: s.write(other, idempotency_key="k"))
    same = {"op": "add", "card": {"summary": "a"}}
    raises(
        IdempotencyConflict,
        lambda: s.write(same, idempotency_key="k", maintenance_state={"signature": "s"}),
    )
    assert s.cards() == before


@check
def a_request_digest_decides_alone(s: Subject) -> None:
    row = {"op": "add", "card": {"summary": "a"}}
    first = s.write(row, idempotency_key="k", request_digest="d1")
    other = {"op": "add", "card": {"summary": "what another model call said"}}
    assert s.write(other, idempotency_key="k", request_digest="d1") == first
    raises(IdempotencyConflict, lambda: s.write(row, idempotency_key="k", request_digest="d2"))
    raises(IdempotencyConflict, lambda: s.write(row, idempotency_key="k"))
    assert len(s.cards()) == 1


@check
def a_receipt_can_be_looked_up(s: Subject) -> None:
    def receipt(digest: str, owner: str = "ann") -> ApplyResult | None:
        return s.store.request_receipt("t", owner=owner, idempotency_key="k", request_digest=digest)

    assert receipt("d1") is None
    row = {"op": "add", "card": {"summary": "a"}}
    first = s.write(row, idempotency_key="k", request_digest="d1")
    assert receipt("d1") == first
    assert receipt("d1", owner="bob") is None
    raises(IdempotencyConflict, lambda: receipt("d2"))


@check
def a_stale_revision_is_a_conflict(s: Subject) -> None:
    id_ = s.add()
    seen = s.revision()
    row = {"op": "update", "record_id": id_, "changes": {"content": "first"}}
    fresh = s.write(row, expected_revision=seen)
    assert fresh.revision == s.revision() != seen
    late = {"op": "update", "record_id": id_, "changes": {"content": "late"}}
    raises(RevisionConflict, lambda: s.write(late, expected_revision=seen))
    raises(RevisionConflict, lambda: s.write(late, expected_revision="of another store"))
    assert s.cards()[id_]["content"] == "first"


@check
def every_change_moves_the_revision(s: Subject) -> None:
    seen = [s.revision(), (s.add(id="a"), s.revision())[1]]
    for row in (
        {"op": "update", "record_id": "a", "changes": {"content": "x"}},
        {"op": "promote", "record_id": "a", "to_mount": "m"},
        {"op": "supersede", "target_id": "a", "card": {"id": "b", "summary": "b"}},
        {"op": "archive", "record_id": "b"},
        {"op": "delete", "record_id": "b", "requested_by": "ann"},
    ):
        seen.append(s.write(row).revision)
    seen.append(s.write({"op": "no_op"}, maintenance_state={"signature": "s"}).revision)
    assert len(set(seen)) == len(seen)


@check
def seeds_are_counted_and_never_lost(s: Subject) -> None:
    one = s.add()
    s.add(mount="family-shared")
    assert s.seeds() == {"agent-private": 1, "family-shared": 1}
    s.write(supersede(one, id="two"))
    s.write(supersede("two", source="memory_dream", id="three"))
    s.add(source="memory_dream")
    assert s.seeds() == {"agent-private": 2, "family-shared": 1}
    s.write({"op": "delete", "record_id": "two", "requested_by": "ann"})
    four = s.add()
    s.write({"op": "promote", "record_id": four, "to_mount": "agent-private"})
    s.write({"op": "promote", "record_id": four, "to_mount": "family-shared"})
    s.write({"op": "promote", "record_id": "three", "to_mount": "family-shared"})
    assert s.seeds() == {"agent-private": 3, "family-shared": 2}


@check
def the_ledger_is_written_with_the_cards(s: Subject) -> None:
    old, kept, gone = s.add("old"), s.add("kept"), s.add("gone")
    assert s.ledger() == {}
    state = {
        "signature": "sig",
        "seed_card_count": 3,
        "reviewed_versions": {old: "v1", kept: "v2", "nobody": "v3", gone: "v4"},
    }
    result = s.write(
        supersede(old, source="memory_dream", id="made"),
        {"op": "delete", "record_id": gone, "requested_by": "ann"},
        {"op": "add", "card": {"id": "new", "summary": "a seed"}},
        maintenance_state=state,
    )
    ledger = s.ledger()
    assert ledger["reviewed_versions"] == {kept: "v2", "made": card_version(s.cards()["made"])}
    assert (ledger["signature"], ledger["seed_card_count"]) == ("sig", 3)
    assert (ledger["schema_version"], ledger["revision"]) == (2, result.revision)
    assert (ledger["mount"], ledger["updated_at"]) == ("agent-private", START)


@check
def each_mount_has_its_own_ledger(s: Subject) -> None:
    s.write({"op": "no_op"}, maintenance_state={"signature": "a"})
    s.write({"op": "no_op"}, maintenance_state={"signature": "b", "mount": "family-shared"})
    assert (s.ledger()["signature"], s.ledger("family-shared")["signature"]) == ("a", "b")
    assert s.store.maintenance_state("t", owner="bob", mount="agent-private") == {}


@check
def reading_changes_nothing(s: Subject) -> None:
    s.add()
    before = (s.revision(), s.cards())
    s.clock.advance(MINUTE_MS)
    s.store.load("t", owner="ann")
    s.store.maintenance_state("t", owner="ann", mount="agent-private")
    s.store.request_receipt("t", owner="ann", idempotency_key="k", request_digest="d")
    assert (s.revision(), s.cards()) == before
