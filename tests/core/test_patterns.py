"""A pattern that is compiled later finds what it would have found."""

import re

import pytest

from memgardend.core.patterns import regex


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
