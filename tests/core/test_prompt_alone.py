"""The prompt is enough: a model that sees nothing else gives an answer that passes every check."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import pytest

from memgardend.core.judgement import JudgeContext, Judged, StagedView
from memgardend.core.operations import Answer, parse_answer
from memgardend.core.plan import Plan, view_of
from memgardend.core.prompt import Asking, compose
from memgardend.core.records import Event, Memory
from memgardend.core.staging import judge_round
from memgardend.core.words import (
    Decision,
    Layer,
    OperationName,
    Role,
    RoundName,
    Status,
    Subcategory,
)
from support import dreaming, reader
from support.dreaming import ALPHA, BETA, FENCE, MARKER, NOON, WINDOW, event, memory, plan

TALKS = {
    "en": [
        event(1, "The server does not come up since we moved the database to the new host."),
        event(2, "The port is taken.", Role.ASSISTANT),
        event(3, "Then it is port 9090 from now on. I prefer short commit messages."),
        event(4, "Moved it to port 9090. The migration of the tables is done.", Role.ASSISTANT),
        event(5, "Great, the migration of the tables is finished then."),
    ],
    "zh-Hans": [
        event(1, "自从我们把数据库搬到新机器上以后，服务器就一直起不来，日志里什么也没有。"),
        event(2, "端口被占用了。", Role.ASSISTANT),
        event(3, "那以后就用端口 9090。我更喜欢简短的提交说明。"),
        event(4, "已经改到端口 9090。数据表的迁移也做完了。", Role.ASSISTANT),
        event(5, "好，那数据表的迁移就算完成了。"),
    ],
}
PORTS = {"en": "The server listens on port 8080.", "zh-Hans": "服务器监听端口 8080。"}
TODOS = {"en": "Finish the migration of the tables.", "zh-Hans": "完成数据表的迁移。"}
HALVES = {
    "en": ["Backups run at 03:00.", "Backups go to /srv/backups."],
    "zh-Hans": ["备份每天 03:00 运行。", "备份写到 /srv/backups。"],
}
MIXED = {
    "en": "The shop opens at 9. Also, logs lie in /srv/logs.",
    "zh-Hans": "商店 9 点开门。另外，日志在 /srv/logs。",
}
PASTED = {"en": "> I prefer long commit messages.", "zh-Hans": "> 我更喜欢很长的提交说明。"}
KEPT = {  # a taste, the new port
    "en": ("I prefer short commit messages.", "Then it is port 9090 from now on."),
    "zh-Hans": ("我更喜欢简短的提交说明。", "那以后就用端口 9090。"),
}

Verdicts = dict[RoundName, tuple[Judged, ...]]


def known(locale: str) -> list[Memory]:
    """The port as it was, and a todo."""
    todo = memory("todo", TODOS[locale], Layer.PROJECT, subcategory=Subcategory.TODO)
    return [memory("port", PORTS[locale]), todo]


def dream_over(
    locale: str, events: list[Event], memories: list[Memory]
) -> tuple[Verdicts, StagedView]:
    """Both rounds, answered by the reader from the prompt alone."""
    dream = plan(events, touched=memories)
    view = view_of(dream, events, memories)
    verdicts: Verdicts = {}
    ids = count(1)
    for name in (RoundName.ATOMIC, RoundName.TOPIC):
        answer = parse_answer(reader.answer(prompt(locale, dream, view, name), locale))
        assert isinstance(answer, Answer), answer
        context = JudgeContext(
            window=WINDOW,
            round=name,
            now=NOON + 86_400_000,
            locale=locale,
            projects=(ALPHA, BETA),
            candidates=tuple(memories),
            active_count=len(memories),
            new_id=lambda: f"new-{next(ids)}",
            turns=tuple(events),
        )
        verdicts[name], view = judge_round(view, answer, context)
    return verdicts, view


def prompt(locale: str, dream: Plan, view: StagedView, name: RoundName) -> str:
    return compose(
        Asking(
            dreaming.pack(locale),
            name,
            dream,
            view,
            WINDOW,
            (ALPHA, BETA),
            dreaming.settings(locale=locale),
            FENCE,
            MARKER,
        )
    ).prompt


def active(view: StagedView, layer: Layer) -> list[str]:
    return [
        one.content
        for one in view.memories.values()
        if one.layer is layer and one.status is Status.ACTIVE
    ]


@dataclass(frozen=True)
class Night:
    """A dream of the talk in one language."""

    locale: str
    verdicts: Verdicts
    view: StagedView

    def memory(self, name: str) -> Memory:
        return next(one for one in self.view.memories.values() if one.id == f"memory-{name}")


@pytest.fixture(scope="module", params=TALKS)
def night(request: pytest.FixtureRequest) -> Night:
    locale = request.param
    return Night(locale, *dream_over(locale, TALKS[locale], known(locale)))


def test_every_operation_of_the_reader_is_accepted(night: Night) -> None:
    judged = [one for name in night.verdicts for one in night.verdicts[name]]
    assert [(one.operation["op"], one.decision, one.refusal) for one in judged] == [
        ("supersede", Decision.STAGED, None),
        ("remember", Decision.STAGED, None),
        ("complete", Decision.STAGED, None),
        ("remember", Decision.STAGED, None),
    ]


def test_a_new_preference_is_remembered(night: Night) -> None:
    assert active(night.view, Layer.USER) == [KEPT[night.locale][0]]


def test_a_changed_port_supersedes_the_old_one(night: Night) -> None:
    port = KEPT[night.locale][1]
    assert active(night.view, Layer.FACT) == [port]
    old = night.memory("port")
    new = next(one for one in night.view.memories.values() if one.id == old.superseded_by)
    assert (old.status, new.content) == (Status.ARCHIVED, port)


def test_a_done_todo_is_completed(night: Night) -> None:
    assert night.memory("todo").status is Status.STALE


def test_the_first_topic_is_created(night: Night) -> None:
    assert active(night.view, Layer.TOPIC) == [TALKS[night.locale][0].text]


@pytest.mark.parametrize("locale", TALKS)
def test_pasted_and_dreamed_words_move_the_reader_to_nothing(locale: str) -> None:
    text = PASTED[locale]
    verdicts, _ = dream_over(locale, [event(1, text, pasted=((0, len(text)),))], [])
    assert verdicts == {RoundName.ATOMIC: (), RoundName.TOPIC: ()}


@pytest.mark.parametrize("locale", TALKS)
def test_what_the_page_says_can_be_read_back(locale: str) -> None:
    talk, memories = TALKS[locale], known(locale)
    dream = plan(talk, touched=memories, prelude=[event(0, "Good morning.")])
    view = view_of(dream, [event(0, "Good morning."), *talk], memories)
    page = reader.read(prompt(locale, dream, view, RoundName.ATOMIC), locale)
    assert [(one.handle, one.speaker, one.known) for one in page.events] == [
        ("e1", "human", True),
        ("e2", "human", False),
        ("e3", "assistant", False),
        ("e4", "human", False),
        ("e5", "assistant", False),
        ("e6", "human", False),
    ]
    assert [one.typed for one in page.events[1:]] == [one.text for one in talk]
    assert [one.handle for one in page.memories] == ["m2", "m1"]
    assert page.operations == set(OperationName)
    assert round(page.seal.timestamp() * 1000) == talk[-1].at


@pytest.mark.parametrize("locale", reader.TONGUES)
def test_halves_are_merged_and_a_mixture_is_split(locale: str) -> None:
    first, second = (memory(str(n), text) for n, text in enumerate(HALVES[locale]))
    mixed = memory("mixed", MIXED[locale])
    verdicts, view = dream_over(locale, TALKS[locale][:2], [first, second, mixed])
    judged = verdicts[RoundName.ATOMIC]
    assert [(one.operation["op"], one.decision) for one in judged] == [
        ("merge", Decision.STAGED),
        ("split", Decision.STAGED),
    ], judged
    assert sorted(active(view, Layer.FACT)) == sorted(
        [" ".join(HALVES[locale]), *reader.TONGUES[locale].also.split(MIXED[locale])]
    )
