"""Looking through cards, and reading one whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.field_map import SearchText
from memgardend.core.editorial.fragments import Fragment, read_fragment
from memgardend.core.editorial.pages import BrowseItem, Page, browse
from support.capturing import shared_cases


def card(id_: str, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "summary": f"about {id_}", "content": "all of it", **fields}


def test_s15_pages_lose_nothing() -> None:
    cards = [card(f"card{n:04}") for n in reversed(range(150))]
    first = browse(cards)
    second = browse(cards, cursor=first.next_cursor)
    seen = [len(first.items), first.next_cursor, first.total, len(second.items)]
    assert seen == shared_cases()["S15"]["expected"]
    assert second.next_cursor == ""
    assert [item.record_ref for item in (*first.items, *second.items)] == [
        f"card{n:04}" for n in range(150)
    ]


def test_an_item_shows_no_content() -> None:
    shown = card("a", bucket="Food", threads=["t"], source="chat", updated_at="2026-12-01")
    assert browse([shown]).items == (
        BrowseItem(
            record_ref="a",
            display_text="about a",
            mount="agent-private",
            updated_at="2026-12-01",
            provider="chat",
            group_label="Food",
            tags=("t",),
        ),
    )


def test_retired_cards_are_on_no_page() -> None:
    cards = [
        card("a", archived=True),
        card("b", superseded_by="c"),
        card("c"),
        card("d", status="odd"),
    ]
    assert [item.record_ref for item in browse(cards).items] == ["c"]
    assert browse([]) == Page(items=(), next_cursor="", total=0)


def test_a_cursor_is_a_place_even_when_its_card_is_gone() -> None:
    cards = [card(id_) for id_ in "abcd"]
    page = browse(cards, limit=2)
    assert page.next_cursor == "b"
    left = [one for one in cards if one["id"] != "b"]
    assert [item.record_ref for item in browse(left, limit=2, cursor="b").items] == ["c", "d"]


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_page_has_limits(limit: int) -> None:
    with pytest.raises(ValueError, match="1 to 1000"):
        browse([], limit=limit)


def test_s16_a_whole_card_in_fragments() -> None:
    stored = card("a", content="x" * 40)
    first = read_fragment(stored, limit=10)
    assert first is not None
    with pytest.raises(ValueError, match="record_changed") as refusal:
        read_fragment({**stored, "content": "y" * 40}, cursor=first.next_cursor)
    gone = {"error": "record_not_found"} if read_fragment(None) is None else None
    told = [first.format, len(first.text), refusal.typename, gone]
    assert told == shared_cases()["S16"]["expected"]


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=9), lambda s: st.lists(s, max_size=3)
)


@given(own=st.dictionaries(st.text(max_size=5), JSON, max_size=4), limit=st.integers(1, 60))
def test_all_fragments_are_the_whole_card(own: dict[str, Any], limit: int) -> None:
    stored = {
        **own,
        **card("a"),
        "archived": False,
        "status": "",
        "lifecycle": "",
        "deleted": False,
    }
    stored["superseded_by"] = ""
    text, cursor = "", ""
    while True:
        fragment = read_fragment(stored, cursor=cursor, limit=limit)
        assert isinstance(fragment, Fragment)
        assert (fragment.offset, fragment.record_id) == (len(text), "a")
        text += fragment.text
        cursor = fragment.next_cursor
        if not cursor:
            break
    assert json.loads(text) == stored and fragment.total_chars == len(text)


def test_what_is_only_searched_is_not_read() -> None:
    fragment = read_fragment(card("a", search_text=SearchText("secret corgi")))
    assert fragment is not None and "corgi" not in fragment.text


@pytest.mark.parametrize("retired", [{"archived": True}, {"superseded_by": "b"}, {"status": "odd"}])
def test_a_retired_card_is_not_found(retired: dict[str, Any]) -> None:
    assert read_fragment(card("a", **retired)) is None


@pytest.mark.parametrize("cursor", ["x", "x.", "x.-1", "abc.x", "."])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        read_fragment(card("a"), cursor=cursor)
    for limit in (0, 20_001):
        with pytest.raises(ValueError, match="1 to 20000"):
            read_fragment(card("a"), limit=limit)


def test_a_cursor_beyond_the_end_is_refused() -> None:
    first = read_fragment(card("a"), limit=10)
    assert first is not None
    version = first.next_cursor.partition(".")[0]
    with pytest.raises(ValueError, match="cursor"):
        read_fragment(card("a"), cursor=f"{version}.{first.total_chars}")
