"""What a message asks for, and how much each of its terms counts."""

from __future__ import annotations

import pytest

from memgardend.core.query import read_query
from memgardend.core.stop_words import ENGLISH_GENERIC_WORDS, ENGLISH_STOP_WORDS


def told(text: str, found: str = "", locale: str = "en") -> dict[str, float]:
    """The terms that count where a memory has each of `found`."""
    query = read_query(text, locale)
    known = dict.fromkeys(found.split(), 1)
    shares = {term: query.told(term, known) for term in query.shares}
    return {term: share for term, share in shares.items() if share}


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("what is the port", "en", {"port": 1}),
        ("the who", "zh-Hans", {}),
        ("what do I like", "en", {"like": 0.5}),
        ("which tools were used?", "en", {"tool": 1, "us": 0.5}),
        ("port\n```\nfatal: port of redis\n```", "en", {"port": 1, "fatal": 0.5, "redi": 0.5}),
        ("```\nfatal\n```", "en", {"fatal": 1}),
        ("这是谁", "zh-Hans", {}),
        ("猫", "zh-Hans", {"猫": 1}),
    ],
)
def test_words_without_a_subject_count_less(
    text: str, locale: str, expected: dict[str, float]
) -> None:
    assert told(text, locale=locale) == expected


@pytest.mark.parametrize("word", sorted(ENGLISH_GENERIC_WORDS - ENGLISH_STOP_WORDS))
def test_each_word_without_a_subject_is_known(word: str) -> None:
    assert list(told(word).values()) == [0.5]


def test_a_name_that_nothing_has_says_nothing() -> None:
    assert told("v1.2") == {"v1": 1, "2": 1}
    assert told("v1.2", found="v1.2") == {"v1": 1, "2": 1, "v1.2": 1}


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("部署脚本", "部署 脚本", {"部署": 1, "脚本": 1}),  # 署脚 is a seam
        ("部署脚本", "", {"部署": 0.5, "署脚": 0.5, "脚本": 0.5}),
        ("猫的病", "", {"猫的": 0.125, "的病": 0.125}),
        ("猫的病", "猫 病", {"猫的": 0.125, "的病": 0.125, "猫": 0.5, "病": 0.5}),
        ("猫粮的钱", "猫粮 粮的", {"猫粮": 1, "的钱": 0.125}),  # even a known seam
        ("帮我看看端口", "端口", {"帮我": 0.125, "看看": 0.25, "端口": 1}),
    ],
)
def test_pairs_of_characters_that_are_no_words(
    text: str, found: str, expected: dict[str, float]
) -> None:
    assert told(text, found, "zh-Hans") == expected


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("when did we move", True),
        ("the port in 2024", True),
        ("去年的计划", True),
        ("which port do we use", False),
        ("现在用哪个端口", False),
    ],
)
def test_questions_about_the_past(text: str, past: bool) -> None:
    assert read_query(text, "en").past is past
