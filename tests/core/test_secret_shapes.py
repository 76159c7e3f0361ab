"""The words that are looked for before a pattern is tried lose nothing that the pattern would find."""

from __future__ import annotations

import re
import string
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core import secret_shapes as shapes
from memgardend.core.mask import ASSIGNMENT, MASK, mask
from memgardend.core.shape import Shape, in_ascii

ALL = [shapes.PEM, shapes.URL_PASSWORD, *shapes.CARRIED, *shapes.COMMANDS, *shapes.SPOKEN]
ALL.append(ASSIGNMENT)
TAIL = "aB3dE6gH9jK2mN5p"


def without_bounds(shape: Shape) -> re.Pattern[str]:
    """The same pattern without the possessive and looking-ahead parts that hypothesis cannot make."""
    plain = re.sub(r"([+}*])\+", r"\1", shape.pattern.pattern.replace("(?=@)", "@"))
    alone = re.sub(r"\(\?(?:<=|[=!])[^()]*\)", "", plain)
    return re.compile(alone, shape.pattern.flags)


def noted(match: re.Match[str]) -> str:
    return f"<{match[0]}>"


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.begins(shape.words)[0])
@given(data=st.data())
@settings(max_examples=30)
def test_a_shape_finds_by_its_words_what_its_pattern_finds_everywhere(
    shape: Shape, data: st.DataObject
) -> None:
    texts = st.from_regex(without_bounds(shape)) | st.sampled_from(["?sig=", "&", "--", "api "])
    text = "".join(data.draw(st.lists(texts, min_size=1, max_size=3)))
    folded = in_ascii(text).lower()
    begins = shape.begins(word for word in shape.words if word in folded or word in text)
    assert shape.sub(noted, text, folded, begins) == shape.pattern.sub(noted, text)


def test_every_letter_that_equals_an_ascii_one_is_seen_as_that_one() -> None:
    letters = "".join(map(chr, range(sys.maxunicode + 1)))
    plain = in_ascii(letters)
    assert len(plain) == len(letters)
    for wanted in string.ascii_lowercase:
        equal = [match.start() for match in re.finditer(wanted, letters, re.IGNORECASE)]
        assert {plain[at].lower() for at in equal} == {wanted}


@pytest.mark.parametrize("name", ["ſecret_key", "API_\u212aEY", "PAſſWORD", "passſecret"])
def test_letters_that_equal_ascii_ones_hide_no_name(name: str) -> None:
    assert mask(f"{name} = 'hunter2hunter2'") == f"{name} = '{MASK}'"


@pytest.mark.parametrize("prefix", ["sk-", "m0-"])
@pytest.mark.parametrize("around", ["{}", "日本語{}日本語", '{{"k":"{}"}}', "a\n{}\tb"])
def test_the_shortest_keys_are_found_in_any_surroundings(prefix: str, around: str) -> None:
    assert TAIL not in mask(around.format(prefix + TAIL))


def test_a_key_that_is_broken_up_invisibly_is_found() -> None:
    assert mask("sk-aB3dE6gH\u200b9jK2mN5p") == f"sk-{MASK}"
