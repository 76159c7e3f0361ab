"""A pattern that is compiled later finds what it would have found."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memgardend.core.patterns import Words, regex

WORDS = [".", "@", "basic", "cookie:", "curl", "mysql", "passw", "redis-cli", "sshpass", "token"]


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


@given(st.lists(st.sampled_from([*WORDS, *"acklpst-:."])).map("".join))
@example("basicurl")
@example("mysqtoken")
def test_words_are_found_wherever_they_stand(text: str) -> None:
    found = Words(WORDS).found_in(text)
    assert sorted(found) == [word for word in sorted(WORDS) if word in text]
