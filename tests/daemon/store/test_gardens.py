"""Conformance: two gardens in one store cannot see each other, whatever method is called."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from memgardend.core.budget import Limits
from memgardend.core.clock import ManualClock
from memgardend.core.errors import FencedError, StoreError
from memgardend.core.impacts import Surface
from memgardend.core.ports import Store
from memgardend.core.ports.index import Probe, Within
from memgardend.core.records import (
    Cursor,
    EditRequest,
    Edits,
    GardenReading,
    IngestBatch,
    Lease,
    MemoryEdit,
    Project,
)
from memgardend.core.records.window_recall import Marks, WindowRecall
from memgardend.core.words import Layer, RoundName, Use
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store
from support.stores import (
    NOW,
    SqliteFactory,
    asked,
    call_aside,
    change,
    claimed,
    commit_of,
    dreamed,
    memory,
    owner,
    put,
    quote,
    receipt,
    rev,
    said,
    started,
    window,
)

CURSOR = Cursor(source="event", path="/f", identity="1", offset=1, unreadable=4)
PROJECT = Project(id="p1", name="app", root="/app")
MARKS = Marks(
    window="event:c",
    at=NOW,
    anchor="p1",
    projects_asked=("p1",),
    used={Use.SEARCHED: ("m1",)},
    record={"mode": "search"},
)


def filled(store: Store) -> Lease:
    """Something of everything, and a dream that runs."""
    dreamed(store, change(None, memory("m1"), quote()))
    put(store, said("4"), into=window("b"), cursor=CURSOR)
    claimed(store, "d2", "event:b")
    lease = started(store, "d2", "event:b")
    store.save_plan(lease, "{}", NOW, 0, 1, [RoundName.ATOMIC])
    asked(store, lease, RoundName.ATOMIC, "h")
    store.save_answer(lease, RoundName.ATOMIC, "{}", receipt("d2"))
    store.ensure_project(PROJECT)
    store.set_state("k", None, "v")
    store.adopt("event", NOW)
    store.pass_check_gate(NOW, 60_000)
    store.remember_result("key", "digest", "result", NOW)
    store.keep_index("en")
    store.note_marks(MARKS)
    return lease


EVERYWHERE = Within(everywhere=True)
PROBE = Probe(names=("content",), by_frame=False, least=0, most=9)

READS: dict[str, tuple[Callable[[Store], object], object]] = {
    "window": (lambda s: s.window("event:a"), None),
    "window_facts": (lambda s: s.window_facts(aside=True), []),
    "windows_with_news": (lambda s: s.windows_with_news(), []),
    "find_windows": (lambda s: s.find_windows(""), []),
    "events": (lambda s: s.events("event:a"), []),
    "events_before": (lambda s: s.events_before("event:a", 9, 9), []),
    "cursor": (lambda s: s.cursor("event", "/f"), None),
    "cursors": (lambda s: s.cursors("event"), []),
    "adopted_at": (lambda s: s.adopted_at("event"), None),
    "dream": (lambda s: s.dream("d1"), None),
    "dreams": (lambda s: s.dreams(), []),
    "find_dreams": (lambda s: s.find_dreams("d"), []),
    "startable": (lambda s: s.startable(NOW * 2), []),
    "rounds": (lambda s: s.rounds("d2"), []),
    "receipts": (lambda s: [*s.receipts(), *s.receipts("d2")], []),
    "calls_ever": (lambda s: (s.calls_ever()[0].calls, s.calls_ever()[1]), (0, {})),
    "spending": (lambda s: s.spending(Limits(zone=UTC, calls_per_day=1), NOW).calls, ()),
    "dream_changes": (lambda s: s.dream_changes("d1"), []),
    "p90_duration_ms": (lambda s: s.p90_duration_ms(), None),
    "memory": (lambda s: s.memory("m1"), None),
    "active_count": (lambda s: s.active_count(), 0),
    "term_statistics": (
        lambda s: (s.term_statistics(["content"]).memories, s.term_statistics(["content"]).found),
        (0, {}),
    ),
    "postings": (lambda s: s.postings(["content"], Surface.WHOLE, EVERYWHERE), {}),
    "candidates": (
        lambda s: s.candidates(range(9), ["content"], Surface.WHOLE, EVERYWHERE),
        {},
    ),
    "probe": (lambda s: s.probe([PROBE]), frozenset()),
    "memories": (lambda s: [*s.memories(), *s.memories(ids=["m1"])], []),
    "find_memories": (lambda s: s.find_memories("m"), []),
    "evidence": (lambda s: s.evidence(["m1"]), []),
    "versions": (lambda s: s.versions("m1"), []),
    "window_memory_ids": (lambda s: s.window_memory_ids("event:a"), []),
    "archived_since": (lambda s: s.archived_since(0), 0),
    "projects": (lambda s: s.projects(), []),
    "state": (lambda s: [s.state("k"), s.state("revision")], [None, None]),
    "remembered": (lambda s: s.remembered("key", "other"), None),
    "read_garden": (
        lambda s: s.read_garden(state_prefix=""),
        GardenReading(revision=0, memories=(), state={}),
    ),
    "counts": (lambda s: set(s.counts().values()), {0}),
    "violations": (lambda s: s.violations(), []),
    "recalls": (lambda s: s.recalls(), []),
    "window_recall": (lambda s: s.window_recall("event:c"), WindowRecall(window="event:c")),
    "weightiest": (lambda s: s.weightiest(Layer.FACT, project=None, importance=1, limit=9), []),
    "naming": (lambda s: s.naming(["p1"], 9), []),
    "live_projects": (lambda s: s.live_projects(), []),
}

WRITES: dict[str, Callable[[Store, Lease], object]] = {
    "ingest": lambda s, lease: put(s, said("1", "other"), said("9"), cursor=CURSOR),
    "ingest_backlog": lambda s, lease: s.ingest_backlog(
        IngestBatch(window=window("b"), events=(said("9"),), received_at=NOW)
    ),
    "ingest_together": lambda s, lease: s.ingest_together(
        [IngestBatch(window=window("b"), received_at=NOW, cursor=CURSOR, old=True)]
    ),
    "save_cursor": lambda s, lease: s.save_cursor(CURSOR, None),
    "save_cursors": lambda s, lease: s.save_cursors([(CURSOR, None)]),
    "forget": lambda s, lease: s.forget(NOW + 5, NOW + 5),
    "set_skip": lambda s, lease: s.set_skip("event:a", True),
    "set_archived": lambda s, lease: s.set_archived("event:a", True),
    "adopt": lambda s, lease: s.adopt("event", NOW + 5),
    "claim": lambda s, lease: s.claim("event:a", 2, "d9", NOW),
    "start": lambda s, lease: s.start("d2", 1, owner("b"), NOW, NOW, 9),
    "beat": lambda s, lease: s.beat(lease, NOW, NOW),
    "save_plan": lambda s, lease: s.save_plan(lease, "x", 0, 0, 1, [RoundName.TOPIC]),
    "save_asked": lambda s, lease: asked(s, lease, RoundName.ATOMIC, "x"),
    "save_answer": lambda s, lease: s.save_answer(lease, RoundName.ATOMIC, "x", receipt("d2")),
    "save_receipt": lambda s, lease: s.save_receipt(lease, receipt("d2")),
    "begin_call": lambda s, lease: s.begin_call(call_aside(), Limits(zone=UTC)),
    "complete_call": lambda s, lease: s.complete_call(1, call_aside()),
    "save_problems": lambda s, lease: s.save_problems(lease, RoundName.ATOMIC, ["x"]),
    "save_staged": lambda s, lease: s.save_staged(lease, RoundName.ATOMIC, "[1]", (), "x", 1),
    "reset_rounds": lambda s, lease: s.reset_rounds(lease, [RoundName.ATOMIC], "x"),
    "commit": lambda s, lease: s.commit(commit_of(lease, window="event:b", through_seq=1)),
    "fail": lambda s, lease: s.fail(lease, NOW, NOW, "r", "e", refund=False),
    "release": lambda s, lease: s.release(lease, NOW, NOW, "r"),
    "retry": lambda s, lease: s.retry("d2", NOW),
    "cancel": lambda s, lease: s.cancel("d2", NOW, "r"),
    "heal": lambda s, lease: s.heal(NOW * 2, lambda _: True, 1, lambda _: 0),
    "ensure_project": lambda s, lease: s.ensure_project(PROJECT),
    "set_state": lambda s, lease: s.set_state("k", "v", "x"),
    "keep_index": lambda s, lease: s.keep_index("zh-Hans"),
    "rebuild_index": lambda s, lease: s.rebuild_index("zh-Hans"),
    "pass_check_gate": lambda s, lease: s.pass_check_gate(NOW + 1, 60_000),
    "edit": lambda s, lease: s.edit(
        EditRequest(key="key", digest="other", actor="a", at=NOW, forget_before=NOW + 1),
        lambda view: Edits(
            edits=(MemoryEdit(before=None, after=memory("m1"), operation="add"),),
            result=f"{view.memory('m1')} {view.active_ids()} {view.state('k')}",
            moved=True,
            state={"k": "x"},
        ),
    ),
    "forget_recalls": lambda s, lease: s.forget_recalls(NOW + 5),
    "note_marks": lambda s, lease: s.note_marks(replace(MARKS, at=NOW + 5, anchor="p2")),
    "fold_marks": lambda s, lease: s.fold_marks(),
    "remember_result": lambda s, lease: s.remember_result("key", "other", "x", NOW),
}
NEITHER = {"garden", "backup", "close", "damage", "version", "set_patience", "shrink"}


def test_every_method_of_the_port_is_walked() -> None:
    methods = {name for name in dir(Store) if not name.startswith("_")}
    assert methods == READS.keys() | WRITES.keys() | NEITHER


@pytest.mark.parametrize("method", READS)
def test_a_garden_reads_nothing_of_another(factory: SqliteFactory, method: str) -> None:
    filled(factory.open("full"))
    read, empty = READS[method]
    assert read(factory.open("empty")) == empty


@pytest.mark.parametrize("method", WRITES)
def test_a_garden_changes_nothing_of_another(factory: SqliteFactory, method: str) -> None:
    full = factory.open("full")
    lease = filled(full)
    before = {name: read(full) for name, (read, _) in READS.items() if name != "remembered"}
    with suppress(FencedError, StoreError):
        WRITES[method](factory.open("other"), lease)
    after = {name: read(full) for name, (read, _) in READS.items() if name != "remembered"}
    assert after == before
    assert full.remembered("key", "digest") == "result"


def test_the_same_ids_live_side_by_side(factory: SqliteFactory) -> None:
    one, two = factory.open("one"), factory.open("two")
    filled(one)
    filled(two)
    assert one.garden == "one"
    assert one.memories() == two.memories() == [memory("m1")]
    assert rev(one) == rev(two)
    assert one.violations() == two.violations() == []
    assert one.set_skip("event:a", True)
    assert rev(two) != rev(one)


def test_a_replay_is_judged_within_the_garden(factory: SqliteFactory) -> None:
    put(factory.open("one"), said("1"), into=window("a"))
    assert put(factory.open("two"), said("1"), into=window("b")).replays == 0


def test_each_garden_has_its_own_slots(factory: SqliteFactory) -> None:
    filled(factory.open("one"))
    other = factory.open("two")
    put(other, said("1"))
    claimed(other)
    assert other.start("d1", 1, owner(), NOW, NOW + 9, 1) is not None


def test_a_backup_holds_all_gardens(factory: SqliteFactory, tmp_path: Path) -> None:
    one, two = factory.open("one"), factory.open("two")
    filled(one)
    filled(two)
    one.backup(tmp_path / "copy.db")
    for garden in ("one", "two"):
        copy = open_store(
            tmp_path / "copy.db",
            garden,
            clock=ManualClock(NOW),
            failpoints=NoFailpoints(),
            create=False,
        )
        assert copy.memories() == [memory("m1")]
        copy.close()
