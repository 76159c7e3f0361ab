"""Conformance: plans, rounds and receipts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest

from memgardend.core.budget import Limits
from memgardend.core.clock import DAY_MS
from memgardend.core.errors import FencedError, StoreError
from memgardend.core.ports import Store
from memgardend.core.words import Outcome, RoundName, RoundState
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from support.stores import (
    NOW,
    SqliteFactory,
    asked,
    claimed,
    dreaming,
    planned,
    put,
    receipt,
    said,
    started,
)

ATOMIC, TOPIC, PROJECT = RoundName


def test_a_plan_lays_out_the_rounds_in_order(store: Store) -> None:
    put(store, said("1"), said("2"))
    claimed(store)
    store.save_plan(started(store), '{"a":1}', NOW - 5, 0, 2, [ATOMIC, TOPIC])
    dream = store.dream("d1")
    assert dream is not None
    assert (dream.plan, dream.seal, dream.from_seq, dream.through_seq) == ('{"a":1}', NOW - 5, 0, 2)
    rounds = store.rounds("d1")
    assert [(one.name, one.position, one.state) for one in rounds] == [
        (ATOMIC, 0, RoundState.PLANNED),
        (TOPIC, 1, RoundState.PLANNED),
    ]


def test_a_new_plan_replaces_rounds_without_answers_and_remembers_their_calls(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, ATOMIC, "h")
    planned(store, lease, [ATOMIC])
    (one,) = store.rounds("d1")
    assert (one.state, one.asks, one.model_calls, one.prompt_hash) == ("planned", 0, 1, None)


@pytest.mark.parametrize("state", ["answered", "staged"])
def test_a_plan_that_an_answer_rests_on_is_frozen(store: Store, state: str) -> None:
    lease = dreaming(store)
    asked(store, lease, ATOMIC, "h")
    store.save_answer(lease, ATOMIC, "{}", receipt())
    if state == "staged":
        store.save_staged(lease, ATOMIC, "[]", (), None, 0)
    before = (store.dream("d1"), store.rounds("d1"))
    with pytest.raises(StoreError, match="frozen"):
        store.save_plan(lease, "other", NOW, 0, 1, [TOPIC])
    assert (store.dream("d1"), store.rounds("d1")) == before


def test_a_round_from_question_to_staged_operations(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, ATOMIC, "hash")
    found = store.rounds("d1")[0]
    assert (found.state, found.asks, found.model_calls) == (RoundState.ASKED, 1, 1)
    assert found.prompt_hash == "hash"
    store.save_answer(lease, ATOMIC, '{"operations": []} – ok', receipt())
    answered = store.rounds("d1")[0]
    assert (answered.state, answered.answer) == (RoundState.ANSWERED, '{"operations": []} – ok')
    operations = '[{"decision":"review"}]'
    store.save_staged(lease, ATOMIC, operations, ("why?",), "summary", 1)
    staged = store.rounds("d1")[0]
    assert (staged.state, staged.operations) == (RoundState.STAGED, operations)
    assert (staged.questions, staged.summary) == (("why?",), "summary")


def test_an_unusable_answer_sends_the_round_back_with_the_reasons(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, ATOMIC, "h")
    store.save_answer(lease, ATOMIC, "hello", receipt())
    store.save_problems(lease, ATOMIC, ["no JSON", "echo"])
    back = store.rounds("d1")[0]
    assert (back.state, back.asks, back.problems) == (RoundState.PLANNED, 1, ("no JSON", "echo"))
    asked(store, lease, ATOMIC, "h2")
    assert store.rounds("d1")[0].asks == 2


def test_a_round_can_be_skipped_unasked(store: Store) -> None:
    lease = dreaming(store)
    store.save_staged(lease, PROJECT, "[]", (), None, 0, skipped=True)
    assert store.rounds("d1")[2].state is RoundState.SKIPPED


@pytest.mark.parametrize("call", ["answer unasked", "problems unasked", "stage twice", "unknown"])
def test_steps_out_of_order_are_refused(store: Store, call: str) -> None:
    lease = dreaming(store)
    store.save_staged(lease, TOPIC, "[]", (), None, 0)
    planned_before = store.rounds("d1")
    with pytest.raises(FencedError):
        match call:
            case "answer unasked":
                store.save_answer(lease, ATOMIC, "{}", receipt())
            case "problems unasked":
                store.save_problems(lease, ATOMIC, ["x"])
            case "stage twice":
                store.save_staged(lease, TOPIC, '["other"]', (), None, 0)
            case _:
                asked(store, lease, TOPIC, "h")
    assert store.rounds("d1") == planned_before
    assert store.receipts() == []


def test_a_crash_inside_staging_leaves_the_answer(factory: SqliteFactory) -> None:
    store = factory.open(failpoints=SetFailpoint("staged.inside", 1, "raise"))
    lease = dreaming(store)
    asked(store, lease, ATOMIC, "h")
    store.save_answer(lease, ATOMIC, "{}", receipt())
    with pytest.raises(FailpointError):
        store.save_staged(lease, ATOMIC, "[1]", (), None, 0)
    found = factory.open().rounds("d1")[0]
    assert (found.state, found.operations, found.answer) == ("answered", "[]", "{}")


def test_reset_rounds_are_asked_again_under_the_new_plan(store: Store) -> None:
    lease = dreaming(store)
    for name in RoundName:
        asked(store, lease, name, "h")
        store.save_answer(lease, name, "{}", receipt(round=name))
        store.save_staged(lease, name, "[1]", ("q",), "s", 1)
    store.reset_rounds(lease, [TOPIC, PROJECT], "refreshed")
    dream = store.dream("d1")
    assert dream is not None
    assert dream.plan == "refreshed"
    atomic, topic, project = store.rounds("d1")
    assert (atomic.state, atomic.operations) == ("staged", "[1]")
    for one in (topic, project):
        assert (one.state, one.asks, one.answer, one.operations) == ("planned", 0, None, "[]")
        assert (one.questions, one.summary, one.model_calls) == ((), None, 1)


def test_a_receipt_is_written_before_its_call_and_completed_after_it(store: Store) -> None:
    lease = dreaming(store)
    asked(store, lease, ATOMIC, tokens_in=40)
    (early,) = store.receipts()
    assert (early.outcome, early.tokens_in, early.cost) == (Outcome.ASKED, 40, None)
    failed = receipt(outcome=Outcome.TIMEOUT, detail="600 s", duration_ms=600_000)
    store.save_receipt(lease, failed)
    asked(store, lease, ATOMIC)
    paid = receipt(
        cost="0.0123",
        peak_cost="0.0246",
        currency="USD",
        tokens_in=5,
        tokens_out=7,
        tokens_reported=True,
        counted=False,
    )
    store.save_answer(lease, ATOMIC, "{}", paid)
    assert store.receipts("d1") == [failed, paid]
    assert store.receipts() == [failed, paid]
    assert store.receipts("d9") == []


def test_receipts_since_an_instant(store: Store) -> None:
    lease = dreaming(store)
    for at in (NOW - 1, NOW, NOW + 1):
        asked(store, lease, ATOMIC, at=at)
    assert [one.at for one in store.receipts(since=NOW)] == [NOW, NOW + 1]
    assert [one.at for one in store.receipts("d1", since=NOW + 1)] == [NOW + 1]


def test_a_receipt_without_its_call_is_refused(store: Store) -> None:
    lease = dreaming(store)
    with pytest.raises(FencedError, match="was not asked"):
        store.save_receipt(lease, receipt())
    assert store.receipts() == []


LIMITS: dict[str, tuple[Limits, dict[str, Any]]] = {
    "calls": (Limits(zone=UTC, calls_per_day=1), {}),
    "tokens": (Limits(zone=UTC, tokens_per_day=40), {"tokens_in": 39, "tokens_out": 1}),
    "money": (
        Limits(zone=UTC, money_per_day=Decimal("0.5"), currency="USD"),
        {"cost": "0.5", "currency": "USD"},
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_no_round_is_asked_past_a_limit(store: Store, name: str) -> None:
    """What is under way counts: the receipt stands before its call."""
    limits, spent = LIMITS[name]
    lease = dreaming(store)
    assert asked(store, lease, ATOMIC, limits=limits, **spent) is None
    before = (store.rounds("d1"), store.receipts())
    held = asked(store, lease, ATOMIC, limits=limits, **spent)
    assert held == store.spending(limits, NOW)
    assert held is not None
    assert held.opens(NOW) == NOW + DAY_MS
    assert (store.rounds("d1"), store.receipts()) == before
    assert asked(store, lease, ATOMIC, limits=limits, at=NOW + DAY_MS) is None


@pytest.mark.parametrize(
    "fields",
    [{"counted": False}, {"at": NOW - DAY_MS}, {"at": NOW + DAY_MS}],
    ids=["offline", "yesterday", "tomorrow"],
)
def test_what_does_not_count_leaves_room(store: Store, fields: dict[str, Any]) -> None:
    limits = Limits(zone=UTC, calls_per_hour=1, calls_per_day=1)
    lease = dreaming(store)
    asked(store, lease, ATOMIC, **fields)
    assert asked(store, lease, ATOMIC, limits=limits) is None


def test_of_many_workers_at_once_none_spends_more_than_the_limit(factory: SqliteFactory) -> None:
    workers, limits = 8, Limits(zone=UTC, calls_per_day=5)
    lease = dreaming(factory.open())
    together = Barrier(workers)

    def ask(_: int) -> list[bool]:
        """Each by a connection of its own, as another process would."""
        store = SqliteFactory(factory.path.parents[1]).open()
        try:
            together.wait()
            return [asked(store, lease, ATOMIC, limits=limits) is None for _ in range(3)]
        finally:
            store.close()

    with ThreadPoolExecutor(workers) as pool:
        granted = [one for each in pool.map(ask, range(workers)) for one in each]
    assert granted.count(True) == len(factory.open().receipts()) == 5
