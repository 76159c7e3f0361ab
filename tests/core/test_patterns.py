"""A pattern that is compiled later finds what it would have found."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memgardend.core.patterns import any_of, regex

WORDS = ["@", "basic", "cookie:", "curl", "mysql", "passw", "redis-cli", "sshpass", "token"]


def test_it_finds_what_a_compiled_one_finds() -> None:
    late = regex(r"(?P<word>[a-z]+)", re.IGNORECASE)
    assert [match["word"] for match in late.finditer("One two")] == ["One", "two"]
    assert late.sub("x", "One two", count=1) == "x two"
    assert late.groupindex == {"word": 1}
    assert late.fullmatch("12") is None


def test_a_mistake_shows_at_the_first_use() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("")


@given(st.lists(st.sampled_from([*WORDS, *"acklpst-:"])).map("".join))
@example("basicurl")
@example("mysqtoken")
def test_one_of_many_words_is_found_wherever_it_stands(text: str) -> None:
    assert bool(re.search(any_of(WORDS), text)) is any(word in text for word in WORDS)
