"""A component with a store: load, judge, write in one step, receipt; and what a scope keeps apart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from memgardend import (
    Capabilities,
    CaptureResult,
    GardenComponent,
    ImportRequest,
    InMemoryStore,
    MaintenanceRequest,
    MigrateRequest,
    MissingMemoryOwner,
    MountedGarden,
    MountPermissionError,
    Scope,
    SqliteStore,
    Step,
    StoragePort,
    UnsupportedOperation,
)
from memgardend.core.editorial.importing.progress import digest
from memgardend.core.editorial.mutation_reading import read_batch
from memgardend.core.editorial.mutations import Add, Update
from memgardend.core.editorial.results import StepKind
from memgardend.core.editorial.scope import MissingTenantError
from memgardend.core.errors import UsageError
from memgardend.core.ports.capabilities import FULL_CAPABILITIES
from support.capturing import EMPTY, reply, request, row, three_rows
from support.consolidating import reply as dream_reply
from support.consolidating import row as merge
from support.mounting import Answers, add, answers, mounted, scope

TOLD = {"summary": "Likes tea", "content": "Mei likes tea."}
NIGHTLY = MaintenanceRequest(cards=(), locale="en")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> StoragePort:
    return InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "memory.db")


def fill(store: Any, *rows: dict[str, Any], owner: str = "mei") -> None:
    store.apply("t", rows, owner=owner, idempotency_key=f"fill-{digest(rows)}")


def cards(store: Any, owner: str = "mei") -> dict[str, dict[str, Any]]:
    found = store.load("t", owner=owner, include_archived=True, include_superseded=True).cards
    return {card["id"]: card for card in found}


def model_of(garden: MountedGarden) -> Answers:
    model = garden.component._model.model
    assert isinstance(model, Answers)
    return model


def apply(garden: MountedGarden, *rows: dict[str, Any], **how: Any) -> Any:
    return garden.records.apply(read_batch(rows), **how)


# -- capture ----------------------------------------------------------------------------------


def test_a_capture_is_written_with_what_the_garden_shows(store: StoragePort) -> None:
    fill(store, add("Mei has a cat", id="c1", bucket="Pets"))
    garden = mounted(reply(row("Mei has a dog")), store=store)
    receipt = garden.capture(request(existing_cards=[{"id": "of the host"}], cards="of the host"))
    assert receipt.written and receipt.error is None
    [prompt] = model_of(garden).prompts
    assert "- c1: [Pets] Mei has a cat" in prompt and "of the host" not in prompt
    assert cards(store)[receipt.record_ids[0]]["summary"] == "Mei has a dog"
    assert receipt.revision == store.load("t", owner="mei").revision


def test_a_request_key_is_judged_once_and_empty_is_a_receipt_too(store: StoragePort) -> None:
    for said, key in ((reply(row()), "k1"), (EMPTY, "k2")):
        asked = request(idempotency_key=key)
        garden = mounted(said, store=store)
        first, again = garden.capture(asked), garden.capture(asked)
        assert (again.record_ids, again.reason) == (first.record_ids, first.reason)
        assert again.trace == {"replayed": True}
        assert len(model_of(garden).prompts) == 1
    assert len(cards(store)) == 1
    assert again.reason == "nothing_worth_keeping" and not again.written


def test_a_request_key_for_another_request_asks_nobody(store: StoragePort) -> None:
    mounted(EMPTY, store=store).capture(request(idempotency_key="k"))
    garden = mounted(store=store)
    other = garden.capture(request(window="Another.", idempotency_key="k"))
    assert other.error == "idempotency_conflict"
    assert model_of(garden).prompts == []


def test_without_a_key_nothing_to_keep_writes_nothing(store: StoragePort) -> None:
    before = store.load("t", owner="mei").revision
    receipt = mounted(EMPTY, store=store).capture(request())
    assert (receipt.written, receipt.reason) == (False, "nothing_worth_keeping")
    assert store.load("t", owner="mei").revision == before


def test_a_request_that_comes_eight_times_at_once_is_written_once(store: StoragePort) -> None:
    at_once = Barrier(8)

    def capture(_: int) -> Any:
        garden = mounted(*[reply(row())] * 3, store=store, before=at_once.wait)
        return garden.capture(request(idempotency_key="k"))

    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(capture, range(8)))
    assert {receipt.record_ids for receipt in receipts} == {tuple(cards(store))}
    assert len(cards(store)) == 1


@pytest.mark.parametrize("said", ["Prose.", TimeoutError("slow")], ids=["prose", "raised"])
def test_a_failed_capture_leaves_no_trace(store: StoragePort, said: str | Exception) -> None:
    asked = request(idempotency_key="k")
    failed = mounted(said, store=store).capture(asked)
    assert failed.error and not failed.written and not cards(store)
    assert mounted(reply(row()), store=store).capture(asked).written, "the key is still free"


def test_whoever_writes_in_between_makes_it_judge_anew(store: StoragePort) -> None:
    wrote: list[int] = []

    def meanwhile() -> None:
        if len(wrote) < 2:
            wrote.append(1)
            fill(store, add(f"Somebody wrote {len(wrote)}"))

    heard: list[Step] = []
    model = answers(*[reply(row())] * 3, before=meanwhile)
    garden = MountedGarden(GardenComponent(model=model, on_step=heard.append), store, scope())
    receipt = garden.capture(request())
    assert receipt.written and receipt.trace["conflicts"] == 2
    assert "Somebody wrote 2" in model_of(garden).prompts[2]
    assert [step.kind for step in heard].count(StepKind.MODEL_CALLED) == 3
    assert len(cards(store)) == 3


def test_it_gives_up_after_three_times(store: StoragePort) -> None:
    numbers = iter(range(9))
    garden = mounted(
        *[reply(row())] * 3,
        store=store,
        before=lambda: fill(store, add(f"Somebody wrote {next(numbers)}")),
    )
    receipt = garden.capture(request())
    assert receipt.error == "revision_conflict" and len(model_of(garden).prompts) == 3
    assert len(cards(store)) == 3


def test_awaited_and_driven_by_the_host_it_is_the_same(store: StoragePort) -> None:
    garden = mounted(reply(row("Mei has a dog")), store=store)
    assert asyncio.run(garden.acapture(request())).written
    session = garden.capture_session(request())
    session.feed(reply(*three_rows()))
    assert session.receipt is None and session.next_prompt, "three cards are sent back"
    session.feed(reply(row("Mei lives in Lisbon")))
    assert session.receipt and session.receipt.written and session.next_prompt is None
    assert [step.kind for step in session.steps].count("retrying") == 1
    with pytest.raises(UsageError, match="no reply is awaited"):
        session.feed(EMPTY)
    lost = garden.capture_session(request())
    lost.fail("TimeoutError")
    assert lost.receipt and lost.receipt.error == "model_failed:TimeoutError"


# -- what a store cannot do -------------------------------------------------------------------


class Basic:
    """The three methods of the first release."""

    def __init__(self, **off: bool) -> None:
        self.inner = InMemoryStore()
        said = {name: getattr(FULL_CAPABILITIES, name) for name in Capabilities.__slots__}
        self.said = Capabilities(**{**said, **off})

    def capabilities(self) -> Capabilities:
        return self.said

    def load(self, tenant: str, **filters: Any) -> Any:
        return self.inner.load(tenant, **filters)

    def apply(self, tenant: str, mutations: Any, **how: Any) -> Any:
        return self.inner.apply(tenant, mutations, **how)


def test_a_basic_store_takes_captures_of_the_tenants_own() -> None:
    own = scope("t")
    basic = Basic()
    assert mounted(reply(row()), store=basic, of=own).capture(request()).written
    for garden, asked, lacking in (
        (mounted(store=basic, of=own), request(idempotency_key="k"), "request_receipts"),
        (mounted(store=basic), request(), "owner_scoping"),
        (mounted(store=Basic(supports_supersede=False), of=own), request(), "supersede"),
    ):
        receipt = garden.capture(asked)
        assert receipt.error == f"storage_lacks_capabilities:supports_{lacking}"
        assert model_of(garden).prompts == []
    refused = mounted(store=basic, of=own).run_maintenance(NIGHTLY)
    assert refused.error and refused.error.word == "storage_lacks_capabilities"
    assert mounted(store=basic, of=own).check_maintenance().error
    with pytest.raises(UnsupportedOperation):
        mounted(store=Basic(supports_atomic_batch=False), of=own).import_session(
            ImportRequest(locale="en", material="x")
        )
    old = MigrateRequest(cards=(), locale="en", allowed_ids=["c1"])
    assert mounted(store=basic).migrate(old).error == (
        "storage_lacks_capabilities:supports_owner_scoping"
    )
    manifest = mounted(store=basic, of=own).manifest()["storage"]
    assert len(manifest["notices"]) == len(manifest["refused"]) + len(manifest["degraded"]) == 5


class Broken(InMemoryStore):
    """Its disk is gone."""

    def load(self, *args: Any, **how: Any) -> Any:
        raise OSError("/home/mei/secret")


def test_what_a_store_raises_is_a_word_and_never_its_text() -> None:
    garden = mounted(store=Broken())
    assert garden.capture(request()).error == "storage_failed:OSError"
    assert garden.run_maintenance(NIGHTLY).error == "storage_failed:OSError"
    assert garden.check_maintenance().error == "storage_failed:OSError"
    old = MigrateRequest(cards=(), locale="en", allowed_ids=["c1"])
    assert garden.migrate(old).error == "storage_failed:OSError"
    assert garden.invoke_tool("memory_search", {"query": "x"}).error == "storage_failed:OSError"
    assert garden.records.delete("c1", requested_by="mei").error == "storage_failed:OSError"


class Confused(InMemoryStore):
    """Answers for somebody else."""

    def load(self, tenant: str, **how: Any) -> Any:
        return super().load(tenant, **{**how, "owner": "tom"})


def test_cards_of_somebody_else_are_never_taken() -> None:
    garden = mounted(store=Confused())
    for call in (
        lambda: garden.capture(request()),
        lambda: garden.build_context("x"),
        lambda: garden.records.search("x"),
    ):
        with pytest.raises(MountPermissionError):
            call()


# -- isolation --------------------------------------------------------------------------------


def test_a_scope_names_a_garden_and_opens_little() -> None:
    with pytest.raises(MissingMemoryOwner):
        Scope(tenant_id="t", memory_owner_id=" ")
    with pytest.raises(MissingTenantError):
        Scope(tenant_id="", memory_owner_id="mei")
    assert scope().check("") == "agent-private"
    with pytest.raises(MountPermissionError):
        scope().check("family-shared")
    with pytest.raises(MountPermissionError):
        scope("mei", "family-shared").check("agent-private")


def test_owners_and_mounts_never_meet(store: StoragePort) -> None:
    fill(store, add("The corgi of Tom", id="tom1"), owner="tom")
    fill(store, add("A shared corgi", id="shared", mount="family-shared"))
    fill(store, add("A private corgi", id="own"))
    for opened, seen in (
        (scope(), ["own"]),
        (scope("mei", "family-shared"), ["shared"]),
        (scope("mei", "family-shared", "agent-private"), ["own", "shared"]),
        (scope("tom"), ["tom1"]),
        (scope("mei", tenant="u"), []),
    ):
        garden = mounted(store=store, of=opened)
        assert sorted(hit.id for hit in garden.records.search("corgi")) == seen
        assert sorted(item.record_ref for item in garden.records.browse().items) == seen
        assert sorted(garden.build_context("corgi").record_ids) == seen
        assert sorted(card["id"] for card in garden.records.get(["own", "shared", "tom1"])) == seen
        read = garden.invoke_tool("memory_read", {"record_id": "own"})
        assert (read.error is None) is ("own" in seen)


TOUCHING: dict[str, Callable[[str], dict[str, Any]]] = {
    "update": lambda id_: {"op": "update", "record_id": id_, "changes": {"summary": "Changed it"}},
    "archive": lambda id_: {"op": "archive", "record_id": id_},
    "delete": lambda id_: {"op": "delete", "record_id": id_, "requested_by": "mei"},
    "supersede": lambda id_: {**add("A newer one"), "op": "supersede", "target_ids": [id_]},
    "promote": lambda id_: {"op": "promote", "record_id": id_, "to_mount": "agent-private"},
}


@pytest.mark.parametrize("op", TOUCHING)
def test_nothing_reaches_into_a_closed_mount(store: StoragePort, op: str) -> None:
    fill(store, add("A shared corgi", id="shared", mount="family-shared"))
    before = cards(store)
    assert apply(mounted(store=store), TOUCHING[op]("shared")).error == "record_not_found"
    assert apply(mounted(store=store), TOUCHING[op]("nobody")).error == "record_not_found"
    both = mounted(store=store, of=scope("mei", "family-shared", "agent-private"))
    wrong = {**TOUCHING[op]("shared"), "mount": "agent-private"}
    assert apply(both, wrong).error == "target_mount_mismatch"
    with pytest.raises(MountPermissionError):
        apply(mounted(store=store), {**TOUCHING[op]("shared"), "mount": "family-shared"})
    assert cards(store) == before
    right = {**TOUCHING[op]("shared"), "mount": "family-shared"}
    assert apply(both, right).error is None
    assert cards(store) != before


def test_a_card_is_signed_by_the_scope_and_by_nobody_else(store: StoragePort) -> None:
    forged = {"user_id": "tom"}
    garden = mounted(reply(row()), store=store, of=scope(agent_id="a1"))
    made = [
        *apply(garden, add("Signed", source_actor=forged)).record_ids,
        *garden.capture(request(actor=forged)).record_ids,
        *garden.write_one("Mei likes tea.").record_ids,
    ]
    assert [cards(store)[id_]["source_actor"] for id_ in made] == [{"agent_id": "a1"}] * 3
    [unsigned] = apply(mounted(store=store), add("Unsigned", source_actor=forged)).record_ids
    assert "source_actor" not in cards(store)[unsigned]


def test_a_mount_that_is_closed_is_refused_before_anything(store: StoragePort) -> None:
    garden = mounted(store=store)
    for call in (
        lambda: garden.capture(request(mount="family-shared")),
        lambda: garden.run_maintenance(MaintenanceRequest(cards=(), locale="en", mount="x")),
        lambda: garden.write_one("Told.", mount="x"),
        lambda: garden.invoke_tool("memory_write", TOLD, mount="x"),
        lambda: garden.import_session(ImportRequest(locale="en", material="x", mount="x")),
        lambda: apply(garden, add("A shared one", mount="x")),
        lambda: garden.records.promote("nobody", "x"),
    ):
        with pytest.raises(MountPermissionError):
            call()
    assert not cards(store)


# -- writes of the host -----------------------------------------------------------------------


def test_a_write_is_repeated_by_its_key_even_when_its_card_is_gone(store: StoragePort) -> None:
    fill(store, add("A card", id="c1"))
    records = mounted(store=store).records
    first = records.delete("c1", requested_by="mei", idempotency_key="d")
    again = records.delete("c1", requested_by="mei", idempotency_key="d")
    assert first.error is None and again == first
    assert (
        records.delete("c2", requested_by="mei", idempotency_key="d").error
        == "idempotency_conflict"
    )
    assert records.delete("c1", requested_by="mei").error == "record_not_found"
    assert records.delete(" ", requested_by="mei").error == "record_id_required"
    assert records.delete("c1", requested_by=" ").error == "requested_by_required"


def test_a_write_on_what_was_seen_is_pinned_to_it(store: StoragePort) -> None:
    fill(store, add("A card", id="c1"))
    garden = mounted(store=store)
    seen = store.load("t", owner="mei").revision
    fill(store, add("Another"))
    assert apply(garden, add("Third"), expected_revision=seen).error == "revision_conflict"
    assert apply(garden, TOUCHING["archive"]("c1")).error is None


class Busy(InMemoryStore):
    """Somebody writes each time after cards were read, so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def load(self, tenant: str, **how: Any) -> Any:
        shot = super().load(tenant, **how)
        if self.times:
            self.times -= 1
            fill(self, add(f"Somebody wrote {self.times}"))
        return shot


def test_a_write_of_the_hosts_is_tried_again_and_not_for_ever() -> None:
    for times, error in ((2, None), (3, "revision_conflict")):
        store = Busy(0)
        fill(store, add("A card", id="c1"))
        store.times = times
        assert apply(mounted(store=store), TOUCHING["archive"]("c1")).error == error


def test_prepared_cards_pass_the_gate_and_name_their_revision(store: StoragePort) -> None:
    garden = mounted(store=store)
    mutations = read_batch([add("Mei has a dog")])
    good = CaptureResult(mutations=mutations)
    revision = store.load("t", owner="mei").revision
    bad = CaptureResult(mutations=read_batch([add("Fine"), add("<summary>")]))
    outcomes = [
        garden.store_capture_result(good, expected_revision=None).error,
        garden.store_capture_result(bad, expected_revision=revision).error,
        garden.store_capture_result(CaptureResult(), expected_revision=None).reason,
    ]
    assert outcomes == [
        "expected_revision_required",
        "invalid_card_content:summary_bracket_placeholder",
        "nothing_worth_keeping",
    ]
    assert not cards(store)
    assert garden.store_capture_result(good, expected_revision=revision).written
    failed = garden.component.write_one(" ")
    assert garden.store_capture_result(failed, expected_revision=None).error == "empty_text"


def test_what_no_store_could_keep_is_refused_before_it_is_asked() -> None:
    garden = mounted(store=Broken())
    for fields in ({"on": object()}, {"note": "\ud800"}, {"weight": float("nan")}):
        made = Add(card={"summary": "A card", **fields})  # type: ignore[typeddict-item]
        assert garden.records.apply([made]).error == "mutation_rejected:invalid"
    forged = Update(record_id="c1", changes={"mount": "family-shared"})
    refused = garden.records.apply([forged]).error
    assert refused and refused.startswith("invalid_mutation:an update must not change: mount")


def test_an_update_passes_the_gate_too(store: StoragePort) -> None:
    fill(store, add("A card", id="c1"))
    changes = {"op": "update", "record_id": "c1", "changes": {"content": "TODO"}}
    refused = apply(mounted(store=store), changes)
    assert refused.error == "invalid_card_content:content_placeholder_word"
    assert apply(mounted(store=store), {**changes, "changes": {"bucket": "Work"}}).error is None


def test_what_a_tool_writes_is_stored_once_for_a_key(store: StoragePort) -> None:
    garden = mounted(store=store)
    results = [garden.invoke_tool("memory_write", TOLD, idempotency_key="k") for _ in range(2)]
    assert [one.receipt and one.receipt.record_ids for one in results] == [tuple(cards(store))] * 2
    assert results[0].mutations == ()
    refused = garden.invoke_tool("memory_write", {**TOLD, "content": "Other."}, idempotency_key="k")
    assert refused.error == "idempotency_conflict"
    assert garden.invoke_tool("memory_search", {"query": "tea"}).text.endswith("Likes tea")


def test_cards_are_found_read_and_paged(store: StoragePort) -> None:
    fill(store, *[add(f"Card number {n}", id=f"c{n}", search_text="hidden") for n in range(3)])
    records = mounted(store=store).records
    page = records.browse(limit=2)
    rest = records.browse(limit=2, cursor=page.next_cursor)
    assert [item.record_ref for item in (*page.items, *rest.items)] == ["c0", "c1", "c2"]
    assert [hit.id for hit in records.search("hidden", limit=1)] == ["c0"]
    assert all("hidden" not in str(card) for card in records.get(["c1"]))
    fragment = records.read("c1", limit=10)
    assert fragment and fragment.next_cursor and records.read("c9") is None


def test_what_the_store_replaced_is_beside_what_took_its_place(store: StoragePort) -> None:
    fill(
        store,
        add("A plan", id="first", threads=["plans"]),
        add("A wish", id="wish", threads=["plans"]),
        add("A draft", id="hidden", mount="family-shared"),
    )
    garden = mounted(store=store)
    for old, new in (("first", "second"), ("second", "third")):
        card = {"id": new, "summary": f"The {new} plan", "content": f"The {new} plan, whole."}
        apply(garden, {"op": "supersede", "card": card, "target_ids": [old]})
    apply(
        garden, {"op": "update", "record_id": "third", "changes": {"anchor_memory_ids": ["hidden"]}}
    )
    found = garden.records.related(["third"])
    assert [(one.id, one.relation) for one in found] == [("second", "supersedes")]
    assert garden.records.related(["first", "nobody"]) == ()


def test_a_card_is_promoted_between_open_mounts(store: StoragePort) -> None:
    fill(store, add("A card", id="c1"))
    both = mounted(store=store, of=scope("mei", "agent-private", "family-shared"))
    assert both.records.promote("c1", "family-shared").error is None
    assert cards(store)["c1"]["mount"] == "family-shared"
    with pytest.raises(MountPermissionError):
        both.records.promote("c1", "workspace-shared")


# -- maintenance ------------------------------------------------------------------------------


def gathered(store: StoragePort) -> list[str]:
    fill(store, *[add(f"A walk on day {n}", id=f"card-{n}") for n in range(3)])
    return ["card-0", "card-1"]


def test_a_consolidation_is_committed_with_its_ledger(store: StoragePort) -> None:
    targets = gathered(store)
    garden = mounted(dream_reply(merge(*targets), questions_to_ask=["Which river?"]), store=store)
    assert garden.check_maintenance().trace["pending"] == 3
    receipt = garden.run_maintenance(NIGHTLY)
    assert (receipt.written, receipt.error, receipt.questions) == (True, None, ("Which river?",))
    [made] = receipt.record_ids
    assert [cards(store)[id_]["superseded_by"] for id_ in targets] == [made, made]
    assert cards(store)[made]["source"] == "memory_dream"
    assert not garden.check_maintenance().needed
    again = garden.run_maintenance(NIGHTLY)
    assert (again.reason, again.written) == ("not_needed", False)
    assert len(model_of(garden).prompts) == 1


def test_nothing_to_tidy_up_is_noted_too(store: StoragePort) -> None:
    gathered(store)
    garden = mounted(dream_reply(), store=store)
    receipt = asyncio.run(garden.arun_maintenance(NIGHTLY))
    assert (receipt.reason, receipt.written) == ("nothing_worth_keeping", False)
    assert not garden.check_maintenance().needed


@pytest.mark.parametrize("said", ["Prose.", OSError("gone")], ids=["prose", "raised"])
def test_a_run_that_fails_or_is_dry_notes_nothing(store: StoragePort, said: Any) -> None:
    targets = gathered(store)
    assert mounted(said, store=store).run_maintenance(NIGHTLY).error
    dry = MaintenanceRequest(cards=(), locale="en", dry_run=True)
    tried = mounted(dream_reply(merge(*targets)), store=store).run_maintenance(dry)
    assert (tried.reason, tried.written) == ("dry_run", False)
    assert mounted(store=store).check_maintenance().trace["pending"] == 3


def test_a_consolidation_is_judged_anew_when_somebody_else_was_faster(store: StoragePort) -> None:
    targets = gathered(store)
    other = mounted(dream_reply(merge(*targets)), store=store)
    rivals: list[Callable[[], object]] = [
        lambda: other.run_maintenance(NIGHTLY),
        lambda: fill(store, add("A new card")),
        int,
    ]
    garden = mounted(
        dream_reply(merge("card-0", "card-2")),
        dream_reply(),
        dream_reply(),
        store=store,
        before=lambda: rivals.pop(0)(),
    )
    receipt = garden.run_maintenance(NIGHTLY)
    assert receipt.error is None
    assert receipt.trace.get("conflicts") == 1, "after the rival only a new card would be pending"
    assert sum("superseded_by" in card for card in cards(store).values()) == 2


def test_a_card_that_comes_meanwhile_makes_a_consolidation_judge_anew(store: StoragePort) -> None:
    targets = gathered(store)
    wrote: list[int] = []

    def meanwhile() -> None:
        if not wrote:
            wrote.append(1)
            fill(store, add("The walk was long"))

    garden = mounted(*[dream_reply(merge(*targets))] * 2, store=store, before=meanwhile)
    receipt = garden.run_maintenance(NIGHTLY)
    assert receipt.written and receipt.trace["conflicts"] == 1
    assert "The walk was long" in model_of(garden).prompts[1]


def test_a_garden_that_never_rests_is_not_read_in_halves(store: StoragePort) -> None:
    class Restless(InMemoryStore):
        def maintenance_state(self, tenant: str, **how: Any) -> dict[str, Any]:
            self.apply(
                tenant, [add("One more")], owner=how["owner"], idempotency_key=str(len(cards(self)))
            )
            return super().maintenance_state(tenant, **how)

    receipt = mounted(store=Restless()).run_maintenance(NIGHTLY)
    assert receipt.error == "storage_failed:maintenance_state"


# -- migration --------------------------------------------------------------------------------


def test_old_cards_are_upgraded_in_their_place(store: StoragePort) -> None:
    fill(store, add("An old card", id="c1"), add("Another", id="c2"))
    new = {"id": "c1", "summary": "Mei has a corgi", "content": "Mei has a corgi called Bo."}
    said = json.dumps({"upgrades": [new, {**new, "id": "c2"}]})
    wrote: list[int] = []

    def meanwhile() -> None:
        if not wrote:
            wrote.append(1)
            fill(store, add("Somebody wrote"))

    garden = mounted(said, said, store=store, before=meanwhile)
    asked = MigrateRequest(cards=(), locale="en", allowed_ids=["c1", "of tom"])
    receipt = garden.migrate(asked)
    assert receipt.record_ids == ("c1",) and receipt.trace["conflicts"] == 1
    assert cards(store)["c1"]["summary"] == "Mei has a corgi"
    assert cards(store)["c2"]["summary"] == "Another"


def test_a_migration_that_comes_to_nothing(store: StoragePort) -> None:
    fill(store, add("A shared card", id="c1", mount="family-shared"))
    asked = MigrateRequest(cards=(), locale="en", allowed_ids=["c1"])
    assert mounted(store=store).migrate(asked).reason == "nothing_to_migrate"
    open_too = mounted(OSError("gone"), store=store, of=scope("mei", "family-shared"))
    assert open_too.migrate(asked).error == "model_failed:OSError"
    nobody = MigrateRequest(cards=(), locale="en")
    assert mounted(store=store).migrate(nobody).error == "allowed_ids_required"


# -- import -----------------------------------------------------------------------------------


def test_an_import_goes_on_where_the_store_is(store: StoragePort) -> None:
    asked = ImportRequest(locale="en", material="first\n" + "a" * 200 + "\nsecond", batch_chars=200)
    garden = mounted(reply(row("Mei has a dog")), store=store, of=scope(agent_id="a1"))
    running = garden.import_session(asked)
    batch = running.begin()
    assert batch
    garden.component.drive(batch)
    running.settle(batch)  # and dies before anybody keeps the progress
    garden = mounted(reply(row("Mei lives in Lisbon")), store=store, of=scope(agent_id="a1"))
    running = garden.import_session(asked)
    while batch := running.begin():
        garden.component.drive(batch)
        running.settle(batch)
    assert running.progress["done"] and running.progress["cards_written"] == 2
    assert {card["source_actor"]["agent_id"] for card in cards(store).values()} == {"a1"}
    assert len(cards(store)) == 2
