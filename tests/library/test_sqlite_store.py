"""What is particular about the library's `SqliteStore`: one file with the daemon, many processes, old keys."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import DAY_MS, ManualClock
from memgardend.core.editorial.memory_store import InMemoryStore
from memgardend.core.editorial.mutations import Add
from memgardend.core.errors import StoreError
from memgardend.core.ports.library import IdempotencyConflict, MutationRejected, RevisionConflict
from memgardend.core.words import Layer, Status
from memgardend.daemon.failpoints import FailpointError, NoFailpoints, SetFailpoint
from memgardend.daemon.library.sqlite_store import SqliteStore
from memgardend.daemon.locations import GARDEN
from memgardend.daemon.store import open_store
from support.stores import NOW, SqliteFactory, change, dreamed, memory, quote

ADD: dict[str, Any] = {"op": "add", "card": {"summary": "a", "content": "b"}}


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> SqliteStore:
    return SqliteStore(tmp_path / "memory.db", clock=clock)


def test_the_example_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cards = [{"summary": "不吃辣", "content": "我不吃辣，一吃就胃疼", "bucket": "健康"}]
    store = SqliteStore("memory.db")
    store.apply("user_1", [{"op": "add", "card": c} for c in cards], idempotency_key="turn_42")
    [card] = SqliteStore("sqlite:///memory.db").load("user_1").cards
    assert (card["summary"], card["bucket"]) == ("不吃辣", "健康")


def test_the_file_is_private_and_the_folder_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    store = SqliteStore(folder / "memory.db")
    assert store.load("t").cards == []
    assert list(folder.iterdir()) == []
    store.apply("t", [ADD], idempotency_key="k")
    assert {path.name for path in folder.iterdir()} - {"memory.db-journal"} == {"memory.db"}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "memory.db").stat().st_mode) == 0o600


def test_a_missing_folder_is_made_private(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "new" / "memory.db").apply("t", [ADD], idempotency_key="k")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("not a store" * 200)
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "memory.db").load("t")


def test_typed_mutations_are_taken_too(store: SqliteStore) -> None:
    first = store.apply("t", [Add(card={"summary": "a", "content": "b"})], idempotency_key="k")
    assert store.apply("t", [ADD], idempotency_key="k") == first


def test_the_daemons_memories_are_cards_and_cards_are_its_memories(
    factory: SqliteFactory, clock: ManualClock
) -> None:
    daemon = factory.open(GARDEN)
    dreamed(
        daemon,
        change(None, memory("m1", title="Port", content="The port is 9090."), quote()),
        change(None, memory("m2", layer=Layer.SOUL)),
    )
    library = SqliteStore(factory.path, clock=clock)
    clock.advance(60_000)
    cards = {card["id"]: card for card in library.load(GARDEN).cards}
    assert (cards["m1"]["summary"], cards["m1"]["source"]) == ("Port", "dream")
    assert cards["m2"]["layer"] == "soul"
    seen = library.load(GARDEN).revision
    [row] = library.apply(
        GARDEN,
        [
            {
                "op": "supersede",
                "target_id": "m1",
                "card": {"summary": "Port", "content": "The port is 9091.", "type": "fact"},
                "rationale": "it moved",
            }
        ],
        idempotency_key="k",
        expected_revision=seen,
    ).results
    [old, new] = daemon.memories(ids=["m1", row["id"]])
    assert (old.status, old.superseded_by, old.status_at) == (
        Status.ARCHIVED,
        new.id,
        NOW + 60_000,
    )
    assert (new.layer, new.content, new.keywords_auto) == (Layer.FACT, "The port is 9091.", True)
    steps = [(v.operation, v.reason, v.actor) for v in daemon.versions(new.id)]
    assert steps == [("supersede", "it moved", "library")]
    assert daemon.violations() == []
    with pytest.raises(RevisionConflict):
        library.apply(GARDEN, [ADD], idempotency_key="k2", expected_revision=seen)


@pytest.mark.parametrize("revision", ["", "x", "-1", "01", "1.0", "١", " 1"])
def test_a_revision_of_nobody_is_a_conflict(store: SqliteStore, revision: str) -> None:
    store.apply("t", [ADD], idempotency_key="k")
    with pytest.raises(RevisionConflict):
        store.apply("t", [ADD], idempotency_key="k2", expected_revision=revision)
    assert store.apply("t", [ADD], idempotency_key="k2", expected_revision="1").revision == "2"


def test_request_keys_of_the_daemon_are_others(factory: SqliteFactory, clock: ManualClock) -> None:
    factory.open(GARDEN).remember_result("k", "digest", "result", NOW)
    library = SqliteStore(factory.path, clock=clock)
    assert library.apply(GARDEN, [ADD], idempotency_key="k").results[0]["status"] == "written"


def test_a_deleted_card_leaves_no_text_in_any_table(
    factory: SqliteFactory, clock: ManualClock
) -> None:
    daemon = factory.open(GARDEN)
    dreamed(daemon, change(None, memory("m1", content="zanzibar"), quote(text="zanzibar")))
    library = SqliteStore(factory.path, clock=clock)
    update = {"op": "update", "record_id": "m1", "changes": {"content": "zanzibar again"}}
    library.apply(GARDEN, [update], idempotency_key="k")
    assert b"zanzibar" in factory.path.read_bytes()
    delete = {"op": "delete", "record_id": "m1", "requested_by": "ann"}
    library.apply(GARDEN, [delete], idempotency_key="k2")
    assert b"zanzibar" not in factory.path.read_bytes()
    assert (daemon.memories(), daemon.versions("m1"), daemon.evidence(["m1"])) == ([], [], [])
    assert daemon.violations() == []
    with pytest.raises(MutationRejected):
        library.apply(GARDEN, [delete], idempotency_key="k3")


def test_a_consolidation_is_remembered_with_its_name_and_reason(
    store: SqliteStore, no_failpoints: NoFailpoints, clock: ManualClock
) -> None:
    id_ = store.apply("t", [ADD], idempotency_key="k").results[0]["id"]
    merge = {
        "op": "supersede",
        "target_ids": [id_],
        "card": {"summary": "m", "content": "n", "source": "memory_dream"},
        "rationale": "the same story; token ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "consolidation_op": "thicken",
    }
    made = store.apply("t", [merge], idempotency_key="k2").results[0]["id"]
    garden = open_store(store.path, "t", clock=clock, failpoints=no_failpoints, create=False)
    [version] = garden.versions(made)
    garden.close()
    assert (version.operation, version.actor) == ("thicken", "library")
    assert "the same story" in (version.reason or "")
    assert "ghp_0123456789" not in (version.reason or "")


def test_old_keys_are_forgotten_and_new_ones_are_not(tmp_path: Path, clock: ManualClock) -> None:
    store = SqliteStore(tmp_path / "memory.db", clock=clock, receipt_days=2)
    first = store.apply("t", [ADD], idempotency_key="old")
    clock.advance(DAY_MS)
    store.apply("t", [ADD], idempotency_key="new")
    assert store.apply("t", [ADD], idempotency_key="old") == first
    clock.advance(DAY_MS + 1)
    other = {"op": "no_op"}
    with pytest.raises(IdempotencyConflict):
        store.apply("t", [other], idempotency_key="new")
    assert store.apply("t", [other], idempotency_key="old").results[0]["status"] == "no_op"
    for_ever = SqliteStore(tmp_path / "memory.db", clock=clock, receipt_days=None)
    clock.advance(900 * DAY_MS)
    with pytest.raises(IdempotencyConflict):
        for_ever.apply("t", [other], idempotency_key="new")


def test_a_write_that_breaks_in_the_middle_leaves_nothing(
    tmp_path: Path, clock: ManualClock
) -> None:
    place = tmp_path / "memory.db"
    SqliteStore(place, clock=clock).apply("t", [ADD], idempotency_key="first")
    before = SqliteStore(place, clock=clock).load("t")
    broken = SqliteStore(place, clock=clock, failpoints=SetFailpoint("edit.inside", 1, "raise"))
    rows = [ADD, {"op": "archive", "record_id": before.cards[0]["id"]}]
    with pytest.raises(FailpointError):
        broken.apply("t", rows, idempotency_key="k", maintenance_state={"signature": "s"})
    after = SqliteStore(place, clock=clock)
    assert after.load("t") == before
    assert after.maintenance_state("t", mount="agent-private") == {}
    assert len(after.apply("t", rows, idempotency_key="k").results) == 2


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
def test_writers_that_race_lose_nothing_and_write_nothing_twice(tmp_path: Path, kind: str) -> None:
    store = SqliteStore(tmp_path / "memory.db") if kind == "sqlite" else InMemoryStore()

    def write(n: int) -> str:
        return str(store.apply("t", [ADD], idempotency_key=f"key-{n % 8}").results[0]["id"])

    with ThreadPoolExecutor(4) as pool:
        ids = list(pool.map(write, range(24)))
    snapshot = store.load("t")
    assert {card["id"] for card in snapshot.cards} == set(ids)
    assert (len(set(ids)), snapshot.revision) == (8, "8")
    assert snapshot.seed_generations == {"agent-private": 8}


def test_of_writers_at_one_revision_one_wins(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "memory.db")
    id_ = store.apply("t", [ADD], idempotency_key="k").results[0]["id"]

    def replace(n: int) -> str:
        row = {"op": "supersede", "target_id": id_, "card": {"summary": f"s{n}"}}
        try:
            store.apply(
                "t", [row], idempotency_key=f"r{n}", expected_revision="1" if n % 2 else None
            )
        except RevisionConflict:
            return "conflict"
        except MutationRejected as error:
            return error.reason
        return "written"

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(replace, range(8)))
    assert outcomes.count("written") == 1
    assert set(outcomes) <= {"written", "conflict", "retired"}
    assert len(store.load("t").cards) == 1
