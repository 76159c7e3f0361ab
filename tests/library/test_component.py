"""One object for all that the library judges: it answers, and writes nothing."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from memgardend import CaptureRequest, GardenComponent, ImportRequest, Step
from memgardend.core.editorial.host_model import ModelNotConfiguredError
from memgardend.core.editorial.mutations import Add
from memgardend.core.editorial.results import Outcome, StepKind
from support.capturing import EMPTY, reply, request, row, shared_cases
from support.consolidating import garden
from support.consolidating import reply as dream_reply
from support.consolidating import request as dream_request
from support.consolidating import row as merge
from support.mounting import answers

CARDS: list[dict[str, Any]] = [
    {"id": "c1", "summary": "The dog is a corgi", "content": "The dog of Mei is a corgi."},
    {"id": "c2", "summary": "A turning point", "content": "She left.", "role": "turning_point"},
    {"id": "c3", "summary": "An old corgi", "content": "It is gone.", "archived": True},
]


def test_the_first_lines_of_the_readme() -> None:
    garden = GardenComponent(model=answers(reply(row("老王不吃辣"))))
    result = garden.capture(CaptureRequest(window="用户：我不吃辣，一吃就胃疼", locale="zh-Hans"))
    [mutation] = result.mutations
    assert isinstance(mutation, Add) and mutation.card["summary"] == "老王不吃辣"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (reply(row()), Outcome.WRITTEN),
        (EMPTY, Outcome.EMPTY),
        ("I will not.", Outcome.FAILED),
        (TimeoutError("slow"), Outcome.FAILED),
    ],
    ids=["written", "empty", "failed", "raised"],
)
def test_a_capture_is_the_same_called_awaited_and_driven(said: Any, outcome: Outcome) -> None:
    called = GardenComponent(model=answers(said)).capture(request())
    threaded = asyncio.run(GardenComponent(model=answers(said)).acapture(request()))

    async def model(prompt: str) -> str:
        return answers(said)(prompt)  # type: ignore[return-value]

    awaited = asyncio.run(GardenComponent(model=model).acapture(request()))
    session = GardenComponent().capture_session(request())
    assert session.next_prompt
    if isinstance(said, Exception):
        session.fail(type(said).__name__)
    else:
        session.feed(said)
    assert called == threaded == awaited == session.result
    assert called.outcome is outcome


def test_a_model_that_is_not_awaited_keeps_nobody_waiting() -> None:
    threads: list[int] = []
    model = answers(EMPTY, before=lambda: threads.append(threading.get_ident()))
    asyncio.run(GardenComponent(model=model).acapture(request()))
    assert threads != [threading.get_ident()]


def test_what_a_model_raises_is_a_word_of_the_result() -> None:
    result = GardenComponent(model=answers(TimeoutError("secret"))).capture(request())
    assert result.error == "model_failed:TimeoutError"


@pytest.mark.parametrize(
    ("said", "error"), [(None, "no_json_object"), (b"{}", "model_failed:TypeError")]
)
def test_a_reply_that_is_no_text_ends_in_a_result(said: Any, error: str) -> None:
    calls = []

    def model(prompt: str) -> Any:
        calls.append(prompt)
        return said if len(calls) < 5 else pytest.fail("asked for ever")

    async def awaited(prompt: str) -> Any:
        return model(prompt)

    assert GardenComponent(model=model).capture(request()).error == error
    calls.clear()
    assert asyncio.run(GardenComponent(model=awaited).acapture(request())).error == error


def test_without_a_model_only_what_needs_one_is_refused() -> None:
    component = GardenComponent()
    with pytest.raises(ModelNotConfiguredError):
        component.capture(request())
    with pytest.raises(ModelNotConfiguredError):
        asyncio.run(component.acapture(request()))
    assert component.capture(request(locale=" ")).error == "locale_required"
    assert not component.run_maintenance(dream_request([])).needed


def test_an_awaited_model_is_not_called() -> None:
    class Model:
        async def __call__(self, prompt: str) -> str:
            return EMPTY

    component = GardenComponent(model=Model())
    with pytest.raises(ModelNotConfiguredError, match="awaited"):
        component.capture(request())
    assert asyncio.run(component.acapture(request())).nothing_worth_keeping


def test_steps_are_heard_and_a_listener_that_fails_loses_nothing() -> None:
    heard: list[Step] = []
    result = GardenComponent(model=answers(EMPTY), on_step=heard.append).capture(request())
    kinds = [StepKind.PROMPT_BUILT, StepKind.MODEL_CALLED, StepKind.PARSED, StepKind.DONE]
    assert [step.kind for step in heard] == kinds
    assert result.error is None

    def fails(step: Step) -> None:
        raise KeyError(step.kind)

    with pytest.warns(RuntimeWarning, match="KeyError"):
        kept = GardenComponent(model=answers(reply(row())), on_step=fails).capture(request())
    assert kept.mutations


def test_the_prompt_is_heard_before_the_model_is_asked() -> None:
    heard: list[str] = []
    model = answers(EMPTY, before=lambda: heard.append("asked"))
    GardenComponent(model=model, on_step=lambda step: heard.append(step.kind)).capture(request())
    assert heard[:2] == ["prompt_built", "asked"]


def test_feedback_of_the_host_asks_once_more_and_only_with_reasons() -> None:
    model = answers(reply(row()))
    component = GardenComponent(model=model)
    assert (
        component.recapture_with_feedback(request(), ["", " "]).error == "invalid_argument:reasons"
    )
    assert model.prompts == []
    assert component.recapture_with_feedback(request(), ["the target is another's"]).mutations
    assert "the target is another's" in model.prompts[0]


def test_a_turn_gets_summaries_of_active_cards() -> None:
    context = GardenComponent().build_context("which corgi?", CARDS)
    assert context.record_ids == ("c2", "c1")
    assert [block.stage for block in context.blocks] == ["role:turning_point", "recent"]
    assert context.text == "- A turning point\n- The dog is a corgi"
    assert context.trace["candidates"] == 2


def test_a_selection_of_the_hosts_cannot_invent_a_card() -> None:
    class Inventing:
        def select(self, cards: Any, query: str, *, limit: int) -> Any:
            from memgardend import Pick, SelectionResult

            return SelectionResult(
                picks=tuple(Pick(card_id=i, stage="s") for i in ("c9", "c1", "c2"))
            )

    context = GardenComponent(selection=Inventing()).build_context("", CARDS, limit=1)
    assert context.record_ids == ("c1",)


def test_maintenance_answers_with_mutations_questions_and_a_ledger() -> None:
    said = dream_reply(merge("c000", "c001"), questions_to_ask=["Which river?"])
    component = GardenComponent(model=answers(said))
    asked = dream_request(garden(3))
    assert component.check_maintenance(garden(3), {}).needed
    result = component.run_maintenance(asked)
    assert (len(result.mutations), result.questions) == (1, ("Which river?",))
    awaited = asyncio.run(GardenComponent(model=answers(said)).arun_maintenance(asked))
    assert awaited == result
    assert result.ledger
    later = component.check_maintenance(garden(3), result.ledger)
    assert later.trace["pending"] == 2, "those that the mutations would have retired"


def test_an_import_goes_batch_by_batch() -> None:
    component = GardenComponent(model=answers(reply(row()), EMPTY))
    session = component.import_session(
        ImportRequest(locale="en", material="a" * 250, batch_chars=200)
    )
    while batch := session.next_batch():
        component.drive(batch)
        assert batch.result
        session.commit(batch.result)
    assert session.progress["done"] and session.progress["cards_added"] == 1


def test_one_thing_that_somebody_wants_kept() -> None:
    made = GardenComponent().write_one("Mei's locker is 12.", bucket="Work")
    [card] = made.cards
    assert (card["summary"], card["bucket"], card["source"]) == (
        "Mei's locker is 12.",
        "Work",
        "user_request",
    )
    assert (
        GardenComponent().write_one("TODO").error == "invalid_card_content:summary_placeholder_word"
    )


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("memory_forget", {}, "unknown_tool:memory_forget"),
        ("memory_search", {}, "query_required"),
        ("memory_search", None, "query_required"),
        ("memory_search", ["corgi"], "invalid_argument"),
        ("memory_read", "c1", "invalid_argument"),
        ("memory_search", {"query": "corgi"}, "search_requires_host_store"),
        ("memory_read", {"record_id": ""}, "record_id_required"),
        ("memory_read", {"record_id": "c1"}, "read_requires_host_store"),
        ("memory_write", {"summary": "One line"}, "summary_and_content_required"),
        ("memory_write", {"summary": "TODO", "content": "Told."}, "invalid_card_content:"),
    ],
)
def test_a_tool_says_what_is_wrong(name: str, arguments: Any, error: str) -> None:
    result = GardenComponent().invoke_tool(name, arguments)
    assert result.error is not None and result.error.startswith(error)


def test_tools_search_and_read_what_the_host_shows() -> None:
    component = GardenComponent()
    found = component.invoke_tool("memory_search", {"query": "corgi", "limit": 99}, cards=CARDS)
    assert found.text == "- [c1] The dog is a corgi"
    assert component.invoke_tool("memory_search", {"query": "tax"}, cards=CARDS).text == ""
    read = component.invoke_tool("memory_read", {"record_id": "c1", "limit": 20}, cards=CARDS)
    part = json.loads(read.text)
    rest = component.invoke_tool(
        "memory_read", {"record_id": "c1", "cursor": part["next_cursor"]}, cards=CARDS
    )
    assert json.loads(part["text"] + json.loads(rest.text)["text"]) == CARDS[0]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"record_id": "c3"}, "record_not_found"),
        ({"record_id": "c9"}, "record_not_found"),
        ({"record_id": "c1", "limit": 0}, "invalid_argument"),
        ({"record_id": "c1", "limit": "5"}, "invalid_argument"),
        ({"record_id": "c1", "limit": True}, "invalid_argument"),
        ({"record_id": "c1", "cursor": "nonsense"}, "invalid_argument"),
        ({"record_id": "c1", "cursor": "000000000000.5"}, "record_changed"),
    ],
)
def test_reading_what_cannot_be_read(arguments: dict[str, Any], error: str) -> None:
    assert GardenComponent().invoke_tool("memory_read", arguments, cards=CARDS).error == error


def test_writing_is_an_instruction_and_takes_no_orders_about_whose() -> None:
    told = {
        "summary": "Likes tea",
        "content": "Mei likes tea.",
        "mount": "x",
        "actor": "y",
        "id": "z",
    }
    [mutation] = GardenComponent().invoke_tool("memory_write", told).mutations
    assert isinstance(mutation, Add)
    assert mutation.mount == "agent-private"
    assert mutation.card == {
        "summary": "Likes tea",
        "content": "Mei likes tea.",
        "bucket": "",
        "source": "model_tool",
    }


def test_the_manifest_says_what_needs_a_model() -> None:
    off, on = GardenComponent().manifest(), GardenComponent(model=answers()).manifest()
    needing = {name for name, can in on["capabilities"].items() if can != off["capabilities"][name]}
    assert needing == {"history_import", "migrate"}
    assert json.loads(json.dumps(on)) == on
    assert [policy["max_cards"] for policy in on["policies"]] == [2, None, None]


def test_g17_tool_names() -> None:
    tools = GardenComponent().tools()
    assert [tool.name for tool in tools] == shared_cases()["G17"]["expected"]
    for tool in tools:
        assert tool.parameters["required"] and set(tool.parameters["required"]) <= set(
            tool.parameters["properties"]
        )


def test_no_shared_case_of_the_component_is_left_out() -> None:
    ours = {one for one, said in shared_cases().items() if said["area"] == "component"}
    of_captures = {"G01", "G02", "G03", "G05", "G08", "G09", "G13", "G14", "G15"}
    assert ours == of_captures | {"G17", "G19"}, "tests/core/editorial: captures and migrating"
