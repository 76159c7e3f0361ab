"""Cards that somebody asked for, and the words of results."""

from __future__ import annotations

import copy
import pickle

import pytest

from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.times import normalise_occurred_at
from memgardend.core.editorial.written import written_card
from memgardend.core.errors import UsageError
from support.capturing import request


def test_a_long_text_gets_a_short_summary() -> None:
    cards = [written_card(text) for text in ("short", "y" * 41, "y" * 40)]
    summaries = [card["summary"] for card in cards if not isinstance(card, Failure)]
    assert summaries == ["short", "y" * 38 + "…", "y" * 40]


def test_a_written_card_passes_the_gate_too() -> None:
    assert written_card(" \n") == "empty_text"
    assert written_card("TBD") == "invalid_card_content:summary_placeholder_word"


def test_a_summary_of_ones_own_is_kept_whole() -> None:
    card = written_card("Mei\nhas a dog.", summary="A dog " * 20, bucket="Pets")
    assert card == {
        "summary": ("A dog " * 20).strip(),
        "content": "Mei\nhas a dog.",
        "bucket": "Pets",
    }


def test_a_failure_survives_copies() -> None:
    failure = Failure(ErrorWord.TOO_MANY_CARDS, "3>2")
    for same in (copy.deepcopy(failure), pickle.loads(pickle.dumps(failure))):
        assert (str(same), same.word, same.detail) == (
            "too_many_cards:3>2",
            ErrorWord.TOO_MANY_CARDS,
            "3>2",
        )
    assert (Failure(ErrorWord.NO_JSON_OBJECT), failure.word) == ("no_json_object", "too_many_cards")


@pytest.mark.parametrize(
    "limit", ["max_cards", "index_cards_limit", "index_budget_chars", "index_summary_chars"]
)
def test_a_limit_below_one_is_a_mistake(limit: str) -> None:
    with pytest.raises(UsageError):
        request(**{limit: 0})


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("2024-05-06", "2024-05-06"),
        (" 2024-05-06 ", "2024-05-06"),
        ("2024-05-06T08:00:00+08:00", "2024-05-06T00:00:00Z"),
        ("2024-05-06T08:00Z", "2024-05-06T08:00:00Z"),
        ("2024-05-06T23:30:00-05:00", "2024-05-07T04:30:00Z"),
        ("2024-05-06T08:00:00", "2024-05-06"),
        ("2024-05-06 08:00", "2024-05-06"),
    ],
)
def test_a_time_is_a_date_or_an_instant_in_utc(text: str, normal: str) -> None:
    assert normalise_occurred_at(text) == normal
    assert normalise_occurred_at(normal) == normal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024",
        "2024-05",
        "2024-02-30",
        "May 6",
        "2024-05-06T25:00Z",
        "2024-05-06T25:00",
        "20240506",
    ],
)
def test_no_date_is_completed(text: str) -> None:
    with pytest.raises(ValueError):
        normalise_occurred_at(text)
