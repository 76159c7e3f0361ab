"""The first-turn block: what it holds, in which order, and that it keeps to its room."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.recall.block import LAYERS, block, by_weight
from memgardend.core.recall.frame import BETWEEN
from memgardend.core.records import Memory, Project
from memgardend.core.words import Layer
from support.recalling import forms, known
from support.stores import NOW

ROOM = 6000
MEMORIES = st.lists(
    st.builds(
        known,
        st.uuids().map(str),
        st.text(st.sampled_from("ab \n密"), min_size=1, max_size=300).filter(str.strip),
        layer=st.sampled_from(LAYERS),
        importance=st.integers(1, 4),
        title=st.none() | st.text(st.sampled_from("ab"), max_size=9),
    ),
    max_size=12,
)
PROJECTS = st.lists(st.text(st.sampled_from("ab-"), min_size=1, max_size=60), max_size=9)


def projects(names: Sequence[str]) -> list[Project]:
    return [Project(id=f"p{n}", name=name) for n, name in enumerate(names)]


def text_of(memories: Sequence[Memory], names: Sequence[str] = (), room: int = ROOM) -> str:
    made = block(memories, projects(names), forms(), room)
    return BETWEEN.join(made.parts) if made else ""


@given(MEMORIES, PROJECTS, st.integers(0, 2000))
def test_a_block_keeps_to_its_room(memories: list[Memory], names: list[str], room: int) -> None:
    made = block(memories, projects(names), forms(), room)
    if made is None:
        return
    text = BETWEEN.join(made.parts)
    assert len(text) <= room
    assert made.ids or "Known projects" in text
    assert len(set(made.ids)) == len(made.ids)


@given(MEMORIES, PROJECTS)
def test_what_has_room_is_shown(memories: list[Memory], names: list[str]) -> None:
    made = block(memories, projects(names), forms(), 100_000)
    assert (made is None) == (not memories and not names)
    if made is not None:
        assert set(made.ids) == {one.id for one in memories}


def test_sections_come_in_their_order_and_empty_ones_are_left_out() -> None:
    rule = known("m1", "Write tests first.", layer=Layer.RULES)
    soul = known("m2", "My name is Mira.", layer=Layer.SOUL)
    lines = text_of([rule, soul], ["shop", "api"]).splitlines()
    assert [one for one in lines if one.startswith("##")] == [
        "## About the assistant",
        "## Principles",
        "## Known projects",
    ]
    assert "> - My name is Mira." in lines
    assert "> shop / api" in lines


def test_nothing_known_is_no_block() -> None:
    assert text_of([]) == ""
    assert text_of([known("m1", layer=Layer.SOUL)], room=40) == ""


def test_of_too_many_the_first_are_shown_and_the_block_says_that_there_are_more() -> None:
    many = [known(f"m{n}", f"line {n} " + "x" * 80, layer=Layer.USER) for n in range(20)]
    text = text_of(many, room=1500)
    assert "line 0 " in text
    assert "line 19 " not in text
    assert "More is remembered" in text
    assert "More is remembered" not in text_of(many)


def test_a_long_memory_does_not_take_all_the_room() -> None:
    long = known("m1", "x" * 9000, layer=Layer.SOUL)
    text = text_of([long, known("m2", "short", layer=Layer.SOUL)], room=2000)
    assert "x…" in text
    assert "> - short" in text


def test_the_weightiest_come_first_and_the_newest_knowledge_among_equals() -> None:
    heavy = known("a", importance=4, layer=Layer.RULES)
    soul, user = known("b", layer=Layer.SOUL), known("c", layer=Layer.USER)
    old = known("d", layer=Layer.USER, as_of=NOW - 1)
    assert by_weight([old, user, soul, heavy]) == [heavy, soul, user, old]


def test_lines_of_one_memory_stand_below_its_bullet() -> None:
    text = text_of([known("m1", "first\n\n- second", layer=Layer.USER)])
    assert "> - first\n>\n>   - second" in text
