"""How often a text says no."""

from __future__ import annotations

import pytest

from memgardend.core.negation import flips, negations

COUNTS = {
    "plain": ("The person uses tabs.", 0),
    "not": ("This is not ready.", 1),
    "contraction": ("We don't deploy; it can't wait.", 2),
    "typographic-apostrophe": ("We don’t deploy.", 1),
    "no-longer-is-one": ("It no longer runs.", 1),
    "do-not-is-one": ("Do not run it.", 1),
    "never-without-is-two": ("Never deploy without approval.", 2),
    "opening-no-answers": ("No, it runs on Linux.", 0),
    "opening-no-of-a-line": ("- It runs on Mac.\n- No, it runs on Linux.", 0),
    "inside-a-word": ("A notable knot", 0),
    "chinese": ("不要在周五部署", 1),
    "chinese-has-none": ("没有测试", 1),
    "chinese-no-longer": ("不再使用", 1),
    "chinese-two": ("没有批准不能部署", 2),
    "chinese-compounds-deny-nothing": ("不仅特别快，不同级别无论如何都非常识别", 0),
    "chinese-question": ("是不是要部署", 0),
    "chinese-opening-no": ("不，端口是8080", 0),
}


@pytest.mark.parametrize(("text", "expected"), COUNTS.values(), ids=COUNTS)
def test_negations(text: str, expected: int) -> None:
    assert negations(text) == expected


FLIPS = {
    "same": ("before the commit", "before the push", False),
    "opposite": ("before the commit", "after the commit", True),
    "both-on-both-sides": ("before or after", "after or before", False),
    "one-says-more": ("the commit", "after the commit", False),
    "chinese-opposite": ("启用缓存", "禁用缓存", True),
    "denied": ("run it", "never run it", True),
}


@pytest.mark.parametrize(("a", "b", "expected"), FLIPS.values(), ids=FLIPS)
def test_flips(a: str, b: str, expected: bool) -> None:
    assert flips(a, b) is expected
    assert flips(b, a) is expected
