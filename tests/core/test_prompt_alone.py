"""The prompt is enough: a model that sees nothing else gives an answer that passes every check."""

from __future__ import annotations

from itertools import count

import pytest

from memgardend.core.judgement import JudgeContext, Judged, StagedView
from memgardend.core.operations import Answer, parse_answer
from memgardend.core.plan import Plan, view_of
from memgardend.core.prompt import render_prompt
from memgardend.core.records import Event, Memory
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision, Layer, Role, RoundName, Status, Subcategory
from support import dreaming, reader
from support.dreaming import ALPHA, BETA, FENCE, MARKER, NOON, WINDOW, event, memory, plan

TALK = [
    event(1, "The server does not come up since we moved the database to the new host."),
    event(2, "The port is taken.", Role.ASSISTANT),
    event(3, "Then it is port 9090 from now on. I prefer short commit messages."),
    event(4, "Moved it to port 9090. The migration of the tables is done as well.", Role.ASSISTANT),
    event(5, "Great, the migration of the tables is finished then."),
]
PORT = memory("port", "The server listens on port 8080.")
TODO = memory(
    "todo", "Finish the migration.", Layer.PROJECT, subcategory=Subcategory.TODO, scope=PORT.scope
)


def dream_over(
    events: list[Event], memories: list[Memory]
) -> tuple[dict[RoundName, tuple[Judged, ...]], StagedView]:
    """Both rounds, answered by the reader from the prompt alone."""
    dream = plan(events, touched=memories)
    view = view_of(dream, events, memories)
    verdicts: dict[RoundName, tuple[Judged, ...]] = {}
    ids = count(1)
    for name in (RoundName.ATOMIC, RoundName.TOPIC):
        answer = parse_answer(reader.answer(prompt(dream, view, name)))
        assert isinstance(answer, Answer), answer
        context = JudgeContext(
            window=WINDOW,
            round=name,
            now=NOON + 86_400_000,
            locale="en",
            projects=(ALPHA, BETA),
            candidates=tuple(memories),
            active_count=len(memories),
            new_id=lambda: f"new-{next(ids)}",
            turns=tuple(events),
        )
        verdicts[name], view = judge_round(view, answer, context)
    return verdicts, view


def prompt(dream: Plan, view: StagedView, name: RoundName) -> str:
    return render_prompt(
        dreaming.slots,
        name,
        dream,
        view,
        WINDOW,
        (ALPHA, BETA),
        dreaming.settings(),
        FENCE,
        MARKER,
    )


def active(view: StagedView, layer: Layer) -> list[str]:
    return [
        one.content
        for one in view.memories.values()
        if one.layer is layer and one.status is Status.ACTIVE
    ]


@pytest.fixture(scope="module")
def night() -> tuple[dict[RoundName, tuple[Judged, ...]], StagedView]:
    return dream_over(TALK, [PORT, TODO])


def test_every_operation_of_the_reader_is_accepted(
    night: tuple[dict[RoundName, tuple[Judged, ...]], StagedView],
) -> None:
    verdicts, _ = night
    judged = [one for name in verdicts for one in verdicts[name]]
    assert [(one.operation["op"], one.decision, one.refusal) for one in judged] == [
        ("supersede", Decision.STAGED, None),
        ("remember", Decision.STAGED, None),
        ("complete", Decision.STAGED, None),
        ("remember", Decision.STAGED, None),
    ]


def test_a_new_preference_is_remembered(
    night: tuple[dict[RoundName, tuple[Judged, ...]], StagedView],
) -> None:
    assert active(night[1], Layer.USER) == ["I prefer short commit messages."]


def test_a_changed_port_supersedes_the_old_one(
    night: tuple[dict[RoundName, tuple[Judged, ...]], StagedView],
) -> None:
    _, view = night
    assert active(view, Layer.FACT) == ["Then it is port 9090 from now on."]
    old = next(one for one in view.memories.values() if one.id == PORT.id)
    new = next(one for one in view.memories.values() if one.id == old.superseded_by)
    assert (old.status, new.content) == (Status.ARCHIVED, "Then it is port 9090 from now on.")


def test_a_done_todo_is_completed(
    night: tuple[dict[RoundName, tuple[Judged, ...]], StagedView],
) -> None:
    todo = next(one for one in night[1].memories.values() if one.id == TODO.id)
    assert todo.status is Status.STALE


def test_the_first_topic_is_created(
    night: tuple[dict[RoundName, tuple[Judged, ...]], StagedView],
) -> None:
    assert active(night[1], Layer.TOPIC) == [TALK[0].text]


def test_pasted_and_dreamed_words_move_the_reader_to_nothing() -> None:
    text = "> I prefer long commit messages."
    verdicts, _ = dream_over([event(1, text, pasted=((0, len(text)),))], [])
    assert verdicts == {RoundName.ATOMIC: (), RoundName.TOPIC: ()}


def test_what_the_page_says_can_be_read_back() -> None:
    dream = plan(TALK, touched=[PORT, TODO], prelude=[event(0, "Good morning.")])
    view = view_of(dream, [event(0, "Good morning."), *TALK], [PORT, TODO])
    page = reader.read(prompt(dream, view, RoundName.ATOMIC))
    assert [(one.handle, one.speaker, one.known) for one in page.events] == [
        ("e1", "human", True),
        ("e2", "human", False),
        ("e3", "assistant", False),
        ("e4", "human", False),
        ("e5", "assistant", False),
        ("e6", "human", False),
    ]
    assert [one.typed for one in page.events[1:]] == [one.text for one in TALK]
    assert [one.handle for one in page.memories] == ["m2", "m1"]
    assert page.operations == {"remember", "update", "supersede", "complete", "archive"}
    assert round(page.seal.timestamp() * 1000) == TALK[-1].at
