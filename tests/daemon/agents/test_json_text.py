"""Edits of JSON text: what is read, where it is wrong, and that nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.daemon.agents.json_text import JsonTextError, read, with_child, without_child

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FORMATS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, 4, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":")]),
    }
)


@given(VALUES, FORMATS)
def test_it_reads_what_json_reads(value: Any, how: dict[str, Any]) -> None:
    assert read(f" {json.dumps(value, **how)}\n").value == value


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1: a value is missing"),
        ('{"a": 1', "line 1, column 8: `,` is missing"),
        ('{"a" 1}', "line 1, column 6: `:` is missing"),
        ("{\n  a: 1}", "line 2, column 3: a name in quotes is missing"),
        ('{"a": tru}', "line 1, column 7: a value is missing"),
        ("[1] x", "line 1, column 5: something follows the end"),
        ('["a\nb"]', "line 1, column 4: Invalid control character at"),
        ("[" * 300, "line 1, column 202: nested too deeply"),
    ],
)
def test_mistakes_have_a_place(text: str, place: str) -> None:
    with pytest.raises(JsonTextError, match=place):
        read(text)


@given(st.dictionaries(st.text(), VALUES, max_size=4), FORMATS, st.text(), VALUES)
def test_a_member_comes_and_goes(
    there: dict[str, Any], how: dict[str, Any], key: str, value: Any
) -> None:
    there.pop(key, None)
    text = json.dumps(there, **how)
    more = with_child(text, read(text), key, value)
    assert json.loads(more) == {**there, key: value}
    again = read(more)
    assert without_child(more, again, len(again.children) - 1) == text


@given(st.lists(VALUES, min_size=1, max_size=4), FORMATS, st.data())
def test_any_item_can_go(there: list[Any], how: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(there, **how)
    index = data.draw(st.integers(0, len(there) - 1))
    less = without_child(text, read(text), index)
    assert json.loads(less) == there[:index] + there[index + 1 :]


COMMENTED = """{
  // of a person
  "a": [1, 2,], /* behind */
}
"""


def test_comments_stay_where_they_are() -> None:
    more = with_child(COMMENTED, read(COMMENTED), "b", True)
    assert more.splitlines() == [
        "{",
        "  // of a person",
        '  "a": [1, 2,],',
        '  "b": true, /* behind */',
        "}",
    ]
    assert without_child(more, read(more), 1) == COMMENTED
    alone = without_child(COMMENTED, read(COMMENTED), 0)
    assert "// of a person" in alone
    assert "/* behind */" in alone
    assert read(alone).value == {}


def test_a_comment_between_two_stays_when_the_second_goes_and_swallows_nothing() -> None:
    text = '{"a": 1, // why a\n"b": 2}'
    assert without_child(text, read(text), 1) == '{"a": 1 // why a\n}'
