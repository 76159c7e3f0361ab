"""How a turn falls into sentences, and what of it nobody typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.extract.sentences import MAX_SENTENCE_CHARS, sentences
from memgardend.core.pasted import pasted_spans

TURNS: dict[str, tuple[str, list[str]]] = {
    "two sentences": ("One is here. Two is there!", ["One is here.", "Two is there!"]),
    "lower case goes on": ("stop that. use this.", ["stop that.", "use this."]),
    "versions and paths stay whole": (
        "Run v1.2.3 from ./bin/x.sh please.",
        ["Run v1.2.3 from ./bin/x.sh please."],
    ),
    "abbreviations end nothing": (
        "Ask Dr. Chen, e.g. on Monday. Then go.",
        ["Ask Dr. Chen, e.g. on Monday.", "Then go."],
    ),
    "dots within a sentence": (
        "Well… we use tabs... mostly. Ok... Spaces too",
        ["Well… we use tabs... mostly.", "Ok...", "Spaces too"],
    ),
    "bullets and lines": ("- first thing\n2. second thing", ["first thing", "second thing"]),
    "quotation marks close": ('He "ran." Then sat.', ['He "ran."', "Then sat."]),
    "code fences": ("Look:\n```\nalways = 1\n```\nDone here.", ["Look:", "Done here."]),
    "quoted lines": ("> we always do\nBut why.", ["But why."]),
    "one line of a log among words": (
        "It says this here:\n2026-01-02 10:00:00 ERROR boom\nand then stops.",
        ["It says this here:", "and then stops."],
    ),
    "mostly a log": ("See\n[ 1.2] a: b\n[ 1.3] c: d\n[ 1.4] e: f", []),
    "a forwarded mail": ("Please answer.\nFrom: Bob\nWe always pay.", ["Please answer."]),
    "an essay without a stop": ("word " * 100, []),
    "nothing": ("  \n\t\n", []),
}


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_falls_into_the_sentences_its_person_typed(name: str) -> None:
    text, expected = TURNS[name]

    assert [one.text for one in sentences(text, pasted_spans(text))] == expected


@given(
    st.text(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=3)
)
def test_sentences_are_verbatim_ordered_and_short(text: str, spans: list[tuple[int, int]]) -> None:
    pasted = [(min(span), max(span)) for span in spans]
    at = 0
    for one in sentences(text, pasted):
        assert at <= one.start < one.end <= len(text)
        assert one.text == text[one.start : one.end] == one.text.strip()
        assert len(one.text) <= MAX_SENTENCE_CHARS
        assert not any(start < one.end and one.start < end for start, end in pasted)
        at = one.end
