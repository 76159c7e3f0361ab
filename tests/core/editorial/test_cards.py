"""Cards as they are found in stores: read with tolerance, and where they stand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.cards import (
    CardStatus,
    card_status,
    importance_of,
    is_active,
    read_card,
    search_text,
)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, CardStatus.ACTIVE),
        ({"status": " Active "}, CardStatus.ACTIVE),
        ({"status": None, "archived": False, "superseded_by": ""}, CardStatus.ACTIVE),
        ({"archived": True}, CardStatus.ARCHIVED),
        ({"lifecycle": "archived"}, CardStatus.ARCHIVED),
        ({"archived": True, "superseded_by": "b"}, CardStatus.SUPERSEDED),
        ({"status": "superseded"}, CardStatus.SUPERSEDED),
        ({"superseded_by": "b", "deleted": True}, CardStatus.DELETED),
        ({"status": "deleted"}, CardStatus.DELETED),
        ({"status": "hidden"}, CardStatus.UNKNOWN),
        ({"status": 3}, CardStatus.UNKNOWN),
    ],
)
def test_where_a_card_stands(fields: dict[str, Any], status: CardStatus) -> None:
    assert card_status(fields) is status
    assert is_active(fields) == (status is CardStatus.ACTIVE)


def test_known_fields_get_their_types_and_foreign_ones_stay() -> None:
    raw = {
        "id": 7,
        "summary": "Mei",
        "content": None,
        "bucket": ["Pets"],
        "threads": "cello",
        "retrieval_cues": ["a", 3],
        "importance": 9,
        "pulse": "0.5",
        "is_sensitive": "yes",
        "archived": False,
        "shelf": [1],
    }
    assert read_card(raw) == {
        "id": "7",
        "summary": "Mei",
        "threads": ["cello"],
        "retrieval_cues": ["a"],
        "importance": 1.0,
        "pulse": 0.5,
        "archived": False,
        "shelf": [1],
    }


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8)))
def test_reading_again_changes_nothing(raw: dict[str, Any]) -> None:
    once = read_card(raw)
    assert read_card(once) == once


@pytest.mark.parametrize(
    ("fields", "weight"),
    [
        ({"importance_level": 1}, 0.2),
        ({"importance_level": 5, "importance": 0.1}, 1.0),
        ({"importance_level": 6, "importance": 0.1}, 0.1),
        ({"importance_level": True, "importance": 0.1}, 0.1),
        ({"importance": float("nan")}, 0.0),
        ({"importance": float("inf")}, 0.0),
        ({"importance": 10**400}, 0.0),
        ({"importance": "much"}, 0.0),
        ({}, 0.0),
    ],
)
def test_what_a_card_weighs(fields: dict[str, Any], weight: float) -> None:
    assert importance_of(fields) == weight


def test_what_is_searched() -> None:
    card = {
        "summary": "Mei has a dog",
        "content": "Mei has a dog\nHe is called Bruno",
        "bucket": "Pets",
        "threads": ["Bruno"],
        "retrieval_cues": ["Bruno", "vet"],
        "source": "chat",
    }
    assert search_text(card).splitlines() == [
        "Mei has a dog",
        "He is called Bruno",
        "Pets",
        "Bruno",
        "vet",
    ]
    assert search_text({**card, "search_text": "its own"}) == "its own"
