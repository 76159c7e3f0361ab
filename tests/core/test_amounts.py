"""Amounts and weekdays in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.amounts import amounts, without_amounts

ROWS: dict[str, tuple[str, list[str]]] = {
    "english numbers": ("three retries, then twelve", ["3", "12"]),
    "no part of a word": ("often tense; someone said", []),
    "english days": ("on tuesday and all fridays", ["tuesday", "friday"]),
    "chinese numbers": ("三次，十二点，二十天，三十五分钟", ["3", "12", "20", "35"]),
    "a pair": ("两个人", ["2"]),
    "large ones as written": ("一百二十块", ["一百二十"]),
    "chinese days": ("周二、星期三、礼拜天", ["tuesday", "wednesday", "sunday"]),
    "every monday, but once a week": ("每周一开会；每周一次；一周一次", ["monday", "1"]),
    "articles and idioms": ("一个函数，快一点，一下，十分重要，千万别", []),
    "each once": ("周二，周二", ["tuesday"]),
    "digits are values": ("3 retries", []),
}


@pytest.mark.parametrize("name", ROWS)
def test_amounts(name: str) -> None:
    text, expected = ROWS[name]
    assert list(amounts(text)) == expected


@given(st.text(st.sampled_from("一二两三十百周天日点个次每星期 two monday3"), max_size=40))
def test_amounts_are_blanked_in_their_place(text: str) -> None:
    blanked = without_amounts(text)
    assert (blanked != text) == bool(amounts(text))
    assert [new for new, old in zip(blanked, text, strict=True) if new not in (old, " ")] == []
