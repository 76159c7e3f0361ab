"""Conformance: claim, start, lease, and every way back to waiting."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memgardend.core.errors import FencedError
from memgardend.core.ports import Store
from memgardend.core.records import Lease, Owner
from memgardend.core.words import OPEN_STATES, DreamState, RoundName, RoundState
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from support.stores import (
    LEASE_MS,
    NOW,
    SqliteFactory,
    asked,
    change,
    claimed,
    commit_of,
    dreamed,
    dreaming,
    memory,
    owner,
    planned,
    put,
    receipt,
    rev,
    said,
    stage_all,
    started,
    window,
)


def nobody_gone(_: Owner) -> bool:
    return False


def heal(store: Store, now: int, *, gone: bool = False, max_attempts: int = 5) -> list[str]:
    healed = store.heal(now, lambda _: gone, max_attempts, lambda deaths: deaths * 1000)
    return [dream.state.value for dream in healed]


def test_a_claim_writes_a_pending_row(store: Store) -> None:
    put(store, said("1"))
    assert store.claim("event:a", 1, "d1", NOW, manual=True, overrode=["peak", "active"])
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.window, dream.attempts) == (DreamState.PENDING, "event:a", 0)
    assert (dream.manual, dream.overrode) == (True, ("peak", "active"))
    assert (dream.created_at, dream.next_attempt_at) == (NOW, NOW)


def test_no_claim_of_a_window_that_changed_since_it_was_judged(store: Store) -> None:
    put(store, said("1"))
    put(store, said("2"))
    assert not store.claim("event:a", 1, "d1", NOW)
    assert not store.claim("event:unknown", 0, "d1", NOW)
    assert store.dreams() == []


@pytest.mark.parametrize("state", sorted(OPEN_STATES))
def test_no_claim_while_a_dream_is_open(store: Store, state: DreamState) -> None:
    put(store, said("1"))
    claimed(store)
    if state is not DreamState.PENDING:
        lease = started(store)
        if state is not DreamState.RUNNING:
            quarantine = state is DreamState.QUARANTINED
            store.fail(lease, NOW, NOW, "r", "e", refund=False, quarantine=quarantine)
    assert [dream.state for dream in store.dreams()] == [state]
    assert not store.claim("event:a", rev(store), "d2", NOW)


def test_a_claim_after_a_final_dream_starts_behind_the_watermark(store: Store) -> None:
    dreamed(store)
    put(store, said("4"))
    claimed(store, "d2")
    dream = store.dream("d2")
    assert dream is not None
    assert (dream.from_seq, dream.attempts) == (3, 0)


@pytest.mark.parametrize(("place", "rows"), [("claim.before", 0), ("claim.after", 1)])
def test_the_failpoints_around_a_claim(factory: SqliteFactory, place: str, rows: int) -> None:
    store = factory.open(failpoints=SetFailpoint(place, 1, "raise"))
    put(store, said("1"))
    with pytest.raises(FailpointError):
        store.claim("event:a", 1, "d1", NOW)
    assert len(factory.open().dreams()) == rows


def test_a_start_takes_the_lease_and_counts(store: Store) -> None:
    put(store, said("1"))
    claimed(store)
    dream = store.start("d1", 1, owner(), NOW + 5, NOW + LEASE_MS, 1)
    assert dream is not None
    assert dream == store.dream("d1")
    assert (dream.state, dream.fence, dream.attempts) == (DreamState.RUNNING, 1, 1)
    assert (dream.owner, dream.lease_until) == (owner().text(), NOW + LEASE_MS)
    assert (dream.started_at, dream.heartbeat_at, dream.next_attempt_at) == (NOW + 5, NOW + 5, None)


def test_a_dream_starts_once(store: Store) -> None:
    put(store, said("1"))
    claimed(store)
    started(store)
    assert store.start("d1", 1, owner("b"), NOW, NOW + 9, 9) is None


def test_no_start_when_the_window_changed(store: Store) -> None:
    put(store, said("1"))
    claimed(store)
    put(store, said("2"))
    assert store.start("d1", 1, owner(), NOW, NOW + 9, 1) is None
    assert store.start("d1", 2, owner(), NOW, NOW + 9, 1) is not None


def test_no_start_beyond_the_slots(store: Store) -> None:
    for name in ("a", "b", "c"):
        put(store, said(name), into=window(name))
        claimed(store, f"d-{name}", f"event:{name}")
    assert store.start("d-a", 1, owner(), NOW, NOW + 9, 2) is not None
    assert store.start("d-b", 1, owner(), NOW, NOW + 9, 2) is not None
    assert store.start("d-c", 1, owner(), NOW, NOW + 9, 2) is None
    assert store.start("d-c", 1, owner(), NOW, NOW + 9, 3) is not None


def test_a_crash_inside_a_start_leaves_the_dream_waiting(factory: SqliteFactory) -> None:
    store = factory.open(failpoints=SetFailpoint("start.inside", 1, "raise"))
    put(store, said("1"))
    claimed(store)
    with pytest.raises(FailpointError):
        started(store)
    (dream,) = factory.open().dreams()
    assert (dream.state, dream.fence) == (DreamState.PENDING, 0)


def test_a_beat_moves_the_lease(store: Store) -> None:
    lease = dreaming(store)
    store.beat(lease, NOW + 30_000, NOW + 150_000)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.heartbeat_at, dream.lease_until) == (NOW + 30_000, NOW + 150_000)


FENCED: dict[str, Callable[[Store, Lease], object]] = {
    "beat": lambda s, lease: s.beat(lease, NOW, NOW + 1),
    "save_plan": lambda s, lease: planned(s, lease),
    "save_asked": lambda s, lease: asked(s, lease, RoundName.ATOMIC, "h"),
    "save_answer": lambda s, lease: s.save_answer(lease, RoundName.ATOMIC, "{}", receipt()),
    "save_receipt": lambda s, lease: s.save_receipt(lease, receipt()),
    "save_problems": lambda s, lease: s.save_problems(lease, RoundName.ATOMIC, ["x"]),
    "save_staged": lambda s, lease: s.save_staged(lease, RoundName.ATOMIC, "[]", (), None, 0),
    "reset_rounds": lambda s, lease: s.reset_rounds(lease, [RoundName.ATOMIC], "{}"),
    "commit": lambda s, lease: s.commit(commit_of(lease, change(None, memory()))),
    "fail": lambda s, lease: s.fail(lease, NOW, NOW, "r", "e", refund=False),
    "release": lambda s, lease: s.release(lease, NOW, NOW, "peak"),
}


@pytest.mark.parametrize("call", FENCED)
@pytest.mark.parametrize("loss", ["fence", "owner", "state", "unknown"])
def test_a_worker_that_lost_its_lease_writes_nothing(store: Store, call: str, loss: str) -> None:
    lease = dreaming(store)
    asked(store, lease, RoundName.ATOMIC, "h")
    if loss == "state":
        heal(store, NOW, gone=True)
    stale = {
        "fence": Lease(dream="d1", owner=lease.owner, fence=lease.fence - 1),
        "owner": Lease(dream="d1", owner=owner("b").text(), fence=lease.fence),
        "state": lease,
        "unknown": Lease(dream="d9", owner=lease.owner, fence=lease.fence),
    }[loss]
    before = (store.dreams(), store.rounds("d1"), store.window("event:a"), store.receipts())
    with pytest.raises(FencedError):
        FENCED[call](store, stale)
    after = (store.dreams(), store.rounds("d1"), store.window("event:a"), store.receipts())
    assert after == before
    assert store.memories() == []


def test_an_owner_that_wakes_after_another_took_over_is_refused(factory: SqliteFactory) -> None:
    paused, other = factory.open(), factory.open()
    old = dreaming(paused)
    assert heal(other, NOW + LEASE_MS) == ["pending"]
    new = started(other, who="a", now=NOW + LEASE_MS)
    assert new.fence == old.fence + 1
    with pytest.raises(FencedError):
        paused.commit(commit_of(old, change(None, memory())))
    other.beat(new, NOW + LEASE_MS, NOW + 2 * LEASE_MS)


@pytest.mark.parametrize(("refund", "attempts"), [(False, 1), (True, 0)])
def test_a_failure_waits_for_its_instant(store: Store, refund: bool, attempts: int) -> None:
    lease = dreaming(store)
    store.fail(lease, NOW + 7, NOW + 300_000, "atomic: timeout", "tail", refund=refund)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.attempts, dream.failures) == (DreamState.FAILED, attempts, 1)
    assert (dream.reason, dream.error) == ("atomic: timeout", "tail")
    assert (dream.owner, dream.lease_until, dream.next_attempt_at) == (None, None, NOW + 300_000)
    assert store.startable(NOW + 299_999) == []
    assert [one.id for one in store.startable(NOW + 300_000)] == ["d1"]


def test_a_quarantined_dream_never_starts_by_itself(store: Store) -> None:
    store.fail(dreaming(store), NOW, None, "five attempts", "e", refund=False, quarantine=True)
    assert store.startable(NOW + 10**12) == []
    assert store.start("d1", rev(store), owner(), NOW, NOW + 9, 1) is None


def test_failures_count_up_and_a_restart_clears_the_reason(store: Store) -> None:
    store.fail(dreaming(store), NOW, NOW, "r", "e", refund=True)
    lease = started(store)
    again = store.dream("d1")
    assert again is not None
    assert (again.reason, again.error, again.fence) == (None, None, 2)
    store.fail(lease, NOW, NOW, "r", "e", refund=False)
    last = store.dream("d1")
    assert last is not None
    assert (last.failures, last.attempts) == (2, 1)


def test_a_failed_attempt_leaves_a_fresh_reask_and_what_is_staged(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, RoundName.ATOMIC, "h")
    store.save_answer(lease, RoundName.ATOMIC, "{}", receipt())
    store.save_staged(lease, RoundName.ATOMIC, "[]", (), None, 0)
    for answer in ("x", "y"):
        asked(store, lease, RoundName.TOPIC, "h")
        store.save_answer(lease, RoundName.TOPIC, answer, receipt(round=RoundName.TOPIC))
        store.save_problems(lease, RoundName.TOPIC, ["no JSON"])
    store.fail(lease, NOW, NOW, "r", "e", refund=False)
    atomic, topic, _ = store.rounds("d1")
    assert (atomic.state, atomic.asks) == (RoundState.STAGED, 1)
    assert (topic.state, topic.asks, topic.model_calls) == (RoundState.PLANNED, 0, 2)
    assert topic.problems == ("no JSON",)


def test_a_released_dream_goes_back_without_counting(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, RoundName.ATOMIC, "h")
    store.release(lease, NOW + 1, NOW + 60_000, "peak")
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.attempts, dream.failures) == (DreamState.PENDING, 0, 0)
    assert (dream.next_attempt_at, dream.reason, dream.owner) == (NOW + 60_000, "peak", None)
    assert (store.rounds("d1")[0].state, store.rounds("d1")[0].asks) == (RoundState.PLANNED, 0)


@pytest.mark.parametrize("state", ["pending", "failed", "quarantined"])
def test_an_open_dream_that_does_not_run_can_be_cancelled(store: Store, state: str) -> None:
    put(store, said("1"))
    claimed(store)
    if state != "pending":
        store.fail(started(store), NOW, NOW, "r", "e", refund=False, quarantine=state != "failed")
    assert store.cancel("d1", NOW + 3, "by hand")
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.reason, dream.finished_at) == ("cancelled", "by hand", NOW + 3)
    assert not store.cancel("d1", NOW + 4, "again")
    claimed(store, "d2")


def test_a_running_dream_cannot_be_cancelled(store: Store) -> None:
    dreaming(store)
    assert not store.cancel("d1", NOW, "by hand")
    assert not store.cancel("d9", NOW, "unknown")


def test_a_live_lease_is_not_healed(store: Store) -> None:
    dreaming(store)
    assert heal(store, NOW + LEASE_MS - 1) == []


def test_the_first_death_starts_again_at_once_and_later_ones_back_off(store: Store) -> None:
    dreaming(store)
    assert heal(store, NOW + LEASE_MS) == ["pending"]
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.deaths, dream.attempts, dream.reason) == (1, 1, "lease_ended")
    assert (dream.next_attempt_at, dream.owner) == (NOW + LEASE_MS, None)
    started(store, now=NOW + LEASE_MS)
    assert heal(store, NOW + LEASE_MS + 5, gone=True) == ["pending"]
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.deaths, dream.reason) == (2, "owner_gone")
    assert dream.next_attempt_at == NOW + LEASE_MS + 5 + 2000


def test_the_last_attempt_that_dies_is_quarantined_and_says_why(store: Store) -> None:
    dreaming(store)
    assert heal(store, NOW, gone=True, max_attempts=1) == ["quarantined"]
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.next_attempt_at, dream.reason) == (None, "owner_gone")


def test_heal_never_finishes_a_dream_and_keeps_its_answers(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, RoundName.ATOMIC, "h")
    store.save_answer(lease, RoundName.ATOMIC, "{}", receipt())
    store.save_staged(lease, RoundName.ATOMIC, "[]", (), None, 0)
    asked(store, lease, RoundName.TOPIC, "h")
    heal(store, NOW, gone=True)
    rounds = store.rounds("d1")
    assert [one.state for one in rounds] == ["staged", "planned", "planned"]
    assert [one.asks for one in rounds] == [1, 0, 0]
    assert [one.model_calls for one in rounds] == [1, 1, 0]
    found = store.window("event:a")
    assert found is not None
    assert found.dreamed_seq == 0


def test_heal_asks_about_the_owner_and_races_safely(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    dreaming(one)
    asked: list[Owner] = []

    def gone(who: Owner) -> bool:
        asked.append(who)
        assert heal(two, NOW, gone=True) == ["pending"]
        started(two, who="b")
        return True

    assert one.heal(NOW, gone, 5, lambda deaths: 0) == []
    assert asked == [owner()]
    dream = one.dream("d1")
    assert dream is not None
    assert (dream.state, dream.fence, dream.deaths) == (DreamState.RUNNING, 2, 1)


def test_a_beat_in_time_keeps_an_ended_lease_from_being_healed(factory: SqliteFactory) -> None:
    one, two = factory.open(), factory.open()
    lease = dreaming(one)

    def beats_meanwhile(_: Owner) -> bool:
        one.beat(lease, NOW + LEASE_MS, NOW + 2 * LEASE_MS)
        return False

    assert two.heal(NOW + LEASE_MS, beats_meanwhile, 5, lambda deaths: 0) == []


def test_dreams_are_listed_newest_first(store: Store) -> None:
    for number, name in enumerate(("a", "b", "c")):
        put(store, said(name), into=window(name))
        store.claim(f"event:{name}", 1, f"d-{name}", NOW + number)
    store.cancel("d-b", NOW, "x")
    assert [dream.id for dream in store.dreams()] == ["d-c", "d-b", "d-a"]
    assert [dream.id for dream in store.dreams(2)] == ["d-c", "d-b"]
    assert [dream.id for dream in store.dreams(window="event:a")] == ["d-a"]
    only = (DreamState.CANCELLED, DreamState.FAILED)
    assert [dream.id for dream in store.dreams(states=only)] == ["d-b"]
    assert [dream.id for dream in store.startable(NOW + 9)] == ["d-a", "d-c"]
    assert store.find_dreams("d-") == ["d-a", "d-b", "d-c"]
    assert store.find_dreams("d-b") == ["d-b"]
    assert store.find_dreams("x") == []
    assert store.dream("x") is None


def test_the_usual_length_is_known_from_five_dreams_on(store: Store) -> None:
    """How long models worked; a machine that slept meanwhile makes a dream no longer."""
    for number, seconds in enumerate([50, 10, 40, 20, 30]):
        assert store.p90_duration_ms() is None
        put(store, said(str(number)))
        claimed(store, f"d{number}")
        lease = started(store, f"d{number}")
        store.save_plan(lease, "{}", NOW, number, number + 1, list(RoundName))
        for name, share in ((RoundName.ATOMIC, 900), (RoundName.TOPIC, 100)):
            asked(store, lease, name)
            spent = receipt(lease.dream, round=name, duration_ms=seconds * share)
            store.save_answer(lease, name, "{}", spent)
        stage_all(store, lease)
        batch = commit_of(
            lease,
            change(None, memory(f"m{number}")),
            from_seq=number,
            through_seq=number + 1,
            at=NOW + (number + 1) * 9_000_000,
        )
        assert store.commit(batch).committed
    assert store.p90_duration_ms() == 50_000


def test_a_quarantined_dream_that_is_retried_has_all_its_attempts_again(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, RoundName.ATOMIC)
    store.save_answer(lease, RoundName.ATOMIC, "no", receipt())
    store.save_problems(lease, RoundName.ATOMIC, ["x"])
    heal(store, NOW, gone=True, max_attempts=1)
    before = store.dream("d1")
    assert before is not None
    assert (before.state, before.attempts, before.deaths) == ("quarantined", 1, 1)
    assert store.retry("d1", NOW + 5)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.attempts, dream.failures, dream.deaths) == ("pending", 0, 0, 0)
    assert (dream.next_attempt_at, dream.reason, dream.error) == (NOW + 5, None, None)
    atomic = store.rounds("d1")[0]
    assert (atomic.state, atomic.asks, atomic.problems) == ("planned", 0, ("x",))
    assert store.violations() == []
    assert [one.id for one in store.startable(NOW + 5)] == ["d1"]


def test_a_failed_dream_that_is_retried_keeps_its_count(store: Store) -> None:
    lease = dreaming(store)
    store.fail(lease, NOW, NOW + 60_000, "atomic: exit", "it failed", refund=False)
    assert store.retry("d1", NOW + 5)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.attempts, dream.failures) == ("pending", 1, 1)
    assert dream.next_attempt_at == NOW + 5


def test_a_parked_dream_that_is_retried_is_due_at_once(store: Store) -> None:
    store.release(dreaming(store), NOW, NOW + 60_000, "budget")
    assert store.retry("d1", NOW + 5)
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.state, dream.attempts, dream.next_attempt_at) == ("pending", 0, NOW + 5)


@pytest.mark.parametrize("state", ["running", "pending", "applied", "unknown"])
def test_no_other_dream_is_retried(store: Store, state: str) -> None:
    if state == "applied":
        dreamed(store)
    elif state != "unknown":
        lease = dreaming(store)
        if state == "pending":
            store.release(lease, NOW, NOW + 5, "interrupted")
    before = store.dreams()
    assert not store.retry("d1", NOW + 5)
    assert store.dreams() == before
