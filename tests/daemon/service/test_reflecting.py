"""The daemon looks back on long turns by itself, beside its dreams and before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, MINUTE_MS
from memgardend.core.ports import ModelReply
from memgardend.core.records import IngestBatch, NewEvent, Window
from memgardend.core.words import CallPurpose, Outcome, Role
from support.conversation import say, window_id
from support.garden import Answer, ScriptedModel, nothing
from support.serving import QUIET, Serving, Stuck

PAID = QUIET + "model: {command: [x]}\n"
LEARNT = {
    "action": "add",
    "type": "fact",
    "summary": "The build takes 40 s since the cache was mended.",
    "content": "The build takes 40 s since the cache was mended.",
}


def answer(request: dict[str, Any]) -> Answer:
    """One card for a reflection, nothing for a dream."""
    return {"cards": [LEARNT]} if request["purpose"] == "reflect" else nothing(request)


def work(serving: Serving, steps: int = 7) -> None:
    """A person asks, the agent works and answers."""
    store, at = serving.garden().store, serving.clock.now_ms()
    say(store, "w", "Please mend the cache.", at=at)
    tools = tuple(
        NewEvent(native_id=f"{at}-{n}", at=at, role=Role.TOOL, text="ok", tool="Make")
        for n in range(steps)
    )
    seed = Window(id=window_id("w"), source="event", native_id="w")
    store.ingest(IngestBatch(window=seed, events=tools, received_at=at))
    say(store, "w", "It is mended.", at=at, role=Role.ASSISTANT)


def purposes(serving: Serving) -> list[str]:
    return [call.purpose for call in serving.model.calls]


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    made = Serving(tmp_path, model=ScriptedModel(answer))
    made.workspace(yaml=PAID)
    made.turn()
    return made


def test_a_turn_is_looked_back_on_minutes_after_it_ended_and_once(serving: Serving) -> None:
    work(serving)
    serving.pass_time(MINUTE_MS)
    assert purposes(serving) == []
    serving.pass_time(4 * MINUTE_MS)
    assert purposes(serving) == [CallPurpose.REFLECT]
    serving.pass_time(HOUR_MS)
    assert purposes(serving) == [CallPurpose.REFLECT]
    assert [one.content for one in serving.garden().store.memories()] == [LEARNT["content"]]
    serving.pass_time(3 * HOUR_MS)
    assert purposes(serving) == [CallPurpose.REFLECT, CallPurpose.DREAM, CallPurpose.DREAM]


def test_a_turn_of_few_steps_is_left_to_the_dream(serving: Serving) -> None:
    work(serving, steps=6)
    serving.pass_time(HOUR_MS)
    assert purposes(serving) == []


def test_a_second_turn_is_looked_back_on_by_itself(serving: Serving) -> None:
    work(serving)
    serving.pass_time(5 * MINUTE_MS)
    work(serving)
    serving.pass_time(5 * MINUTE_MS)
    assert purposes(serving) == [CallPurpose.REFLECT] * 2
    first, second = serving.model.requests
    assert len(first["events"]) == len(second["events"])


def test_a_model_that_does_not_work_is_tried_again_as_the_breaker_allows(tmp_path: Path) -> None:
    serving = Serving(
        tmp_path, model=ScriptedModel(lambda request: ModelReply(outcome=Outcome.LOGIN))
    )
    serving.workspace(yaml=PAID)
    serving.turn()
    work(serving)
    serving.pass_time(HOUR_MS)
    assert 3 <= len(purposes(serving)) <= 3 + 60 // 15
    serving.model.script = answer
    serving.pass_time(20 * MINUTE_MS)
    assert len(serving.garden().store.memories()) == 1


def test_one_task_at_a_time(tmp_path: Path) -> None:
    serving = Serving(tmp_path, model=ScriptedModel(answer), crew=Stuck())
    serving.workspace(yaml=PAID)
    serving.turn()
    work(serving)
    serving.pass_time(HOUR_MS)
    assert serving.tended().dreaming.busy
    assert not serving.tended().dreaming.workers


def test_it_can_be_turned_off(tmp_path: Path) -> None:
    serving = Serving(tmp_path, model=ScriptedModel(answer))
    serving.workspace(yaml=PAID + "reflect: {enabled: false}\n")
    serving.turn()
    work(serving)
    serving.pass_time(HOUR_MS)
    assert purposes(serving) == []
