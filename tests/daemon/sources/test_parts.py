"""What records say, as events keep it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from memgardend.daemon.sources.parts import short_input

TEXTS = st.text(st.characters(codec=None), max_size=3)  # lone surrogates too
SIMPLE = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
INPUTS = st.dictionaries(TEXTS, SIMPLE | st.lists(SIMPLE, max_size=3), max_size=4)


@given(INPUTS)
def test_a_short_input_is_kept_whole(given: dict[str, object]) -> None:
    assert json.loads(short_input(given)) == given


def test_a_long_input_is_cut() -> None:
    assert short_input({"old": "x" * 9_000, "new": "y"}) == '{"old":"' + "x" * 491 + "…"
    assert short_input("z" * 501) == "z" * 499 + "…"
    assert short_input("z" * 500) == "z" * 500
