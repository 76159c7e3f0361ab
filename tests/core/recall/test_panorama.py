"""The panorama: shelves in their order, open todos and the newest done, and that it keeps to its room."""

from __future__ import annotations

from memgardend.core.recall.panorama import ids_of, shelves, shown
from memgardend.core.words import Layer, Status, Subcategory
from support.recalling import forms, known
from support.stores import NOW

NAMED = [
    known("topic", layer=Layer.TOPIC),
    known("quote", layer=Layer.PROJECT, subcategory=Subcategory.QUOTES),
    known("old", layer=Layer.FACT, as_of=NOW - 5),
    known("new", layer=Layer.FACT),
    known("overview", layer=Layer.PROJECT),
    known("rule", layer=Layer.RULES),
]


def test_shelves_come_in_their_order_with_the_oldest_knowledge_first() -> None:
    found = shelves(NAMED, [known("everywhere", layer=Layer.RULES)])
    assert [(one.name, [memory.id for memory in one.memories]) for one in found] == [
        ("rules", ["rule"]),
        ("overview", ["overview"]),
        ("quotes", ["quote"]),
        ("fact", ["old", "new"]),
        ("topic", ["topic"]),
        ("everywhere", ["everywhere"]),
    ]


def test_every_shelf_has_its_place() -> None:
    every = [known(str(layer), layer=layer) for layer in Layer if layer is not Layer.PROJECT]
    every += [known(str(one), layer=Layer.PROJECT, subcategory=one) for one in Subcategory]
    assert [one.name for one in shelves(every, [])] == [
        *("rules", "overview", "structure", "decisions", "quotes", "ops", "todo"),
        *("fact", "lesson", "topic", "soul", "user"),
    ]


def test_open_todos_come_first_then_the_five_done_last() -> None:
    todo = {"layer": Layer.PROJECT, "subcategory": Subcategory.TODO}
    done = [
        known(f"done{n}", status=Status.STALE, status_at=NOW - n, as_of=NOW + n, **todo)
        for n in range(7)
    ]
    (shelf,) = shelves([*done, known("open", **todo)], [])
    assert [one.id for one in shelf.memories] == [
        *("open", "done4", "done3", "done2", "done1", "done0")
    ]


def test_what_has_no_room_is_counted() -> None:
    many = [known(f"m{n}", "x" * 100) for n in range(9)]
    panorama = shown(shelves(many, []), "shop", forms(), 500)
    assert len(panorama.text) <= 600
    assert 0 < len(ids_of(panorama)) < 9
    assert f"{9 - len(ids_of(panorama))} more" in panorama.text


def test_nothing_known_says_so() -> None:
    assert shown((), "shop", forms(), 500).text.endswith("Nothing is known of this project.")
