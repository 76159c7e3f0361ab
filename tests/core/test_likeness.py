"""Likeness: near duplicates, contradictions, and keywords of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.likeness import auto_keywords, contradicts, is_near_duplicate, jaccard

SHARED = Path(__file__).parents[2] / "../shared/cases/meow-cases.json"

SAME: dict[str, tuple[str, str, str]] = {
    "identical": ("The person prefers tabs.", "The person prefers tabs.", "en"),
    "case-and-full-stop": ("The person prefers tabs", "the person prefers TABS.", "en"),
    "inflected": ("Deploys start on Tuesdays", "A deploy starts on a Tuesday", "en"),
    "one-more-word-in-five": ("one two three four", "one two three four five", "en"),
    "same-value-spelled-otherwise": (
        "The export holds 1,000 rows of orders",
        "The export holds 1000 rows of orders",
        "en",
    ),
    "date-spelled-otherwise": ("Launch on 2026-12-01", "Launch on December 1, 2026", "en"),
    "chinese": ("用户喜欢在晚上写代码", "用户喜欢在晚上写代码。", "zh-Hans"),
}
NOT_SAME: dict[str, tuple[str, str, str]] = {
    "other-words": ("The person prefers tabs.", "The build is slow.", "en"),
    "value-flips": (
        "The staging API of the shop listens for requests on port 8080",
        "The staging API of the shop listens for requests on port 9090",
        "en",
    ),
    "negation-flips": ("The person uses tabs", "The person does not use tabs", "en"),
    "never": ("Deploy on Fridays", "Never deploy on Fridays", "en"),
    "without-is-no-with": ("Deploy with approval", "Deploy without approval", "en"),
    "opposites": ("Run tests before the commit", "Run tests after the commit", "en"),
    "order-flips": ("prefers tabs over spaces", "prefers spaces over tabs", "en"),
    "from-and-to": ("moved from mysql to postgres", "moved from postgres to mysql", "en"),
    "not-this-but-that": ("We use Helm, not Kustomize", "We use Kustomize, not Helm", "en"),
    "chinese-this-not-that": ("我们用 Helm，不用 Make", "我们用 Make，不用 Helm", "zh-Hans"),
    "chinese-days-among-many-words": (
        "我们团队的发布窗口固定在每周二晚上十点到十二点之间",
        "我们团队的发布窗口固定在每周四晚上十点到十二点之间",
        "zh-Hans",
    ),
    "chinese-negation": (
        "提交代码以前必须先运行全部测试",
        "提交代码以前不必须先运行全部测试",
        "zh-Hans",
    ),
    "no-tokens": ("人", "人", "zh-Hans"),
}


@pytest.mark.parametrize(("a", "b", "locale"), SAME.values(), ids=SAME)
def test_near_duplicates(a: str, b: str, locale: str) -> None:
    assert is_near_duplicate(a, b, locale)
    assert is_near_duplicate(b, a, locale)


@pytest.mark.parametrize(("a", "b", "locale"), NOT_SAME.values(), ids=NOT_SAME)
def test_no_near_duplicates(a: str, b: str, locale: str) -> None:
    assert not is_near_duplicate(a, b, locale)
    assert not is_near_duplicate(b, a, locale)


AGAINST: dict[str, tuple[str, str, str]] = {
    "port": ("The API listens on port 8080.", "The API listens on port 9090 now.", "en"),
    "reworded": (
        "The staging API of Kestrel listens on port 8080.",
        "Kestrel's staging API now runs on port 9090.",
        "en",
    ),
    "version": ("Python 3.11 is required", "Python 3.12 is required", "en"),
    "path": ("The config is in config/a.yaml", "The config is in config/b.yaml", "en"),
    "date": ("The deadline is 2026-12-01", "The deadline is December 8, 2026", "en"),
    "code": ("We deploy with `make ship`.", "We deploy with `make release`.", "en"),
    "not": ("Uses tabs", "Does not use tabs", "en"),
    "no-longer": ("The shop uses redis", "The shop no longer uses redis", "en"),
    "never-without": ("Never deploy without approval", "Never deploy with approval", "en"),
    "opposite": ("The cache is enabled", "The cache is disabled", "en"),
    "chinese-value": ("端口是8080", "端口现在改为9090", "zh-Hans"),
    "chinese-negation": ("提交前要跑测试", "提交前不要跑测试", "zh-Hans"),
    "chinese-always": ("以后都用中文回答", "以后不要用中文回答", "zh-Hans"),
    "chinese-colour": ("主色是 #2B6CB0。", "主色换成 #1E40AF 了。", "zh-Hans"),
    "chinese-put-off": ("截止日期是 7 月 5 日。", "截止日期推迟到 7 月 12 日了。", "zh-Hans"),
    "words-of-numbers": ("We retry three times", "We retry 5 times", "en"),
    "from-to": ("The limit is 5 minutes", "The limit went from 5 to 10 minutes", "en"),
    "chinese-from-to": ("缓存时间是 5 分钟。", "缓存时间从 5 分钟改成 10 分钟了。", "zh-Hans"),
    "address": ("Logs go to server 10.0.0.1", "Logs go to server 192.168.1.9", "en"),
    "days": ("The demo is on Tuesday", "The demo is on Thursday", "en"),
    "chinese-days": ("发布窗口是每周二晚上十点。", "发布窗口是每周四晚上十点。", "zh-Hans"),
    "chinese-numbers": ("最多重试三次。", "最多重试 5 次。", "zh-Hans"),
    "chinese-likes": ("用户喜欢喝茶", "用户不喜欢喝茶", "zh-Hans"),
    "taken-back": (
        "We ship the shop with make.",
        "We ship the shop with make. Not any more.",
        "en",
    ),
    "said-both-ways": (
        "Always write commit messages in English.",
        "Always write commit messages in English. Never write commit messages in English.",
        "en",
    ),
}
NOT_AGAINST: dict[str, tuple[str, str, str]] = {
    "same": ("The API listens on port 8080.", "The API listens on port 8080 now.", "en"),
    "one-says-more": ("port 8080", "ports 8080 and 9090", "en"),
    "another-server": ("Server A runs on port 8080", "Server B runs on port 9090", "en"),
    "another-among-many-words": (
        "The staging gateway of region A keeps its cache port at 8080",
        "The staging gateway of region B keeps its cache port at 9090",
        "en",
    ),
    "another-matter": ("The timeout is 30 seconds", "The timeout for uploads is 60 seconds", "en"),
    "no-shared-frame": ("The database is Postgres 15", "The cache is Redis 7", "en"),
    "deeds": ("Fixed a bug in src/a.py", "Fixed a bug in src/b.py", "en"),
    "numbered-things": ("Issue 12 is about login", "Issue 13 is about login", "en"),
    "numbered-machines": ("Node 3 has 16 GB", "Node 4 has 32 GB", "en"),
    "numbered-people": ("Customer 7 pays by card", "Customer 8 pays by invoice", "en"),
    "numbered-orders": ("Order 12 costs 30 euros", "Order 13 costs 45 euros", "en"),
    "numbered-services": ("Service 7 listens on port 5007", "Service 8 listens on 5008", "en"),
    "the-same-change": ("The limit went from 5 to 10", "The limit went from 5 to 10.", "en"),
    "a-span": ("The office is open from 9 to 17", "The office is open at 9", "en"),
    "what-it-became": ("The limit went from 5 to 10", "The limit is 10", "en"),
    "steps-in-words": ("第一步需要5分钟", "第二步需要8分钟", "zh-Hans"),
    "steps": ("第1步需要5分钟", "第2步需要8分钟", "zh-Hans"),
    "chinese-word-that-only-looks-negating": ("用户特别喜欢喝茶", "用户喜欢喝茶", "zh-Hans"),
    "an-opening-no": ("No, the API uses port 8080", "The API uses port 8080", "en"),
    "a-date-with-its-year": ("The offer ends on Sept 30", "The offer ends on 2026-09-30", "en"),
    "a-path-and-its-name": ("The table is in words.py", "The table is in core/words.py", "en"),
    "values-alone": ("8080", "9090", "en"),
    "beside-another-rule": (
        "Always write commit messages in English.",
        "Never deploy on Fridays. Always write commit messages in English.",
        "en",
    ),
    "chinese-beside-another-rule": (
        "提交信息都用英文写，标题不超过五十字。",
        "不要在周五部署。提交信息都用英文写，标题不超过五十字。",
        "zh-Hans",
    ),
}


@pytest.mark.parametrize(("a", "b", "locale"), AGAINST.values(), ids=AGAINST)
def test_contradictions(a: str, b: str, locale: str) -> None:
    assert contradicts(a, b, locale)
    assert contradicts(b, a, locale)


@pytest.mark.parametrize(("a", "b", "locale"), NOT_AGAINST.values(), ids=NOT_AGAINST)
def test_no_contradictions(a: str, b: str, locale: str) -> None:
    assert not contradicts(a, b, locale)
    assert not contradicts(b, a, locale)


sentences = st.lists(
    st.sampled_from(
        (
            "the",
            "api",
            "port",
            "8080",
            "9090",
            "not",
            "before",
            "after",
            "changed from",
            "to",
            "tabs",
            "over",
            "端口",
            "不",
            "in",
        )
    ),
    max_size=8,
).map(" ".join)


@given(sentences, sentences)
def test_likeness_is_symmetric_and_a_duplicate_never_contradicts(a: str, b: str) -> None:
    assert jaccard(a, b, "en") == jaccard(b, a, "en")
    assert contradicts(a, b, "en") == contradicts(b, a, "en")
    assert is_near_duplicate(a, b, "en") == is_near_duplicate(b, a, "en")
    assert not (is_near_duplicate(a, b, "en") and contradicts(a, b, "en"))
    assert not contradicts(a, a, "en")


KEYWORDS: dict[str, tuple[str, str, int, tuple[str, ...]]] = {
    "most-frequent-first-under-the-first-spelling": (
        "The API caches. A cache of the api helps the cache.",
        "en",
        13,
        ("caches", "api", "helps"),
    ),
    "limited": ("alpha beta gamma", "en", 2, ("alpha", "beta")),
    "no-stop-words": ("It is in the house", "en", 13, ("house",)),
    "chinese-pairs": ("数据库", "zh-Hans", 13, ("数据", "据库")),
    "chinese-pairs-that-name-nothing": (
        "我们的端口是在日志里",
        "zh-Hans",
        13,
        ("端口", "日志", "志里"),
    ),
    "nothing-but-such-pairs": ("我们的", "zh-Hans", 13, ("我们", "们的")),
    "lone-character": ("人", "zh-Hans", 13, ("人",)),
    "no-words": ("🚀", "en", 13, ("🚀",)),
    "stop-words-only": ("to be", "en", 13, ("to be",)),
    "blank": (" \n", "en", 13, ()),
}


@pytest.mark.parametrize(("text", "locale", "limit", "expected"), KEYWORDS.values(), ids=KEYWORDS)
def test_auto_keywords(text: str, locale: str, limit: int, expected: tuple[str, ...]) -> None:
    assert auto_keywords(text, locale, limit) == expected


@given(st.text(max_size=200), st.sampled_from(("en", "zh-Hans")))
def test_any_text_that_is_not_blank_has_one_to_thirteen_keywords(text: str, locale: str) -> None:
    found = auto_keywords(text, locale)
    assert len(found) == len(set(found))
    assert (1 <= len(found) <= 13) if text.strip() else found == ()


_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text("utf-8")) if SHARED.exists() else []


@pytest.mark.skipif(not _CASES, reason="the shared cases are not here")
@pytest.mark.parametrize(
    "case", [c for c in _CASES if c["id"].startswith("JAC")], ids=lambda case: str(case["id"])
)
def test_shared_likeness_cases(case: dict[str, Any]) -> None:
    a, b = case["input"]
    assert jaccard(a, b, "zh-Hans") == pytest.approx(case["expected"])
