"""The contract of `StoragePort` as named checks, so that any store can be put to it, and a broken one named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.mutations import InvalidMutation, UnknownMutation
from memgardend.core.editorial.seeds import card_version
from memgardend.core.ports.library import (
    ApplyResult,
    IdempotencyConflict,
    MutationRejected,
    RevisionConflict,
    StoragePort,
)

START_MS = 1_796_083_200_000  # 2026-12-01T00:00:00Z
START, NEXT = "2026-12-01T00:00:00Z", "2026-12-01T00:01:00Z"
MINUTE_MS = 60_000

Check = Callable[["Subject"], None]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    CHECKS[function.__name__] = function
    return function


class Subject:
    """A new, empty store under test, with the clock that drives it."""

    def __init__(self, make: Callable[[ManualClock], StoragePort]) -> None:
        self.clock = ManualClock(START_MS)
        self.store = make(self.clock)
        self._keys = 0

    def write(self, *mutations: Mapping[str, Any], owner: str = "ann", **how: Any) -> ApplyResult:
        """Apply under a new key, unless one is given."""
        self._keys += 1
        how.setdefault("idempotency_key", f"key-{self._keys}")
        return self.store.apply("t", list(mutations), owner=owner, **how)

    def add(self, summary: str = "tea", owner: str = "ann", **card: Any) -> str:
        full = {"summary": summary, "content": f"{summary}.", "source": "chat", **card}
        return str(self.write({"op": "add", "card": full}, owner=owner).results[0]["id"])

    def cards(self, owner: str = "ann") -> dict[str, dict[str, Any]]:
        """All cards by id, retired ones included."""
        snapshot = self.store.load("t", owner=owner, include_archived=True, include_superseded=True)
        return {card["id"]: card for card in snapshot.cards}

    def active(self, owner: str = "ann") -> list[str]:
        return [card["id"] for card in self.store.load("t", owner=owner).cards]

    def revision(self, owner: str = "ann") -> str:
        return self.store.load("t", owner=owner).revision

    def seeds(self) -> dict[str, int]:
        return dict(self.store.load("t", owner="ann").seed_generations)

    def refused(self, *mutations: Mapping[str, Any], reason: str, **how: Any) -> None:
        """The batch is rejected for this reason, and leaves no trace."""
        before = (self.cards(), self.revision(), self.seeds(), self.ledger())
        try:
            self.write(*mutations, **how)
        except MutationRejected as rejected:
            assert rejected.reason == reason, rejected.reason
        else:
            raise AssertionError(f"the store took what it has to refuse: {reason}")
        assert (self.cards(), self.revision(), self.seeds(), self.ledger()) == before

    def ledger(self, mount: str = "agent-private") -> dict[str, Any]:
        return self.store.maintenance_state("t", owner="ann", mount=mount)


def raises(wanted: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except wanted:
        return
    raise AssertionError(f"no {wanted.__name__}")


def supersede(*targets: str, summary: str = "new", **card: Any) -> dict[str, Any]:
    full = {"summary": summary, "content": f"{summary}.", "source": "chat", **card}
    return {"op": "supersede", "target_ids": list(targets), "card": full}


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
    again = s.write({"op": "add", "card": {**card, "threads": ["one"]}}, idempotency_key="k")
    assert again.results[0]["status"] == "written"


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
def an_update_that_changes_nothing_moves_nothing(s: Subject) -> None:
    id_ = s.add("tea")
    before = (s.revision(), s.cards())
    s.clock.advance(MINUTE_MS)
    s.write({"op": "update", "record_id": id_, "changes": {"summary": "tea"}})
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


@check
def missing_targets_are_refused(s: Subject) -> None:
    for row in (
        {"op": "update", "record_id": "nobody", "changes": {"content": "x"}},
        {"op": "archive", "record_id": "nobody"},
        {"op": "delete", "record_id": "nobody", "requested_by": "ann"},
        {"op": "promote", "record_id": "nobody", "to_mount": "m"},
        supersede("nobody"),
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


@check
def a_new_card_is_active_and_plain_data(s: Subject) -> None:
    for life in ({"archived": True}, {"superseded_by": "x"}, {"deleted": True}):
        s.refused({"op": "add", "card": {"summary": "x", **life}}, reason="not_active")
    for bad in ({"own": object()}, {"summary": "\ud800"}, {"created_at": "yesterday"}):
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
