"""What a garden knows already, and what a merge keeps."""

from __future__ import annotations

import pytest

from memgardend.core.editorial.duplicates import KnownCards, left_out
from support.capturing import stored

PORT = "The staging server of the shop in Lisbon listens on port 8080 behind the old proxy."


def twin(known: str, new: str, locale: str = "en", **fields: str) -> str | None:
    """`nothing` or `more` for what the new text adds; None where it is no near-duplicate."""
    cards = [
        stored("m_0", "Something else", content="Mei plays the cello on Sundays."),
        stored("m_1", "s", content=known),
    ]
    found = KnownCards(cards, locale).twin({"summary": "t", "content": new, **fields})
    if found is None:
        return None
    return "more" if found.says_more else "nothing"


@pytest.mark.parametrize(
    ("known", "new", "locale", "adds"),
    [
        (PORT, PORT, "en", "nothing"),
        (PORT, PORT.upper(), "en", "nothing"),
        (
            PORT,
            "The staging server of the shop in Lisbon now listens on port 8080 behind the old proxy!",
            "en",
            "nothing",
        ),
        (PORT, PORT[:-1] + " since 2026-05-01.", "en", "more"),
        (PORT[:-1] + " since 2026-05-01.", PORT, "en", "nothing"),
        (PORT[:-1] + " at 7:30.", PORT[:-1] + " quietly.", "en", "more"),
        (PORT, PORT.replace("8080", "9090"), "en", None),
        (PORT, PORT.replace("listens", "never listens"), "en", None),
        ("Mei prefers tabs over spaces", "Mei prefers spaces over tabs", "en", None),
        (PORT, "The shop has a staging server.", "en", None),
        ("Ana's mother called Mei", "Mei's mother called Ana", "en", None),
        ("On line 2 of page 1 stands a dot", "On line 1 of page 1 stands a dot", "en", None),
        ("On line 2 of page 1 stands a dot", "On line 1 of page 2 stands a dot", "en", None),
        ("小美对花生过敏，不能吃花生酱", "小美对花生过敏，不能吃花生酱。", "zh-Hans", "nothing"),
        ("小美对花生过敏，不能吃花生酱", "小美对花生不过敏，能吃花生酱", "zh-Hans", None),
    ],
)
def test_what_a_card_adds_to_its_twin(known: str, new: str, locale: str, adds: str | None) -> None:
    assert twin(known, new, locale) == adds


def test_the_same_on_another_day_is_another_event() -> None:
    known = KnownCards([stored("m_1", "Mei saw the dentist", occurred_at="2024-05-06")], "en")
    again = {"summary": "Mei saw the dentist", "occurred_at": "2025-05-06"}
    assert known.twin(again) is None
    assert known.twin({**again, "occurred_at": "2024-05-06"})
    assert known.twin({"summary": "Mei saw the dentist"})


def test_retired_cards_are_compared_no_more_and_new_ones_are() -> None:
    known = KnownCards([stored("m_1", "Mei saw the dentist")], "en")
    known.retire(["m_1"])
    assert known.twin({"summary": "Mei saw the dentist"}) is None
    known.add({"summary": "Mei saw the dentist"})
    assert known.twin({"summary": "Mei saw the dentist"})


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("Mei has a dog. He is called Bruno.", "Mei has a dog called Bruno.", ""),
        (
            "He was born in 2019. He sleeps on the sofa.",
            "Mei has a dog.",
            "He was born in 2019.\nHe sleeps on the sofa.",
        ),
        ("Version 2.1 runs there.", "Something runs there.", "Version 2.1 runs there."),
        ("The API uses port 8080. It is slow.", "The API uses port 9090.", "It is slow."),
        ("她住在里斯本。她养了一只狗。", "她住在里斯本，很喜欢那里。", "她养了一只狗。"),
        ("", "Mei has a dog.", ""),
    ],
)
def test_what_a_new_text_leaves_out_of_an_old(old: str, new: str, kept: str) -> None:
    assert left_out(old, new, "zh-Hans" if "她" in old else "en") == kept


def test_a_sentence_that_may_not_stay_is_left_out() -> None:
    assert (
        left_out("See m_7. He is old.", "Mei has a dog.", "en", lambda one: "m_7" not in one)
        == "He is old."
    )
