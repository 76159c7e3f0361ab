"""What the Chinese rules keep of a sentence, and what they leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.extract.notice import finished, notice
from memgardend.core.extract.request import Turn
from memgardend.core.extract.sentences import sentences
from memgardend.core.pasted import pasted_spans


def kept(text: str) -> list[tuple[str, str]]:
    found = notice(Turn(handle="e1", text=text, pasted=pasted_spans(text)))
    return [(one.kind, one.content) for one in found]


KEPT: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "an opener goes, a full stop comes": (
        "好的，网关监听 4100 端口",
        [("fact", "网关监听 4100 端口。")],
    ),
    "a remark before a correction goes": (
        "不对。上限是 12，不是 20。",
        [("fact", "上限是 12，不是 20。")],
    ),
    "a wish to remember goes": (
        "另外记一下：我们的办公室在苏州。",
        [("fact", "我们的办公室在苏州。")],
    ),
    "a closing wish goes": ("预算上限 5 万，别忘了。", [("fact", "预算上限 5 万。")]),
    "an address gets no full stop": (
        "报表放在 /srv/out/q3.pdf",
        [("fact", "报表放在 /srv/out/q3.pdf")],
    ),
    "each sentence for itself": (
        "我们决定每周发版。我更喜欢喝茶；现在几点？",
        [("decision", "我们决定每周发版。"), ("preference", "我更喜欢喝茶。")],
    ),
    "a taste": ("我习惯用 Vim。", [("preference", "我习惯用 Vim。")]),
    "a dislike": ("我不喜欢弹窗。", [("preference", "我不喜欢弹窗。")]),
    "a decision": ("就用 Postgres 吧。", [("decision", "就用 Postgres 吧。")]),
    "a change of tools": (
        "构建从 Maven 换成 Gradle 了。",
        [("decision", "构建从 Maven 换成 Gradle 了。")],
    ),
    "a todo": ("提醒我月底关掉测试实例。", [("todo", "提醒我月底关掉测试实例。")]),
    "a todo with its time": ("周五之前要把合同寄出去。", [("todo", "周五之前要把合同寄出去。")]),
    "a changed value": ("端口现在改成 9090 了。", [("fact", "端口现在改成 9090 了。")]),
    "a deadline": ("截止日期是 11 月 2 日。", [("fact", "截止日期是 11 月 2 日。")]),
    "a rule": ("以后都用简体中文回答。", [("rule", "以后都用简体中文回答。")]),
    "a prohibition": ("别用 any。", [("rule", "别用 any。")]),
    "a rule under a condition": (
        "如果测试挂了，不要直接跳过。",
        [("rule", "如果测试挂了，不要直接跳过。")],
    ),
    "a lesson": (
        "原来是因为缓存键里没有租户。",
        [("correction", "原来是因为缓存键里没有租户。")],
    ),
    "a fault and its reason": (
        "你刚才又忘了加锁，并发下会出问题。",
        [("correction", "你刚才又忘了加锁，并发下会出问题。")],
    ),
    "traditional characters stay": (
        "變數名一律用英文，不要用拼音。",
        [("rule", "變數名一律用英文，不要用拼音。")],
    ),
    "full width stays": (
        "ＡＰＩ 的端口是 ８０８０！",
        [("fact", "ＡＰＩ 的端口是 ８０８０！")],
    ),
    "an English turn by English rules": (
        "ok, the gateway listens on port 4100",
        [("fact", "The gateway listens on port 4100.")],
    ),
    "two languages in one turn": (
        "以后都用中文回答。\nWe decided to drop Redis.",
        [("rule", "以后都用中文回答。"), ("decision", "We decided to drop Redis.")],
    ),
    "an English sentence with a Chinese label": (
        'The button is called "提交修改后的订单" on every page.',
        [("fact", 'The button is called "提交修改后的订单" on every page.')],
    ),
    "words around code": (
        "禁止用 `eval`。\n```\n以后都用 x\n```",
        [("rule", "禁止用 `eval`。")],
    ),
}

LEFT = {
    "a question": "我们是不是一律要压缩提交？",
    "a question without its mark": "为什么每次都要先停服务",
    "a question by its particle": "以后都用中文吗",
    "a condition": "如果端口是 80 就会失败",
    "an unreal case": "假如端口是 80。",
    "a wish": "要是能自动扩容就好了",
    "a hedge": "也许我们以后都应该压缩提交。",
    "a guess": "应该是端口冲突吧",
    "hearsay": "供应商说上限是 500。",
    "hearsay of a boss": "老板觉得以后都要用 Java。",
    "others' sentences within a quotation": "他说“今天很累。以后都别发布。”",
    "a joke": "我们永远周五上线，哈哈哈",
    "an order for now": "把上限改成 500",
    "a request for now": "帮我跑一下测试",
    "an order for this time": "这次不要跑测试",
    "an order about this": "不要动这个文件",
    "an order for each of something": "所有按钮都改成圆角",
    "praise": "这个新页面不错！",
    "a state of the moment": "服务又挂了，报错 500",
    "small talk": "哈，今天天气真好",
    "thanks": "谢谢，我喜欢",
    "what is said of nothing named": "现在是 9090",
    "words of others in quotation marks": "“以后都不许迟到早退。”",
    "a masked secret": "测试环境的令牌是 [masked]，端口 90。",
    "a forwarded mail": "发件人：老王\n以后都用新的模板。",
    "a quoted line": "> 以后都用新的模板。",
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    text, expected = KEPT[name]
    assert kept(text) == expected


@pytest.mark.parametrize("name", LEFT)
def test_left(name: str) -> None:
    assert kept(LEFT[name]) == []


DONE = {
    "合同已经寄出去了": True,
    "迁移脚本写完了": True,
    "Prometheus 的数据迁移搞定了": True,
    "合同寄出去了吗": False,
    "合同已经寄出去了？": False,
    "合同还没寄": False,
}


@pytest.mark.parametrize(("text", "done"), DONE.items(), ids=DONE)
def test_what_is_said_to_be_done(text: str, done: bool) -> None:
    assert bool(list(finished(Turn(handle="e1", text=text)))) == done


TURNS: dict[str, tuple[str, list[str]]] = {
    "stops": ("先看日志。再重启！好吗？行；走", ["先看日志。", "再重启！", "好吗？", "行；", "走"]),
    "two dots": ("嗯……等一下", ["嗯……", "等一下"]),
    "half-width marks": ("好的!以后再说", ["好的!", "以后再说"]),
    "numbers and addresses stay whole": (
        "版本是 3.2.1，见 a.example.com。",
        ["版本是 3.2.1，见 a.example.com。"],
    ),
    "a quotation stays whole": ("他说“累了。不来。”我信。", ["他说“累了。不来。”", "我信。"]),
    "a label before a half-width colon is typed": ("注意:端口变了", ["注意:端口变了"]),
    "an indented paragraph": ("\u3000\u3000端口变了。", ["端口变了。"]),
    "bullets": ("- 第一\n2. 第二", ["第一", "第二"]),
}


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_falls_into_sentences(name: str) -> None:
    text, expected = TURNS[name]
    assert [one.text for one in sentences(text, ())] == expected


PARTS = """
我 我们 你 的 端口 是 8080 改成 以后 都 一律 不要 喜欢 决定 用 记得 还要 因为 每次 先 如果 已经 了 吗 不对 其实
， 。 ！ ？ ； …… “ ” ： /etc/x Redis we always 繁體 ｆｕｌｌ 😂
"""


@given(st.lists(st.sampled_from(PARTS.split()), min_size=3, max_size=40).map("".join))
def test_every_kept_text_and_quote_is_verbatim(text: str) -> None:
    for one in notice(Turn(handle="e1", text=text)):
        assert one.quote in text
        assert one.content.rstrip("。.").casefold() in text.casefold()


LONG = [
    "!",
    "。",
    "=a",
    "x:",
    "“",
    "以后",
    "每次",
    "从",
    "我们用",
    "字.",
    "……",
    "不是",
    "1月",
    "　",
]


@pytest.mark.timeout(60)  # a quadratic pattern would need minutes
@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("end", ["", " x y"])
def test_long_turns_are_read_in_linear_time(piece: str, end: str) -> None:
    turn = Turn(handle="e1", text=(piece * 32_000)[:32_000] + end)
    for one in [*notice(turn), *finished(turn)]:
        assert one.quote in turn.text
