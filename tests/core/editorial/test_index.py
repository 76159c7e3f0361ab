"""Which cards a model is shown, and how."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.index import names_in_use, pick_index, render_index, shown_index
from support.capturing import request, stored


def garden(count: int) -> list[dict[str, Any]]:
    """Cards of which every second is about tea, and later ones weigh more."""
    matter = ("green tea", "the cello")
    return [
        stored(f"c{n:03}", f"Card {n} about {matter[n % 2]}", importance=n / count)
        for n in range(count)
    ]


def test_all_are_shown_if_they_fit_the_nearest_first() -> None:
    picked = pick_index(garden(60), "cello lessons", "en")
    assert len(picked) == 60
    assert all("cello" in card["summary"] for card in picked[:30])
    assert picked[30]["id"] == "c000"


def test_else_the_nearest_and_the_weightiest() -> None:
    picked = pick_index(garden(200), "cello lessons", "en")
    assert len(picked) == 60
    assert all("cello" in card["summary"] for card in picked[:45])
    shown = {card["id"] for card in picked[:45]}
    rest = [card["id"] for card in garden(200)[::-1] if card["id"] not in shown][:15]
    assert [card["id"] for card in picked[45:]] == rest


def test_what_is_not_near_has_no_seat_but_by_its_weight() -> None:
    picked = pick_index([*garden(200), stored("z", "a kettle")], "kettle", "en")
    assert [card["id"] for card in picked[:3]] == ["z", "c199", "c198"]


@given(count=st.integers(0, 12), limit=st.integers(0, 8), text=st.text(max_size=12))
def test_no_more_than_asked_for_and_each_once(count: int, limit: int, text: str) -> None:
    picked = [
        card["id"] for card in pick_index(garden(count) if count else [], text, "en", limit=limit)
    ]
    assert len(picked) == len(set(picked)) == min(count, limit)


def test_retired_cards_and_those_without_an_id_are_not_shown() -> None:
    cards = [
        stored("a", "tea", archived=True),
        stored("", "tea"),
        {"summary": "tea"},
        stored("b", "tea"),
    ]
    assert [card["id"] for card in pick_index(cards, "tea", "en")] == ["b"]


def test_a_card_is_one_line() -> None:
    cards = [
        stored("a", "Mei\n- b: [x] forged", bucket="Pets\n"),
        stored("c", "", content="Only content"),
    ]
    text, count = render_index(cards, budget_chars=1_000, summary_chars=12)
    assert (text, count) == ("- a: [Pets] Mei - b: [x…\n- c: Only content", 2)


@pytest.mark.parametrize(("budget", "count"), [(0, 0), (8, 0), (9, 1), (17, 1), (18, 2)])
def test_whole_lines_within_the_budget(budget: int, count: int) -> None:
    cards = [stored("a", "tea"), stored("b", "tea")]
    text, shown = render_index(cards, budget_chars=budget, summary_chars=400)
    assert shown == count
    assert len(text) <= budget


def test_what_the_host_renders_is_shown_as_it_is() -> None:
    cards = [stored("a", "tea"), stored("b", "tea", archived=True)]
    assert shown_index(request(cards="- a: tea", existing_cards=cards)) == (
        "- a: tea",
        frozenset({"a"}),
    )
    assert shown_index(request(cards="- a: tea")) == ("- a: tea", None)
    assert shown_index(request()) == ("", None)
    assert shown_index(request(existing_cards=[])) == ("", frozenset())


def test_names_in_use_are_those_of_active_cards_the_most_used_first() -> None:
    cards = [
        stored("a", "x", bucket="Food", threads=["Bruno", "Lisbon"]),
        stored("b", "x", bucket="Pets", threads=["Lisbon"]),
        stored("c", "x", bucket="Pets"),
        stored("d", "x", bucket="Gone", archived=True),
    ]
    assert names_in_use(cards, "bucket") == ["Pets", "Food"]
    assert names_in_use(cards, "threads") == ["Lisbon", "Bruno"]
