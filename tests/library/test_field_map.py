"""Cards out of records of any shape: private fields are searched, and shown nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.cards import search_text
from memgardend.core.editorial.field_map import FieldMap, to_card
from memgardend.core.editorial.index import render_index
from memgardend.core.editorial.observability import injection_record
from memgardend.core.editorial.selection import Chain
from memgardend.core.editorial.stages import RelevanceStage

NOTION = FieldMap(
    summary_fields=("Name",), text_fields=("Name", "Notes"), private_fields=("Notes",)
)


def test_the_example_of_the_readme() -> None:
    card = to_card({"id": "n1", "Name": "养狗", "Notes": "养了一只柯基"}, NOTION)
    assert (card["id"], card["summary"], card["content"]) == ("n1", "养狗", "养狗")
    assert search_text(card) == "养狗\n养了一只柯基"
    assert Chain(stages=(RelevanceStage(),)).select([card], "柯基", limit=3).card_ids == ("n1",)


@pytest.mark.parametrize(
    ("record", "fields", "want"),
    [
        ({"id": 7, "a": "x"}, {}, {"id": "7", "summary": "x", "content": "x"}),
        ({"id": "i", "a": "  ", "b": "two\n words"}, {"summary_fields": ("a", "b")}, {"summary": "two words"}),
        ({"id": "i", "a": "x", "b": ["p", "q"]}, {"text_fields": ("a", "b")}, {"content": "x\np\nq"}),
        ({"id": "i", "a": "x", "b": 3}, {"text_fields": ("b",)}, {"content": "3", "search_text": "x\n3"}),
        ({"id": "i", "a": None}, {}, {"summary": "", "content": "", "search_text": ""}),
        ({"id": "i", "a": "x" * 3000}, {}, {"summary": "x" * 2000}),
        (
            {"id": "i", "a": "x", "bucket": "Food", "threads": ["t"], "importance": 2, "other": 1},
            {},
            {"bucket": "Food", "threads": ["t"], "importance": 1.0, "other": None},
        ),
        (
            {"id": "i", "a": "x", "bucket": "Health"},
            {"private_fields": ("bucket",)},
            {"bucket": None, "search_text": "x\nHealth"},
        ),
    ],
)  # fmt: skip
def test_what_becomes_of_a_record(
    record: dict[str, Any], fields: dict[str, Any], want: dict[str, Any]
) -> None:
    card = to_card(record, FieldMap(**{"summary_fields": ("a",), "text_fields": ("a",), **fields}))
    assert {name: card.get(name) for name in want} == want


def test_mistakes_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="private fields must not be summary fields: Notes"):
        FieldMap(summary_fields=("Notes",), text_fields=(), private_fields=("Notes",))
    with pytest.raises(ValueError, match="summary_fields"):
        FieldMap(summary_fields=(), text_fields=("a",))
    for record in ({"Name": "x"}, {"id": "", "Name": "x"}):
        with pytest.raises(ValueError, match="`id`"):
            to_card(record, NOTION)


SECRET = st.text("qwxz", min_size=6, max_size=12)


@given(secret=SECRET, name=st.text("abc ", max_size=8))
def test_private_fields_reach_no_summary_log_or_screen(secret: str, name: str) -> None:
    fields = FieldMap(
        summary_fields=("Name",),
        text_fields=("Name", "Notes"),
        private_fields=("Notes", "threads"),
    )
    record = {"id": "n1", "Name": name, "Notes": f"my {secret}", "threads": [secret]}
    card = to_card(record, fields)
    result = Chain(stages=(RelevanceStage(any_score=True),)).select([card], secret, limit=3)
    assert result.card_ids == ("n1",)
    record_kept = injection_record(secret, result, mode="chain", cap=3)
    shown = [card, f"{card}", result, record_kept]
    shown += [render_index([card], budget_chars=900, summary_chars=90)]
    shown += [{key: value for key, value in card.items() if key != "search_text"}]
    assert all(secret not in repr(one) for one in shown)
