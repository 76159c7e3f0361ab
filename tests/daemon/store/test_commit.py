"""Conformance: a dream is applied whole, once, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memgardend.core.errors import FencedError, StoreError
from memgardend.core.ports import Store
from memgardend.core.records import CommitResult
from memgardend.core.words import DreamState, RoundName, Status
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from support.stores import (
    NOW,
    SqliteFactory,
    change,
    claimed,
    commit_of,
    dreamed,
    dreaming,
    memory,
    planned,
    put,
    quote,
    rev,
    said,
    stage_all,
    started,
)

ONE = memory("m1")
ONE_LATER = replace(ONE, content="later", revision=2)


def second_dream(store: Store) -> object:
    put(store, said("4"))
    claimed(store, "d2")
    lease = started(store, "d2")
    store.save_plan(lease, "{}", NOW, 3, 4, list(RoundName))
    stage_all(store, lease)
    return lease


def test_an_applied_dream(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    before = rev(store)
    batch = commit_of(lease, change(None, ONE, quote()), reason="without topic")
    assert store.commit(batch) == CommitResult(committed=True)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.finished_at) == (DreamState.APPLIED, NOW + 1000)
    assert (dream.owner, dream.lease_until, dream.reason) == (None, None, "without topic")
    found = store.window("event:a")
    assert found is not None
    assert (found.dreamed_seq, found.rev) == (3, before + 1)
    assert store.memories() == [ONE]
    assert store.evidence(["m1"]) == [quote()]
    (version,) = store.versions("m1")
    assert (version.before, version.after, version.revision) == (None, ONE, 1)
    assert (version.operation, version.dream, version.round) == ("remember", "d1", "atomic")
    assert (version.actor, version.at) == ("dream", NOW + 1000)
    assert store.dream_changes("d1") == [version]
    assert store.window_memory_ids("event:a") == ["m1"]
    assert store.state("revision") == "1"
    assert store.violations() == []


def test_a_dream_without_changes_is_empty_and_moves_the_watermark(store: Store) -> None:
    dreamed(store)
    dream = store.dream("d1")
    assert dream is not None
    assert dream.state is DreamState.EMPTY
    found = store.window("event:a")
    assert found is not None
    assert found.dreamed_seq == 3
    assert store.state("revision") is None


def test_events_after_the_plan_stay_due(store: Store) -> None:
    lease = dreaming(store)
    put(store, said("4"))
    stage_all(store, lease)
    assert store.commit(commit_of(lease)).committed
    (facts,) = store.window_facts()
    assert facts.new_events == 1


def test_a_second_commit_of_the_same_dream_is_fenced(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    batch = commit_of(lease, change(None, ONE))
    store.commit(batch)
    with pytest.raises(FencedError):
        store.commit(batch)
    assert len(store.versions("m1")) == 1


def test_a_watermark_that_moved_refuses_everything(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    result = store.commit(commit_of(lease, change(None, ONE), from_seq=1))
    assert result == CommitResult(committed=False, watermark_moved=True)
    assert store.memories() == []
    dream = store.dream("d1")
    assert dream is not None
    assert dream.state is DreamState.RUNNING


def test_changes_of_one_memory_chain_on_each_other(store: Store) -> None:
    third = replace(ONE_LATER, content="last", revision=3)
    dreamed(store, change(None, ONE), change(ONE, ONE_LATER), change(ONE_LATER, third))
    assert store.memory("m1") == third
    assert [version.revision for version in store.versions("m1")] == [1, 2, 3]
    assert [version.before for version in store.versions("m1")] == [None, ONE, ONE_LATER]
    assert store.violations() == []


def test_a_memory_that_changed_since_the_plan_refuses_everything(store: Store) -> None:
    dreamed(store, change(None, ONE), change(ONE, ONE_LATER))
    lease = second_dream(store)
    batch = commit_of(
        lease,  # type: ignore[arg-type]
        change(None, memory("m2")),
        change(ONE, replace(ONE, content="stale", revision=2)),
        from_seq=3,
        through_seq=4,
    )
    assert store.commit(batch) == CommitResult(committed=False, changed=("m1",))
    assert store.memories() == [ONE_LATER]
    assert store.dream_changes("d2") == []


def test_a_new_memory_with_a_known_id_is_refused(store: Store) -> None:
    dreamed(store, change(None, ONE))
    lease = second_dream(store)
    batch = commit_of(lease, change(None, ONE), from_seq=3, through_seq=4)  # type: ignore[arg-type]
    assert store.commit(batch).changed == ("m1",)


def test_a_memory_that_is_gone_counts_as_changed(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    assert store.commit(commit_of(lease, change(ONE, ONE_LATER))).changed == ("m1",)


def test_superseding_links_to_a_memory_of_the_same_commit(store: Store) -> None:
    old = replace(ONE, status=Status.ARCHIVED, superseded_by="m2", revision=2)
    dreamed(store, change(None, ONE), change(ONE, old), change(None, memory("m2")))
    found = store.memory("m1")
    assert found is not None
    assert found.superseded_by == "m2"


def test_a_link_to_nowhere_is_refused_as_a_whole(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    with pytest.raises(StoreError):
        store.commit(commit_of(lease, change(None, replace(ONE, superseded_by="m9"))))
    assert store.memories() == []
    found = store.window("event:a")
    assert found is not None
    assert found.dreamed_seq == 0


def test_a_watermark_beyond_the_window_is_refused_as_a_whole(store: Store) -> None:
    lease = dreaming(store)
    stage_all(store, lease)
    with pytest.raises(StoreError):
        store.commit(commit_of(lease, change(None, ONE), through_seq=4))
    assert store.memories() == []


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, ONE_LATER), (ONE, ONE), (ONE, replace(ONE, id="m2", revision=2))],
    ids=["new at 2", "not raised", "another memory"],
)
def test_a_change_must_be_one_step_of_one_memory(
    store: Store, before: object, after: object
) -> None:
    lease = dreaming(store)
    with pytest.raises(ValueError, match=r"m[12]"):
        store.commit(commit_of(lease, change(before, after)))  # type: ignore[arg-type]


def test_the_same_evidence_is_kept_once(store: Store) -> None:
    dreamed(store, change(None, ONE, quote(), quote()), change(ONE, ONE_LATER, quote()))
    assert store.evidence(["m1"]) == [quote()]


def test_final_verdicts_replace_the_staged_ones(store: Store) -> None:
    lease = dreaming(store)
    for name in RoundName:
        store.save_staged(lease, name, '[{"decision":"review"}]', (), None, 1)
    verdicts = '[{"decision":"refused"},{"decision":"review"},{"decision":"review"}]'
    batch = commit_of(lease, operations={RoundName.TOPIC: verdicts, RoundName.PROJECT: "[]"})
    assert store.commit(batch).committed
    assert [one.operations for one in store.rounds("d1")][1:] == [verdicts, "[]"]
    (facts,) = store.window_facts()
    assert facts.review == 1 + 2 + 0
    assert store.counts()["review"] == 3


def test_operations_of_an_unfinished_dream_wait_for_nobody(store: Store) -> None:
    lease = dreaming(store)
    store.save_staged(lease, RoundName.ATOMIC, "[]", (), None, 4)
    (facts,) = store.window_facts()
    assert facts.review == 0
    assert store.counts()["review"] == 0


@pytest.mark.parametrize(
    ("place", "applied"),
    [("commit.before", False), ("commit.inside", False), ("commit.after", True)],
)
def test_a_crash_leaves_all_or_nothing(factory: SqliteFactory, place: str, applied: bool) -> None:
    store = factory.open(failpoints=SetFailpoint(place, 1, "raise"))
    lease = dreaming(store)
    stage_all(store, lease)
    with pytest.raises(FailpointError):
        store.commit(commit_of(lease, change(None, ONE, quote())))
    after = factory.open()
    dream, found = after.dream("d1"), after.window("event:a")
    assert dream is not None
    assert found is not None
    assert dream.state == ("applied" if applied else "running")
    assert found.dreamed_seq == (3 if applied else 0)
    assert [len(after.memories()), len(after.evidence(["m1"])), len(after.versions("m1"))] == (
        [1, 1, 1] if applied else [0, 0, 0]
    )
    assert after.violations() == []
    if not applied:
        assert after.commit(commit_of(lease, change(None, ONE, quote()))).committed


def test_a_crash_inside_ingest_leaves_cursor_and_events(factory: SqliteFactory) -> None:
    store = factory.open(failpoints=SetFailpoint("ingest.inside", 1, "raise"))
    with pytest.raises(FailpointError):
        put(store, said("1"))
    assert factory.open().window("event:a") is None


def test_a_plan_must_exist_for_other_windows_too(store: Store) -> None:
    lease = dreaming(store)
    planned(store, lease)
    result = store.commit(commit_of(lease, window="event:unknown"))
    assert result.watermark_moved
