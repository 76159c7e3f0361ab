"""Which language the person writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.language import ENOUGH_SHARE, ENOUGH_UNITS, guess_locale, locale_of_client

ELEVEN = "one two three four five six seven eight nine ten eleven"


@pytest.mark.parametrize(
    ("texts", "locale", "units"),
    [
        ([], None, 0),
        ([ELEVEN], None, 11),
        ([ELEVEN, "twelve"], "en", 12),
        (["帮我把端口改成九零九零谢谢"], "zh-Hans", 13),
        (["帮我把端口改成九零九零"], None, 11),
        (["请把 deploy 脚本改一下，然后 push 到 main 分支上"], "zh-Hans", 16),
        # 38 % Chinese: 62 % English is just enough; one Chinese character more is too mixed
        (["word " * 62 + "字" * 38], "en", 100),
        (["word " * 62 + "字" * 39], None, 101),
        (["don't it's we're you'll " * 3], "en", 12),
        (["Привет как дела " * 5], None, 15),
        (["これはペンです" * 4], None, 28),
        (["42 8080 2026-11-30 " * 20], None, 0),
    ],
)
def test_guess(texts: list[str], locale: str | None, units: int) -> None:
    found = guess_locale(texts)
    assert (found.locale, found.units) == (locale, units)


@pytest.mark.parametrize(
    "code",
    [
        "```python\nfor item in items: print the whole item and then go on\n```",
        "```\nan open fence that nobody has closed yet is code up to the very end of it",
        "`git commit --amend --no-edit --all --quiet now please do it once more`",
        "https://example.com/a/long/path?with=words&and=more",
        "src/main/java/com/example/App.java /usr/local/bin some_snake_case_name a@b.example",
    ],
)
def test_code_is_no_language(code: str) -> None:
    found = guess_locale([code, "请帮我看看这段代码为什么跑不起来"])
    assert found.locale == "zh-Hans"


def test_the_share_is_that_of_the_larger_script() -> None:
    found = guess_locale(["a b c 字"])
    assert (found.latin, found.han, found.share) == (3, 1, 0.75)
    assert guess_locale([]).share == 0.0


@given(st.lists(st.text()))
def test_a_locale_has_evidence(texts: list[str]) -> None:
    found = guess_locale(texts)
    enough = found.units >= ENOUGH_UNITS and found.share >= ENOUGH_SHARE
    assert (found.locale is not None) == enough


@pytest.mark.parametrize(
    ("language", "locale"),
    [
        ("en_GB.UTF-8", "en"),
        ("en", "en"),
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh-TW", "zh-Hans"),
        ("de_DE.UTF-8", None),
        ("C.UTF-8", None),
        ("POSIX", None),
        ("", None),
        (None, None),
    ],
)
def test_locale_of_client(language: str | None, locale: str | None) -> None:
    assert locale_of_client(language) == locale
