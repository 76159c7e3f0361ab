"""Reading a capture's reply: what is a card, what is none, and that no text breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.capture_parse import CapturedCard, parse_capture_cards
from memgardend.core.editorial.mutation_reading import read_mutation
from memgardend.core.editorial.mutations import Add
from memgardend.core.editorial.policies import PolicyName
from memgardend.core.editorial.results import Failure
from support.capturing import reply, row

PREFIX = "invalid_card_content:"


def only(raw: str, policy: str | None = None) -> CapturedCard:
    (card,), error = parse_capture_cards(raw, policy)
    assert error is None
    return card


def parse(raw: str, **options: Any) -> tuple[list[str], str | None]:
    cards, error = parse_capture_cards(raw, **options)
    return [card["summary"] for card in cards], error


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("summary", "", "empty"),
        ("summary", None, "empty"),
        ("content", ["a list"], "empty"),
        ("summary", "[one line]", "bracket_placeholder"),
        ("content", "【内容】", "bracket_placeholder"),
        ("content", "<the account>", "bracket_placeholder"),
        ("summary", "TBD.", "placeholder_word"),
        ("summary", "暂无", "placeholder_word"),
        ("content", "xxxx", "placeholder_word"),
        ("content", "It is one line that a person can read by itself", "template_fragment"),
        ("content", "superseded by 0a1b2c3d4e", "tombstone_marker"),
        ("content", "已被 0a1b2c3d4e 取代", "tombstone_marker"),
        ("content", "— !!", "no_substantive_chars"),
        ("content", 'Mei", "bucket": "Food"', "protocol_leak"),
        ("content", "<think>Mei</think>", "protocol_leak"),
        ("content", "好", "too_short"),
    ],
)
def test_a_bad_text_sends_the_reply_back(field: str, text: object, problem: str) -> None:
    rows = reply({**row(), field: text}, row("Mei has a dog"))
    assert parse(rows) == ([], f"{PREFIX}{field}_{problem}")
    assert parse(rows, strict=False) == (["Mei has a dog"], None)


@pytest.mark.parametrize(
    "text", ["(a round bracket)", "Mei said [sic] it", "养了狗", "no", "An example"]
)
def test_a_plain_text_does_not(text: str) -> None:
    assert only(reply({**row(), "summary": text}))["summary"] == text


def test_an_error_names_three_reasons_and_each_once() -> None:
    bad = [{**row(), "summary": text} for text in ("", "TBD", "TBD", "[a]", "!")]
    reasons = "summary_empty,summary_placeholder_word,summary_bracket_placeholder"
    assert parse(reply(*bad))[1] == PREFIX + reasons


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ("", "no_json_object"),
        ("I think {maybe} nothing.", "no_json_object"),
        ('"cards"', "no_json_object"),
        ('{"cards": 3}', "missing_cards_list"),
        ('{"cards": [', "json_decode_error:JSONDecodeError"),
        ('{"cards": [{"action": "add"', "json_decode_error:JSONDecodeError"),
        ('<think>{"cards": []}</think> Nothing.', "no_json_object"),
        ('<think>{"cards": [{"summary": "a "b" c"}]}</think> Nothing.', "no_json_object"),
        ('A draft: {"cards": []} </think> Nothing.', "no_json_object"),
    ],
)
def test_what_cannot_be_read_is_never_nothing_to_keep(raw: str, error: str) -> None:
    assert parse(raw) == ([], error)
    assert parse(raw, strict=False) == ([], error)


@pytest.mark.parametrize("rows", [["Mei eats nothing spicy"], [{**row(), "action": None}], [1, []]])
def test_rows_that_are_no_cards_are_never_nothing_to_keep(rows: list[Any]) -> None:
    raw = json.dumps({"cards": rows})
    assert parse(raw) == ([], f"{PREFIX}no_known_action")
    assert parse(raw, strict=False) == ([], "invalid_card_content_after_retry:no_known_action")
    beside = json.dumps({"cards": [*rows, {"action": "noop"}]})
    assert parse(beside) == ([], None), "the model said that there is nothing"


def test_the_object_is_found_among_prose_reasoning_and_drafts() -> None:
    draft = reply(row("A draft"))
    said = reply(row())
    for raw in (
        f"Here you are:\n```json\n{said}\n```\nAnything else?",
        f"<thinking>{draft}</thinking>{said}",
        f"{draft}</think>{said}",
        f'{{"note": "no card"}}\n{said}',
        f"Here: {reply(row(note='the end of </thought>'))}",
    ):
        assert parse(raw) == (["Mei eats nothing spicy"], None)


def test_bare_quotes_inside_a_text_are_repaired() -> None:
    raw = reply(row()).replace("each time", 'each "time"').replace("says so", 'says "so"')
    assert only(raw)["content"].count('"') == 4


def test_a_card_holds_what_was_meant() -> None:
    card = only(
        reply(
            row(
                action=" Merge ",
                target_id=" m_1 ",
                target_ids=["m_1", "m_2"],
                type="MOMENT",
                bucket=" Our\n relationship ",
                threads=["thread", "Lisbon", "lisbon trip", "Lisbon"],
                tags=["moving"],
                importance="0.7",
                pulse=-3,
                role="turning_point",
                is_sensitive=True,
                foreign="field",
            )
        )
    )
    assert {name: card.get(name) for name in card if name not in ("summary", "content")} == {
        "action": "merge",
        "target_id": "m_1",
        "target_ids": ["m_1", "m_2"],
        "type": "moment",
        "bucket": "Our relationship",
        "threads": ["Lisbon", "lisbon trip"],
        "importance": 0.7,
        "pulse": 0.0,
        "role": "turning_point",
        "is_sensitive": True,
    }


def test_tags_become_threads_in_an_archive_only() -> None:
    raw = reply(row(threads=["kitchen"], tags=["food", "Mei"]))
    assert only(raw, "curated_archive")["threads"] == ["kitchen", "food", "Mei"]
    assert only(raw)["threads"] == ["kitchen"]


@pytest.mark.parametrize(
    ("bucket", "text", "locale", "spelled"),
    [
        ("Health", "小美不能吃辣", None, "健康"),
        ("健康", "Mei eats nothing spicy", None, "Health"),
        ("健康", "小美不能吃辣", "en", "Health"),
        ("travel", "Mei went to Porto", None, "Places & travel"),
        ("Kitchen lore", "小美不能吃辣", None, "Kitchen lore"),
        ("N/A", "Mei went to Porto", None, ""),
    ],
)
def test_a_common_bucket_is_spelled_in_one_language(
    bucket: str, text: str, locale: str | None, spelled: str
) -> None:
    raw = reply({**row(text, bucket=bucket), "content": text})
    (card,), _ = parse_capture_cards(raw, locale=locale)
    assert card["bucket"] == spelled


def test_secrets_are_masked() -> None:
    card = only(reply(row("Mei's key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345")))
    assert "abcdefghijkl" not in card["summary"] + card["content"]


def test_a_summary_is_one_line_and_has_an_end() -> None:
    card = only(reply({**row(), "summary": "Mei\n has\ta dog " + "and a cat " * 400}))
    assert "\n" not in card["summary"]
    assert len(card["summary"]) == 2000


def test_a_captured_card_can_be_added_as_it_is() -> None:
    (made,) = parse_capture_cards(reply(row()))[0]
    mutation = read_mutation({"op": "add", "card": made})
    assert isinstance(mutation, Add)
    assert not mutation.card.keys() & {"action", "target_id", "target_ids"}


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = """
summary content bucket threads retrieval_cues importance occurred_at role target_ids type tags
"""
FIELDS = st.sampled_from(NAMES.split())
ROWS = st.builds(
    lambda fields, good: {**(row() if good else {"action": "add"}), **fields},
    st.dictionaries(FIELDS, JSON, max_size=3),
    st.booleans(),
)


@given(
    raw=st.text(max_size=120) | st.lists(ROWS | JSON, max_size=4).map(lambda rows: reply(*rows)),
    policy=st.sampled_from(PolicyName),
    strict=st.booleans(),
)
def test_no_reply_breaks_the_reading_and_strict_keeps_no_more_than_lenient(
    raw: str, policy: PolicyName, strict: bool
) -> None:
    strictly, error = parse_capture_cards(raw, policy)
    leniently, _ = parse_capture_cards(raw, policy, strict=False)
    assert all(card in leniently for card in strictly)
    assert error is None or (isinstance(error, Failure) and not strictly)
    for card in leniently:
        assert card["summary"] and card["content"]
        assert 0 <= card["importance"] <= 1
