"""The budget at work: what holds a dream, what lets it go on, and what each call leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.days import day_of
from memgardend.core.errors import BusyError
from memgardend.core.ports import ModelReply
from memgardend.core.times import rfc3339
from memgardend.core.words import DreamState, Ending, GateName, Outcome
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from memgardend.jobs.context import Garden
from memgardend.jobs.heal import heal
from memgardend.jobs.look import dreams_document, show_document, status_document, why_document
from memgardend.jobs.look.outlook import Outlook
from memgardend.jobs.manual import dream_window
from memgardend.jobs.retrying import retry_dreams
from memgardend.jobs.sweep import next_instant, sweep
from support.conversation import say, window_id
from support.garden import QUIET_MS, START, ScriptedModel, as_process, config_of, make_garden, owner

PAID = "model: {command: [my-model]}\n"
MIDNIGHT = day_of(START, ZoneInfo("Asia/Shanghai"))[1]


def paying(
    tmp_path: Path, budget: str, *windows: str, model: ScriptedModel | None = None, **more: Any
) -> Garden:
    """A garden whose model counts, with something said in each window some hours ago."""
    yaml = more.pop("yaml", PAID) + f"budget: {{{budget}}}\n"
    garden = make_garden(tmp_path, yaml=yaml, model=model, **more)
    for name in windows or ("mail",):
        say(garden.store, name, "The staging port is 8080.", at=START - QUIET_MS)
    return garden


def outlook(garden: Garden) -> Outlook:
    return Outlook(
        store=garden.store,
        config=garden.config,
        suppression=garden.suppression,
        now_ms=garden.clock.now_ms(),
        driven=True,
        workspace="/work",
    )


def calls(garden: Garden) -> int:
    assert isinstance(garden.model, ScriptedModel)
    return len(garden.model.calls)


def at(garden: Garden, instant: int) -> None:
    assert isinstance(garden.clock, ManualClock)
    garden.clock.advance(instant - garden.clock.now_ms())


def test_a_dream_that_meets_the_limit_waits_uncounted_and_goes_on_where_it_was(
    tmp_path: Path,
) -> None:
    garden = paying(tmp_path, "calls_per_day: 1")
    (report,) = sweep(garden).dreams
    assert (report.ending, report.reason) == (Ending.PARKED, "budget: 1 of 1 calls today")
    assert report.hint == f"memgardend why {window_id('mail')}"
    (dream,) = garden.store.dreams()
    assert (dream.state, dream.attempts) == (DreamState.PENDING, 0)
    assert dream.next_attempt_at == MIDNIGHT == next_instant(garden)
    at(garden, MIDNIGHT - 1)
    assert (sweep(garden).dreams, calls(garden)) == ([], 1)
    at(garden, MIDNIGHT)
    (report,) = sweep(garden).dreams
    assert report.ending in (Ending.APPLIED, Ending.EMPTY)
    assert [call.round for call in garden.model.calls] == ["atomic", "topic"]  # type: ignore[attr-defined]


def test_a_parked_dream_goes_on_when_the_limit_is_raised_and_a_person_says_so(
    tmp_path: Path,
) -> None:
    garden = paying(tmp_path, "calls_per_day: 1")
    sweep(garden)
    raised = as_process(garden, config=config_of(PAID + "budget: {calls_per_day: 9}\n"))
    (parked,) = retry_dreams(raised.store, START)
    assert parked.state is DreamState.PENDING
    (report,) = sweep(raised).dreams
    assert (report.ending, calls(garden)) == (Ending.EMPTY, 2)


def test_a_spent_budget_holds_whatever_is_due_until_an_exact_instant(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: null, calls_per_hour: 2", "mail", "notes")
    assert len(sweep(garden).dreams) == 1
    document = why_document(outlook(garden), "notes", START)
    gate = next(one for one in document["gates"] if one["gate"] == "budget")
    until = rfc3339(START + HOUR_MS)
    assert (gate["open"], gate["value"]) == (False, "2 of 2 calls within an hour")
    assert (gate["until"], document["next_at"]) == (until, until)
    status = status_document(outlook(garden), START)
    assert status["next"] == {
        "window": window_id("notes"),
        "at": until,
        "reason": "budget: the budget is spent",
    }
    assert status["budget"] == {
        "spent": True,
        "note": "2 of 2 calls within an hour",
        "until": until,
        "limits": [
            {
                "kind": "calls_per_hour",
                "spent": 2,
                "limit": 2,
                "currency": None,
                "full": True,
                "opens_at": until,
            }
        ],
    }
    at(garden, START + HOUR_MS - 1)
    assert sweep(garden).dreams == []
    at(garden, START + HOUR_MS)
    assert len(sweep(garden).dreams) == 1


def test_a_dream_by_hand_obeys_the_budget(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: 2", "mail", "notes")
    sweep(garden)
    with pytest.raises(BusyError, match="budget: the budget is spent"):
        dream_window(garden, window_id("notes"))
    assert calls(garden) == 2


def test_a_budget_of_nothing_has_no_instant(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: 0")
    assert (sweep(garden).dreams, calls(garden), next_instant(garden)) == ([], 0, None)
    budget = status_document(outlook(garden), START)["budget"]
    assert (budget["spent"], budget["note"], budget["until"]) == (True, "0 of 0 calls today", None)


def test_the_offline_model_is_not_counted(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: 0", yaml="")
    (report,) = sweep(garden).dreams
    assert report.ending in (Ending.APPLIED, Ending.EMPTY)
    assert [one.counted for one in garden.store.receipts()] == [False, False]
    status = status_document(outlook(garden), START)
    assert (status["budget"], status["spent"]["today"]["calls"]) == ({}, 0)


def test_a_call_whose_worker_died_counts(tmp_path: Path) -> None:
    points = SetFailpoint("round.atomic.asked", 1, "raise")
    garden = paying(tmp_path, "calls_per_day: 1", failpoints=points)
    with pytest.raises(FailpointError):
        sweep(garden)
    (receipt,) = garden.store.receipts()
    assert (receipt.outcome, receipt.tokens_reported) == (Outcome.ASKED, False)
    assert (receipt.tokens_in or 0) > 1000  # the prompt, estimated
    other = as_process(garden, owner=owner("b"), is_gone=lambda _: True)
    assert len(heal(other)) == 1
    assert (sweep(other).dreams, calls(garden)) == ([], 0)


def test_two_processes_spend_no_call_more_than_the_limit(tmp_path: Path) -> None:
    """While the one waits for its answer, the other wakes and takes what is left."""
    others: list[Garden] = []

    def meanwhile(request: dict[str, Any]) -> Any:
        if others:
            sweep(others.pop())
        return {"operations": [], "questions": [], "summary": ""}

    yaml = "dream: {suppress_windows: [], max_concurrent: 2}\n" + PAID
    garden = paying(
        tmp_path, "calls_per_day: 3", "mail", "notes", model=ScriptedModel(meanwhile), yaml=yaml
    )
    others.append(as_process(garden, owner=owner("b")))
    reports = sweep(garden).dreams
    assert calls(garden) == len(garden.store.receipts()) == 3
    assert [one.ending for one in reports] == [Ending.PARKED]
    states = sorted(dream.state for dream in garden.store.dreams())
    assert states == [DreamState.EMPTY, DreamState.PENDING]


Answer = Callable[[dict[str, Any]], ModelReply]


def using(tokens_in: int, tokens_out: int, **fields: Any) -> Answer:
    def script(request: dict[str, Any]) -> ModelReply:
        return ModelReply(
            outcome=Outcome.OK,
            text='{"operations": [], "questions": [], "summary": ""}',
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            tokens_reported=True,
            duration_ms=1500,
            **fields,
        )

    return script


PRICES = """model:
  command: [my-model]
  prices: {currency: CNY, peak: {input: 2, output: 3}, off_peak: {input: 0.5, output: 0.75}}
"""
PEAK = 'dream: {suppress_windows: [{start: "8:00", end: "12:00"}]}\n'  # START is 8:00

# 34 500 in at 0.5 a million = 0.01725, 1 200 out at 0.75 = 0.0009: 0.01815 a call, two calls a dream 0.0363
# 34 500 in at 2   a million = 0.069,   1 200 out at 3    = 0.0036: 0.0726  a call, two calls a dream 0.1452
RECEIPTS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "at night": (
        PRICES,
        [{"currency": "CNY", "cost": "0.036300", "at_peak": "0.145200", "saved": "0.108900"}],
    ),
    "at peak": (
        PEAK + PRICES,
        [{"currency": "CNY", "cost": "0.145200", "at_peak": "0.145200", "saved": "0.000000"}],
    ),
    "price of the night unknown": (
        "model:\n  command: [my-model]\n  prices: {currency: CNY, peak: {input: 2, output: 3}}\n",
        [{"currency": "USD", "cost": "0.50", "at_peak": None, "saved": None}],
    ),
    "price of the peak unknown": (
        "model:\n  command: [my-model]\n  prices: {currency: CNY, off_peak: {input: 1, output: 1}}\n",
        [{"currency": "CNY", "cost": "0.071400", "at_peak": None, "saved": None}],
    ),
}


@pytest.mark.parametrize("name", RECEIPTS)
def test_what_a_dream_costs(tmp_path: Path, name: str) -> None:
    yaml, money = RECEIPTS[name]
    model = ScriptedModel(using(34_500, 1_200, cost="0.25", currency="USD"))
    garden = paying(tmp_path, "calls_per_day: 60", model=model, yaml=yaml)
    report = dream_window(garden, window_id("mail"))
    expected = {
        "calls": 2,
        "tokens_in": 69_000,
        "tokens_out": 2_400,
        "estimated": 0,
        "unpriced": 0,
        "duration_ms": 3_000,
        "money": money,
    }
    assert dreams_document(garden.store)["dreams"][0]["spent"] == expected
    assert show_document(garden.store, report.dream)["spent"] == expected
    assert status_document(outlook(garden), START)["spent"] == {
        "today": expected,
        "last_7_days": expected,
    }


def test_a_cost_that_nobody_knows_is_not_nothing(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: 60", model=ScriptedModel(using(34_500, 1_200)))
    sweep(garden)
    spent = status_document(outlook(garden), START)["spent"]["today"]
    assert (spent["unpriced"], spent["money"]) == (2, [])


def test_money_stops_at_its_limit(tmp_path: Path) -> None:
    model = ScriptedModel(using(34_500, 1_200))
    garden = paying(tmp_path, "money_per_day: 0.03", "mail", "notes", model=model, yaml=PRICES)
    (report,) = sweep(garden).dreams  # 0.01815, then 0.0363
    assert report.ending in (Ending.APPLIED, Ending.EMPTY)
    budget = status_document(outlook(garden), START)["budget"]
    assert budget["note"] == "0.0363 of 0.03 CNY today"
    assert budget["limits"][-1] | {"opens_at": None} == {
        "kind": "money_per_day",
        "spent": "0.036300",
        "limit": "0.03",
        "currency": "CNY",
        "full": True,
        "opens_at": None,
    }


def test_the_week_is_today_and_the_six_days_before(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: null", model=ScriptedModel(using(10, 1)))
    dream_window(garden, window_id("mail"))
    last = day_of(START, garden.zone)[1] + 6 * 24 * HOUR_MS
    for instant, today, week in (
        (MIDNIGHT - 1, 2, 2),
        (MIDNIGHT, 0, 2),
        (last - 1, 0, 2),
        (last, 0, 0),
        (START - MINUTE_MS, 0, 0),
    ):
        spent = status_document(outlook(garden), instant)["spent"]
        assert (spent["today"]["calls"], spent["last_7_days"]["calls"]) == (today, week)


def test_the_gate_says_how_much_is_left(tmp_path: Path) -> None:
    garden = paying(tmp_path, "calls_per_day: 60")
    document = why_document(outlook(garden), "mail", START)
    gate = next(one for one in document["gates"] if one["gate"] == GateName.BUDGET)
    assert (gate["open"], gate["value"]) == (True, "0 of 60 calls today")
