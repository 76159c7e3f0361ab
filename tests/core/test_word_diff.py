"""What became of a text: the pieces give both texts back, and only what differs is marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.word_diff import Part, word_diff


def marked(before: str, after: str) -> str:
    marks = {Part.SAME: "{}", Part.WAS: "[-{}-]", Part.NOW: "{{+{}+}}"}
    return "".join(marks[one.part].format(one.text) for one in word_diff(before, after))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Use UK spelling.", "Use US spelling.", "Use[- UK-]{+ US+} spelling."),
        ("The port is 8080.", "The port is 8080.", "The port is 8080."),
        ("One.", "One. Two.", "One.{+ Two.+}"),
        ("One. Two.", "One.", "One.[- Two.-]"),
        ("端口是八零", "端口是九零", "端口是[-八-]{+九+}零"),
        ("- a\n- b", "- a\n- c", "- a\n-[- b-]{+ c+}"),
        ("", "New.", "{+New.+}"),
        ("Old.", "", "[-Old.-]"),
        ("", "", ""),
    ],
)
def test_words_that_differ_are_marked(before: str, after: str, expected: str) -> None:
    assert marked(before, after) == expected


def test_texts_too_long_to_compare_change_as_a_whole() -> None:
    words = [f"w{number}" for number in range(502)]
    before, after = " ".join(words), " ".join(reversed(words))
    assert [one.part for one in word_diff(before, after)] == [Part.WAS, Part.NOW]
    framed = [f"It begins. {text} It ends." for text in (before, after)]
    assert [one.part for one in word_diff(*framed)] == [Part.SAME, Part.WAS, Part.NOW, Part.SAME]


def test_a_small_change_of_a_long_text_is_found() -> None:
    long = "a b " * 5000
    assert (
        marked(long + "old" + long, long + "new" + long)
        == f"{long[:-1]}[- olda-]{{+ newa+}}{long[1:]}"
    )


TEXTS = st.text(alphabet="ab 端口\n\t。.", max_size=30) | st.text(max_size=30)


@given(TEXTS, TEXTS)
def test_the_pieces_give_both_texts_back(before: str, after: str) -> None:
    pieces = word_diff(before, after)
    for side, text in ((Part.WAS, before), (Part.NOW, after)):
        assert "".join(one.text for one in pieces if one.part in (Part.SAME, side)) == text
    assert all(one.text for one in pieces)
