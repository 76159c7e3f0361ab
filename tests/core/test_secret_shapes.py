"""The words that are looked for before a pattern is tried lose nothing that the pattern would find."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgardend.core import secret_shapes as shapes
from memgardend.core.mask import MASK, mask

ALL = [shapes.PEM, shapes.URL_PASSWORD, *shapes.CARRIED, *shapes.COMMANDS, *shapes.SPOKEN]
TAIL = "aB3dE6gH9jK2mN5p"


def without_bounds(shape: shapes.Shape) -> re.Pattern[str]:
    """The same pattern without the possessive and looking-ahead parts that hypothesis cannot make."""
    plain = re.sub(r"([+}*])\+", r"\1", shape.pattern.pattern.replace("(?=@)", "@"))
    alone = re.sub(r"\(\?[=!][^()]*\)", "", plain)
    return re.compile(alone, shape.pattern.flags)


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.needs[-1][0])
@given(data=st.data())
@settings(max_examples=30)
def test_whatever_a_shape_matches_holds_a_word_of_each_group(
    shape: shapes.Shape, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(without_bounds(shape)))
    assert shape.may_be_in(shapes.folded(text))


@pytest.mark.parametrize("name", ["ſecret_key", "API_\u212aEY", "PAſſWORD", "passſecret"])
def test_letters_that_equal_ascii_ones_hide_no_name(name: str) -> None:
    assert mask(f"{name} = 'hunter2hunter2'") == f"{name} = '{MASK}'"


@pytest.mark.parametrize("prefix", ["sk-", "m0-"])
@pytest.mark.parametrize("around", ["{}", "日本語{}日本語", '{{"k":"{}"}}', "a\n{}\tb"])
def test_the_shortest_keys_are_found_in_any_surroundings(prefix: str, around: str) -> None:
    assert TAIL not in mask(around.format(prefix + TAIL))


def test_a_key_that_is_broken_up_invisibly_is_found() -> None:
    assert mask("sk-aB3dE6gH\u200b9jK2mN5p") == f"sk-{MASK}"
