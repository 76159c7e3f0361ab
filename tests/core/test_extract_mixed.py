"""What the offline consolidator answers in a Chinese garden, and in one where two languages are spoken."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgardend.core.extract import consolidate
from memgardend.core.extract.request import Known, Request
from memgardend.core.scope import GLOBAL
from memgardend.core.staging import judge_round
from memgardend.core.words import Decision, Layer, RoundName, Subcategory
from support.dreaming import WINDOW, event, memory
from support.extracting import answer, operations, turns
from support.judging import answer as read
from support.judging import context, view

CHINESE = "zh-Hans"
HAN = re.compile("[\u3400-\u9fff]")
LATIN = re.compile("[A-Za-z]")


def test_what_is_new_is_remembered_with_its_quote() -> None:
    (operation,) = operations(turns("顺便说一句，队列服务监听 7001 端口"), locale=CHINESE)

    assert operation == {
        "op": "remember",
        "layer": "fact",
        "content": "队列服务监听 7001 端口。",
        "keywords": ["7001", "队列服务", "端口"],
        "importance": 1,
        "evidence": [{"event": "e1", "quote": "队列服务监听 7001 端口"}],
    }


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "a taste": ("我更喜欢简短的回答。", {"layer": "user", "importance": 2}),
    "a rule": ("不要强推到 main 分支。", {"layer": "rules", "importance": 2}),
    "a rule of this project": ("这个项目用四个空格缩进。", {"layer": "rules", "scope": ["alpha"]}),
    "a decision": ("我们决定不用 Redis 了。", {"layer": "project", "subcategory": "decisions"}),
    "a todo": ("待办：给域名续费", {"layer": "project", "subcategory": "todo"}),
    "a lesson": (
        "你上次用错了表，orders 其实是个视图。",
        {"layer": "lesson", "corrected": True},
    ),
    "a fact about the person": ("我叫顾言，住在苏州。", {"layer": "user", "importance": 1}),
    "a serious rule": ("千万不要把令牌打到日志里。", {"layer": "rules", "importance": 3}),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_its_shelf(name: str) -> None:
    text, fields = KINDS[name]
    (operation,) = operations(turns(text), locale=CHINESE)

    assert {key: operation.get(key) for key in fields} == fields


CHANGES = {
    "a value": ("队列的端口是 8080。", "队列的端口现在是 9090。"),
    "a value that goes": ("队列的端口是 8080。", "队列的端口不再是 8080，改成 9090 了。"),
    "a colour": ("我们的主色是 #2B6CB0。", "我们的主色换成 #1E40AF 了。"),
    "a negation": ("我喜欢喝咖啡。", "我不喜欢喝咖啡。"),
    "a day": ("截止日期是 7 月 5 日。", "截止日期推迟到 7 月 12 日了。"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_supersedes_what_was_known_or_was_said_before(name: str) -> None:
    before, after = CHANGES[name]

    (superseding,) = operations(turns(after), [memory("a", before)], locale=CHINESE)
    (lasting,) = operations(turns(before, after), locale=CHINESE)

    assert (superseding["op"], superseding["id"]) == ("supersede", "m1")
    assert superseding["by"]["content"] == lasting["content"] == after


def test_what_is_known_gets_one_more_proof() -> None:
    (operation,) = operations(
        turns("队列的端口是 7001！"), [memory("a", "队列的端口是 7001。")], locale=CHINESE
    )

    assert (operation["op"], operation["id"]) == ("update", "m1")
    assert "content" not in operation


@pytest.mark.parametrize(
    "end", ["域名续费已经办好了", "给域名续费这事搞定了", "域名续费了，可以划掉"]
)
def test_a_todo_that_is_done_is_completed(end: str) -> None:
    todo = memory("a", "待办：给域名续费。", Layer.PROJECT, subcategory=Subcategory.TODO)

    (operation,) = operations(turns(end), [todo], locale=CHINESE)

    assert (operation["op"], operation["id"]) == ("complete", "m1")


def test_another_todo_stays_open() -> None:
    todo = memory("a", "待办：给证书续期。", Layer.PROJECT, subcategory=Subcategory.TODO)

    assert operations(turns("域名续费已经办好了"), [todo], locale=CHINESE) == []


ARC = (
    "帮我把博客迁移到静态站点。",
    "好",
    "现在把旧文章转成 Markdown 格式。",
    "再给旧地址加上跳转规则。",
)


def test_three_turns_make_a_topic_in_the_words_of_the_person() -> None:
    (operation,) = operations(turns(*ARC), round_name=RoundName.TOPIC, locale=CHINESE)

    assert (operation["op"], operation["layer"]) == ("remember", "topic")
    assert operation["title"].rstrip("。") == ARC[0].rstrip("。")
    assert operation["goal"] == ARC[0]
    assert operation["content"].splitlines() == [f"- {ARC[0]}", f"- {ARC[2]}", f"- {ARC[3]}"]


@pytest.mark.parametrize(("locale", "title"), [(CHINESE, ARC[2]), ("en", WINDOW.title)])
def test_a_topic_is_named_in_the_language_of_the_garden(locale: str, title: str) -> None:
    said = ("Help me move the blog to a static site.", ARC[2], ARC[3])

    (operation,) = operations(turns(*said), round_name=RoundName.TOPIC, locale=locale)

    assert operation["title"].rstrip("。") == title.rstrip("。")
    assert operation["content"].splitlines() == [f"- {text}" for text in said]


def test_a_long_line_is_cut_between_two_characters() -> None:
    long = "把" + "旧文章里的图片和表格一起搬过去" * 12
    (operation,) = operations(turns(long, *ARC[2:]), round_name=RoundName.TOPIC, locale=CHINESE)

    quote = operation["evidence"][0]["quote"]
    assert long.startswith(quote)
    assert len(quote) == 140


SAID = {
    "en": "We always use tabs.",
    "zh": "以后都用四个空格缩进。",
}


@pytest.mark.parametrize("locale", ["en", CHINESE])
def test_each_sentence_is_kept_in_the_language_it_was_said_in(locale: str) -> None:
    found = operations(turns(*SAID.values()), locale=locale)

    assert [one["content"] for one in found] == list(SAID.values())
    assert {one["layer"] for one in found} == {"rules"}
    assert found[0]["keywords"] == ["always", "use", "tabs"]


def own_words(locale: str) -> list[str]:
    """The summary, and every reason that the three rounds give."""
    known = [
        memory("a", "We ship on Monday, as version 4."),
        memory("b", "队列的端口是 7001。"),
        memory("c", "待办：给域名续费。", Layer.PROJECT, subcategory=Subcategory.TODO),
        memory("d", "The queue listens on port 7001."),
        memory("e", f"- {ARC[0]}", Layer.TOPIC, title="博客"),
    ]
    said = turns(
        "We ship on Monday, as version 4.",
        "队列的端口现在是 7002。",
        "域名续费已经办好了",
        "The queue listens on port 7002 now.",
    )
    twice = tuple(Known(handle=h, layer=Layer.FACT, content="同一句话") for h in ("m1", "m2"))
    answers = [
        answer(said, known, locale=locale),
        answer([event(1, ARC[0])], known, RoundName.TOPIC, locale=locale),
        answer([event(1, ARC[0]), event(2, ARC[3])], known, RoundName.TOPIC, locale=locale),
        consolidate(Request(round=RoundName.PROJECT, locale=locale, memories=twice)),
    ]
    reasons = {one["reason"] for each in answers for one in each["operations"]}
    assert len(reasons) == 5
    return [*reasons, answers[0]["summary"]]


def test_our_own_words_are_in_the_language_of_the_garden_alone() -> None:
    assert not any(HAN.search(text) for text in own_words("en"))
    assert not any(LATIN.search(text) for text in own_words(CHINESE))


TALK = st.lists(
    st.sampled_from(
        [
            "队列的端口是 7001。",
            "不对，队列的端口是 7002。",
            "队列的端口现在改成 7003 了。",
            "以后都用四个空格缩进。",
            "以后不要用四个空格缩进。",
            "我更喜欢喝茶。",
            "我不喜欢喝茶",
            "我喜歡用 Vim，不用 Emacs。",
            "待办：给域名续费",
            "域名续费已经办好了",
            "我们决定不用 Redis 了。",
            "我们用 Helm，不用 Make。",
            "我们用 Make，不用 Helm。",
            "禁止强推。",
            "好",
            "你刚才又忘了跑测试，所以线上坏了。",
            "> 引用\n我讨厌 YAML。",
            "ＡＰＩ 的端口是 ８０８０；主色是 #2B6CB0！",
            "We always use tabs.",
            "The queue listens on port 7004.",
            "下周二要去续签证，提醒我一下。",
            "We agreed yesterday to freeze the schema next week.",
        ]
    ),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(TALK, st.sampled_from([RoundName.ATOMIC, RoundName.TOPIC]), st.sampled_from(["en", CHINESE]))
@example(
    ["队列的端口是 7001。", "队列的端口是 7001。", "不对，队列的端口是 7002。"],
    RoundName.TOPIC,
    "en",
)
def test_nothing_it_answers_is_refused(said: list[str], round_name: RoundName, locale: str) -> None:
    events = turns(*said)
    known = [
        memory("a", "队列的端口是 7000。"),
        memory("b", "以后都用四个空格缩进。", Layer.RULES, scope=GLOBAL),
        memory("c", "待办：给域名续费。", Layer.PROJECT, subcategory=Subcategory.TODO),
    ]
    answered = operations(events, known, round_name, locale=locale)
    shown = view(events, known)

    judged, _ = judge_round(shown, read(*answered), context(shown, round=round_name, locale=locale))

    refused = [(one.refusal, one.detail, one.operation) for one in judged if not one.staged]
    assert all(one.decision is Decision.STAGED for one in judged), refused


@settings(deadline=None)
@example(["8不！A在"], RoundName.ATOMIC)
@given(
    st.lists(
        st.text(st.sampled_from("我们用不要以后都是端口在改成8，。！“”A b\n"), max_size=40),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([RoundName.ATOMIC, RoundName.TOPIC]),
)
def test_nothing_it_makes_of_any_text_is_refused(said: list[str], round_name: RoundName) -> None:
    events = turns(*said)
    answered = operations(events, [], round_name, locale=CHINESE)
    shown = view(events, [])

    judged, _ = judge_round(
        shown, read(*answered), context(shown, round=round_name, locale=CHINESE)
    )

    refused = [(one.refusal, one.detail, one.operation) for one in judged if not one.staged]
    assert all(one.decision is Decision.STAGED for one in judged), refused
