"""Reflection: when a turn is looked back on, what of it is stored, and what happens when something fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.extract import consolidate, parse_request
from memgardend.core.ports import ModelReply
from memgardend.core.records import IngestBatch, NewEvent, Project, Window
from memgardend.core.words import CallPurpose, Layer, Outcome, Role
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from memgardend.jobs.context import Garden
from memgardend.jobs.ingest_report import IngestReport
from memgardend.jobs.reflect import due_turn, reflect
from memgardend.jobs.run_once import run_once
from memgardend.jobs.sweep import sweep
from support.conversation import say, window_id
from support.garden import START, Answer, ScriptedModel, as_process, make_garden

WANT = "Always run the linter before you commit."
PAID = "model: {command: [x]}\n"


def worked(garden: Garden, window: str = "w", *, steps: int = 7, at: int = START) -> None:
    """A person asks, the agent works in so many steps, and answers."""
    say(garden.store, window, WANT, at=at)
    tools = [
        NewEvent(native_id=f"{window}-{at}-{n}", at=at + n, role=Role.TOOL, text="ok", tool="Make")
        for n in range(steps)
    ]
    seed = Window(id=window_id(window), source="event", native_id=window)
    garden.store.ingest(IngestBatch(window=seed, events=tuple(tools), received_at=at + steps))
    say(garden.store, window, "The build takes 40 s now.", at=at + 20, role=Role.ASSISTANT)


def cards(*made: dict[str, Any]) -> Any:
    """A model that answers with these cards."""

    def script(request: dict[str, Any]) -> Answer:
        assert request["purpose"] == "reflect"
        return {"cards": [{"action": "add", "importance": 0.5, **one} for one in made]}

    return script


def card(text: str, type_: str = "fact", **fields: Any) -> dict[str, Any]:
    return {"summary": text, "content": text, "type": type_, **fields}


def later(tmp_path: Path, script: Any = None, yaml: str = PAID, **fields: Any) -> Garden:
    """A garden three minutes after the work."""
    model = ScriptedModel() if script is None else ScriptedModel(script)
    clock = ManualClock(START + 3 * MINUTE_MS)
    return make_garden(tmp_path, clock=clock, model=model, yaml=yaml, **fields)


def contents(garden: Garden) -> list[str]:
    return [one.content for one in garden.store.memories()]


def asked(garden: Garden) -> int:
    model = garden.model
    assert isinstance(model, ScriptedModel)
    return len(model.calls)


def test_a_turn_is_looked_back_on_once_and_its_cards_are_memories(tmp_path: Path) -> None:
    fact = card("The build takes 40 s since the cache was mended.")
    garden = later(tmp_path, cards(fact, card(WANT, "quote")))
    worked(garden)
    assert reflect(garden) == 1
    assert reflect(garden) == 0
    assert asked(garden) == 1
    learnt, wanted = garden.store.memories()
    assert (learnt.layer, learnt.source_window, learnt.origin) == (
        Layer.FACT,
        "event:w",
        "reflection",
    )
    assert (wanted.layer, wanted.as_of) == (Layer.USER, START + 20)
    (proof,) = garden.store.evidence([learnt.id, wanted.id])
    assert (proof.memory, proof.quote, proof.role) == (wanted.id, WANT, Role.HUMAN)
    assert set(garden.store.window_memory_ids("event:w")) == {learnt.id, wanted.id}
    assert garden.store.violations() == []


def test_facts_belong_to_the_project_and_what_a_person_wants_to_the_person(tmp_path: Path) -> None:
    garden = later(tmp_path, cards(card("The build takes 40 s now."), card(WANT, "quote")))
    garden.store.ensure_project(Project(id="p1", name="app", root="/app"))
    seed = Window(id=window_id("w"), source="event", native_id="w", project="p1", cwd="/app")
    garden.store.ingest(IngestBatch(window=seed, received_at=START))
    worked(garden)
    assert reflect(garden) == 1
    assert [(str(one.layer), one.scope.text()) for one in garden.store.memories()] == [
        ("fact", "p1"),
        ("user", "unset"),
    ]


def test_its_calls_have_receipts_and_prompts_that_we_know_as_ours(tmp_path: Path) -> None:
    garden = later(tmp_path, cards())
    worked(garden)
    reflect(garden)
    (receipt,) = garden.store.receipts()
    assert (receipt.purpose, receipt.dream, receipt.outcome) == (
        CallPurpose.REFLECT,
        None,
        Outcome.OK,
    )
    assert isinstance(garden.model, ScriptedModel)
    prompt = garden.model.calls[0].prompt
    assert prompt.splitlines()[0] == prompt.splitlines()[-1]
    assert prompt.startswith("[memgardend-own ")
    assert "Look back on it before the details are gone" in prompt
    assert WANT in prompt


@pytest.mark.parametrize(
    "unproven",
    [
        card("Always deploy on Fridays, whatever it takes.", "quote"),
        card("The build takes 40 s now.", "quote"),  # the assistant said it
    ],
)
def test_nobody_wants_what_nobody_said(tmp_path: Path, unproven: dict[str, Any]) -> None:
    garden = later(tmp_path, cards(unproven))
    worked(garden)
    assert reflect(garden) == 1
    assert contents(garden) == []


@pytest.mark.parametrize(
    ("yaml", "steps"),
    [
        (PAID + "reflect: {enabled: false}\n", 7),
        (PAID, 6),
        (PAID + "reflect: {tool_steps: 8}\n", 7),
        (PAID + "budget: {calls_per_day: 0}\n", 7),
        (PAID + "dream: {suppress_windows: [{start: '0:00', end: '24:00'}]}\n", 7),
    ],
)
def test_what_keeps_it_from_happening(tmp_path: Path, yaml: str, steps: int) -> None:
    garden = later(tmp_path, cards(), yaml)
    worked(garden, steps=steps)
    assert reflect(garden) == 0
    assert asked(garden) == 0


def test_a_window_that_may_dream_or_dreams_is_left_to_its_dream(tmp_path: Path) -> None:
    garden = later(tmp_path, cards())
    worked(garden)
    window = garden.store.window("event:w")
    assert window is not None
    assert due_turn(garden, "event:w") is not None
    assert isinstance(garden.clock, ManualClock)
    garden.clock.advance(4 * HOUR_MS)
    assert due_turn(garden, "event:w") is None
    garden.clock.advance(-4 * HOUR_MS)
    assert garden.store.claim("event:w", window.rev, "d1", START)
    assert due_turn(garden, "event:w") is None


def test_run_once_looks_back_on_what_is_still_too_fresh_to_dream(tmp_path: Path) -> None:
    garden = later(tmp_path, cards(card("The build takes 40 s since the cache was mended.")))
    worked(garden)
    report = run_once(garden, IngestReport)
    assert (report.reflections, report.exit_code) == (1, 0)
    assert len(contents(garden)) == 1


def test_a_model_that_does_not_work_leaves_the_turn_for_later(tmp_path: Path) -> None:
    answers: list[Answer] = [
        ModelReply(outcome=Outcome.LOGIN),
        {"cards": [card("It works again.", action="add")]},
    ]
    garden = later(tmp_path, lambda request: answers.pop(0))
    worked(garden)
    assert reflect(garden) == 0
    assert reflect(garden) == 1
    assert contents(garden) == ["It works again."]


def test_a_reply_of_no_use_is_asked_for_once_more_and_then_left_to_the_dream(
    tmp_path: Path,
) -> None:
    garden = later(tmp_path, lambda request: '{"cards": [')
    worked(garden)
    assert reflect(garden) == 1
    assert (asked(garden), contents(garden)) == (2, [])
    assert reflect(garden) == 0


@pytest.mark.parametrize("place", ["judgement.asked", "judgement.answered", "edit.inside"])
def test_whoever_dies_stores_nothing_twice(tmp_path: Path, place: str) -> None:
    script = cards(card("The build takes 40 s since the cache was mended."))
    dying = later(tmp_path, script, failpoints=SetFailpoint(place, 1, "raise"))
    worked(dying)
    with pytest.raises(FailpointError):
        reflect(dying)
    assert contents(dying) == []
    assert isinstance(dying.clock, ManualClock)
    healed = make_garden(tmp_path, clock=dying.clock, model=ScriptedModel(script), yaml=PAID)
    assert reflect(healed) == 0  # it may still be under way
    dying.clock.advance(30 * MINUTE_MS)
    assert reflect(healed) == 1
    assert reflect(healed) == 0
    assert len(contents(healed)) == 1


def test_two_processes_never_look_back_on_the_same_turn(tmp_path: Path) -> None:
    def meanwhile(request: dict[str, Any]) -> Answer:
        assert reflect(as_process(garden)) == 0
        return {"cards": []}

    garden = later(tmp_path, meanwhile)
    worked(garden)
    assert reflect(garden) == 1


def test_what_is_newer_is_not_overturned(tmp_path: Path) -> None:
    def overturn(request: dict[str, Any]) -> Answer:
        (known,) = request["judgement"]["cards"]
        made = card("The linter is called basil.", action="supersede", target_id=known["id"])
        return {"cards": [made]}

    garden = later(tmp_path, cards(card("The linter is called clove.")))
    worked(garden, "other", at=START + MINUTE_MS // 2)
    assert reflect(garden) == 1
    (newer,) = garden.store.memories()
    garden = as_process(garden, model=ScriptedModel(overturn))
    worked(garden, "w", at=START)
    assert reflect(garden) == 1
    assert garden.store.memories() == [newer]


def test_the_offline_rules_look_back_without_a_model(tmp_path: Path) -> None:
    garden = later(tmp_path, lambda request: consolidate(parse_request(json.dumps(request))), "")
    worked(garden)
    assert reflect(garden) == 1
    assert contents(garden) == [WANT]
    assert not garden.store.receipts()[0].counted


def test_the_dream_that_follows_writes_nothing_twice(tmp_path: Path) -> None:
    garden = later(tmp_path, lambda request: consolidate(parse_request(json.dumps(request))), "")
    worked(garden)
    assert reflect(garden) == 1
    assert isinstance(garden.clock, ManualClock)
    garden.clock.advance(4 * HOUR_MS)
    assert [one.ending for one in sweep(garden).dreams] == ["empty"]
    (wanted,) = (one for one in garden.store.memories() if one.content == WANT)
    assert len(garden.store.evidence([wanted.id])) == 1
    assert garden.store.violations() == []
