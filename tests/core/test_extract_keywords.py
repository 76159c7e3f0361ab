"""Keywords of Chinese sentences: words that somebody types, not pairs that happen to stand together."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.extract.languages import language_of_locale
from memgardend.core.extract.notice import notice
from memgardend.core.extract.request import Turn
from memgardend.core.extract.zh.keywords import keywords
from memgardend.core.likeness import auto_keywords
from memgardend.core.tokens import tokenize

LABELLED = Path(__file__).parents[1] / "labelled" / "zh-Hans.jsonl"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("监控面板的端口现在改成 3100 了。", ["3100", "监控面板", "端口"]),
        ("我们的監控面板，負責人是老李。", ["監控面板", "負責人", "老李"]),
        ("“金丝雀发布”每周三做，先看 Grafana。", ["金丝雀发布", "grafana", "每周", "三做"]),
        ("用户名 ops，走 2222 端口。", ["ops", "2222", "用户名", "端口"]),
        ("先测试，再提交，再测试。", ["测试", "提交"]),
        ("训练数据放在 s3://ds/v3。", ["s3://ds/v3", "训练数据"]),
        ("3 月 14 号", []),
        ("My host is ferry-2, 归 IT 部门管", ["host", "ferry-2", "it", "部门管"]),
    ],
)
def test_keywords(text: str, found: list[str]) -> None:
    assert list(keywords(text)) == found


def test_where_there_are_none_pairs_do() -> None:
    chinese = language_of_locale("zh-Hans")
    assert chinese is not None
    assert chinese.keywords("别太久了") == auto_keywords("别太久了", "zh-Hans")


@given(st.text(alphabet="我们的用户名在端口改成 abc12“”「」，。", max_size=60))
def test_they_are_few_and_stand_in_the_text(text: str) -> None:
    found = keywords(text)
    assert len(found) <= 13
    told = unicodedata.normalize("NFKC", text).casefold()
    assert all(word in told and len(word) > 1 for word in found)


def test_they_still_find_what_pairs_found() -> None:
    """Of the labelled set's pairs without a linking character; what is lost are linking words of two."""
    linking = set("的了是在我你他就都把和与吗呢从到用为对给先再还不没能上里每但最只说")
    real, kept, words, pairs = 0, 0, 0, 0
    for line in LABELLED.read_text("utf-8").splitlines():
        for said in notice(Turn(handle="e1", text=json.loads(line)["text"])):
            now, before = keywords(said.content), auto_keywords(said.content, "zh-Hans")
            meant = {one for one in before if len(one) > 1 and not linking & set(one)}
            real += len(meant)
            kept += len(meant & {token for one in now for token in tokenize(one, "zh-Hans")})
            words, pairs = words + len(now), pairs + len(before)
    assert kept > 0.7 * real
    assert words < 0.5 * pairs
