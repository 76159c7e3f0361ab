"""A card as one of our memories and back: nothing is lost either way, and what a dream changes since counts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.core.editorial.card_mapping import card_of, edited_memory, new_memory
from memgardend.core.editorial.cards import Card, read_card
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL, UNSET, Scope
from memgardend.core.words import Layer, Status, Subcategory

STAMPS: dict[str, Any] = {
    "id": "c1",
    "mount": "agent-private",
    "created_at": "2026-12-01T00:00:00Z",
    "updated_at": "2026-12-01T00:00:00Z",
}
NOW = 1_796_083_200_000


def made(**fields: Any) -> Memory:
    return new_memory(read_card({**STAMPS, **fields}))


@pytest.mark.parametrize(
    ("fields", "layer", "subcategory"),
    [
        ({"type": "fact"}, Layer.FACT, None),
        ({}, Layer.FACT, None),
        ({"type": "event"}, Layer.TOPIC, None),
        ({"type": "moment"}, Layer.TOPIC, None),
        ({"type": "what nobody knows"}, Layer.TOPIC, None),
        ({"type": "rule"}, Layer.RULES, None),
        ({"type": "quote"}, Layer.USER, None),
        ({"type": "quote", "scope": "global"}, Layer.USER, None),
        ({"type": "quote", "scope": ["p1"]}, Layer.PROJECT, Subcategory.QUOTES),
        ({"type": "fact", "layer": "lesson"}, Layer.LESSON, None),
        ({"layer": "project", "subcategory": "todo"}, Layer.PROJECT, Subcategory.TODO),
        ({"layer": "of the host"}, Layer.FACT, None),
    ],
)
def test_the_layer_of_a_captured_card(
    fields: dict[str, Any], layer: Layer, subcategory: Subcategory | None
) -> None:
    memory = made(**fields)
    assert (memory.layer, memory.subcategory) == (layer, subcategory)


@pytest.mark.parametrize(
    ("weight", "quarters"),
    [
        ({}, 2),
        ({"importance": 0}, 1),
        ({"importance": 0.1}, 1),
        ({"importance": 0.37}, 1),
        ({"importance": 0.375}, 2),
        ({"importance": 0.6}, 2),
        ({"importance": 0.625}, 3),
        ({"importance": 0.87}, 3),
        ({"importance": 0.9}, 4),
        ({"importance": 7}, 4),
        ({"importance": 0.1, "importance_level": 5}, 4),
    ],
)
def test_importance_is_the_nearest_quarter_and_at_least_one(
    weight: dict[str, Any], quarters: int
) -> None:
    assert made(**weight).importance == quarters


def test_what_columns_can_say_stands_in_columns() -> None:
    memory = made(
        summary="She drinks tea",
        content="Two cups.",
        retrieval_cues=["what does she drink"],
        bucket="Food",
        threads=["mornings"],
        source="a label of the host",
        occurred_at="2024-05-01",
        scope=["p2", "p1"],
    )
    assert (memory.title, memory.content) == ("She drinks tea", "Two cups.")
    assert (memory.keywords, memory.keywords_auto) == (("what does she drink",), False)
    assert (memory.bucket, memory.threads) == ("Food", ("mornings",))
    assert (memory.origin, memory.scope) == ("a label of the host", Scope.of("p1", "p2"))
    assert memory.occurred_at == 1_714_521_600_000
    assert memory.created_at == memory.updated_at == memory.status_at == memory.as_of == NOW
    assert json.loads(memory.card or "{}") == {
        "importance": None,
        "occurred_at": "2024-05-01",
        "scope": ["p2", "p1"],
    }


def test_a_card_without_cues_is_found_by_its_words() -> None:
    memory = made(summary="Prefers dark roast", content="She prefers dark roast coffee.")
    assert memory.keywords_auto and "coffee" in memory.keywords
    assert made(summary="喜欢深烘咖啡", content="她喜欢深烘咖啡。").keywords_auto


TEXT = st.text(max_size=12)
TIMES = st.sampled_from(
    ["2024-05-01", "2024-05-01T08:00:00+08:00", "2026-12-01T00:00:00.250Z", "", "1969-01-01"]
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
CARDS = st.fixed_dictionaries(
    {"id": st.just("c1"), "mount": st.sampled_from(["agent-private", "family-shared"])},
    optional={
        "summary": TEXT,
        "content": TEXT,
        "bucket": TEXT,
        "threads": st.lists(TEXT, max_size=3),
        "retrieval_cues": st.lists(TEXT, max_size=3),
        "type": st.sampled_from(["", "fact", "event", "quote", "rule", "odd"]),
        "importance": st.floats(0, 1),
        "importance_level": st.integers(0, 6),
        "pulse": st.floats(0, 1),
        "occurred_at": TIMES | TEXT,
        "source": TEXT,
        "scope": st.sampled_from(["global", "unset", "p1", ["p1"], ["b", "a"], [], ["a,b"], 3]),
        "layer": st.sampled_from(["soul", "topic", "lesson", "project", "odd", 7]),
        "subcategory": st.sampled_from(["todo", "odd", 1]),
        "goal": st.sampled_from(["a goal", 1, ""]),
        "corrected": st.booleans(),
        "archived": st.just(False),
        "superseded_by": st.just(""),
        "status": st.sampled_from(["active", ""]),
        "of the host": PLAIN,
    },
)
STAMPED = st.builds(
    lambda card, created, updated: read_card(
        {**card, "created_at": created, "updated_at": updated}
    ),
    CARDS,
    st.sampled_from(["2024-05-01", "2026-12-01T00:00:00Z", "2020-01-01T00:00:00+08:00"]),
    st.sampled_from(["2024-05-01", "2026-12-01T00:00:00Z", "2019-01-01T00:00:00.5Z"]),
)


@given(STAMPED)
def test_a_card_comes_back_as_it_was(card: Card) -> None:
    assert card_of(new_memory(card)) == card


@given(before=STAMPED, changes=CARDS)
def test_a_changed_card_comes_back_as_it_was_changed(before: Card, changes: dict[str, Any]) -> None:
    memory = new_memory(before)
    after = read_card({**before, **changes, "updated_at": "2027-01-01T00:00:00Z"})
    edited = edited_memory(memory, before, after)
    assert card_of(edited) == after
    assert edited.revision == memory.revision + 1


MEMORIES = st.builds(
    Memory,
    id=st.just("m1"),
    layer=st.sampled_from(Layer),
    content=TEXT,
    title=st.none() | TEXT,
    keywords=st.lists(TEXT.filter(bool), max_size=3).map(tuple),
    keywords_auto=st.booleans(),
    importance=st.integers(1, 4),
    status=st.sampled_from(Status),
    status_at=st.integers(0, NOW),
    scope=st.sampled_from([GLOBAL, UNSET, Scope.of("p1", "p2")]),
    bucket=st.none() | TEXT,
    threads=st.lists(TEXT, max_size=2).map(tuple),
    origin=st.sampled_from(["dream", "memory_dream", ""]),
    subcategory=st.none() | st.sampled_from(Subcategory),
    goal=st.none() | TEXT,
    corrected=st.booleans(),
    created_at=st.integers(0, NOW),
    updated_at=st.integers(0, NOW),
    as_of=st.integers(0, NOW),
    occurred_at=st.none() | st.integers(0, NOW),
    superseded_by=st.none() | st.just("m2"),
)


@given(MEMORIES)
def test_a_memory_keeps_what_an_edit_of_its_card_does_not_say(memory: Memory) -> None:
    card = card_of(memory)
    after = read_card({**card, "pulse": 0.5, "updated_at": "2027-01-01T00:00:00Z"})
    edited = edited_memory(memory, card, after)
    kept = replace(edited, card=memory.card, updated_at=memory.updated_at)
    assert kept == replace(memory, revision=2)
    assert card_of(edited) == after


def test_a_memory_without_a_title_is_summed_up_by_its_first_line() -> None:
    memory = Memory(id="m", layer=Layer.FACT, content="\nPort 9090 now.\nWas 8080.")
    assert card_of(memory)["summary"] == "Port 9090 now."
    assert len(card_of(replace(memory, content="x" * 500))["summary"]) == 120


def test_a_finished_memory_is_an_archived_card() -> None:
    memory = Memory(id="m", layer=Layer.PROJECT, content="done", status=Status.STALE, status_at=NOW)
    card = card_of(memory)
    assert (card["archived"], card["archive_reason"]) == (True, "stale")
    assert card["updated_at"] == "2026-12-01T00:00:00Z"


@pytest.mark.parametrize(
    ("changed", "name", "value"),
    [
        ({"title": "New"}, "summary", "New"),
        ({"importance": 4}, "importance", 1.0),
        ({"importance": 2}, "importance", 0.55),
        ({"keywords": ("k",), "keywords_auto": False}, "retrieval_cues", ["k"]),
        ({"keywords": ("k",), "keywords_auto": True}, "retrieval_cues", None),
        ({"layer": Layer.LESSON}, "layer", "lesson"),
        ({"scope": GLOBAL}, "scope", "global"),
        ({"occurred_at": None}, "occurred_at", None),
        ({"status": Status.ARCHIVED}, "archived", True),
        ({"content": "other"}, "pulse", 0.7),
    ],
)
def test_what_a_dream_changed_since_counts(changed: dict[str, Any], name: str, value: Any) -> None:
    memory = made(
        summary="Old",
        content="c",
        type="fact",
        importance=0.55,
        pulse=0.7,
        retrieval_cues=[],
        scope=["b", "a"],
        occurred_at="2024-05-01",
        archived=False,
    )
    assert card_of(replace(memory, **changed)).get(name) == value


def test_an_edit_moves_the_times_that_it_concerns() -> None:
    card = read_card({**STAMPS, "summary": "s", "content": "c"})
    memory, later = new_memory(card), NOW + 60_000
    stamp: dict[str, Any] = {"updated_at": "2026-12-01T00:01:00Z"}
    said = edited_memory(memory, card, read_card({**card, **stamp, "content": "d"}))
    assert (said.updated_at, said.as_of, said.status_at) == (later, later, NOW)
    moved = edited_memory(memory, card, read_card({**card, **stamp, "bucket": "b"}))
    assert (moved.updated_at, moved.as_of, moved.status_at) == (later, NOW, NOW)
    ended = edited_memory(memory, card, read_card({**card, **stamp, "archived": True}))
    assert (ended.updated_at, ended.as_of, ended.status_at) == (NOW, NOW, later)
    assert ended.status is Status.ARCHIVED
