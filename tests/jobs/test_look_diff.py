"""`diff DREAM`: what a dream made of each memory, with its quotes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.errors import UsageError
from memgardend.core.records import Dream
from memgardend.core.words import Ending, RoundName
from memgardend.jobs.context import Garden
from memgardend.jobs.look import diff_document, dreams_document
from memgardend.jobs.sweep import sweep
from support import stores
from support.conversation import keep_all, say, window_id
from support.garden import START, Answer, ScriptedModel, make_garden, nothing
from support.stores import SqliteFactory

FIRST = [
    "The staging server is called heron.",
    "Heron listens on port 8080.",
    "Backups run at 03:00. Logs lie in /srv/log.",
    "Releases are cut on Fridays.",
    "The shop sells tea.",
]
LATER = "From now on releases are cut on Mondays, and the shop is closed."
BOTH = "The staging server is called heron and listens on port 8080."


def reshape(request: dict[str, Any]) -> Answer:
    """One operation of each kind; handles are found by content."""
    if request["round"] != "atomic":
        return nothing(request)
    handles = {one["content"]: one["handle"] for one in request["memories"]}
    server, port, mixed, releases, shop = (handles[text] for text in FIRST)
    said = next(one["handle"] for one in request["events"] if one["shown"])

    def quote(text: str) -> list[dict[str, str]]:
        return [{"event": said, "quote": text}]

    return {
        "operations": [
            {
                "op": "merge",
                "ids": [server, port],
                "into": {"content": BOTH},
                "reason": "one server",
            },
            {
                "op": "split",
                "id": mixed,
                "into": [
                    {"content": "Backups run at 03:00."},
                    {"content": "Logs lie in /srv/log."},
                ],
                "reason": "two matters",
            },
            {
                "op": "update",
                "id": releases,
                "content": "Releases are cut on Mondays.",
                "importance": 3,
                "reason": "moved",
                "evidence": quote("releases are cut on Mondays"),
            },
            {
                "op": "archive",
                "id": shop,
                "reason": "closed",
                "evidence": quote("the shop is closed"),
            },
        ]
    }


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """Two dreams of one window: the first keeps what was said, the second gives it another shape."""
    clock = ManualClock(START)
    model = ScriptedModel(keep_all())
    garden = make_garden(tmp_path_factory.mktemp("diff"), clock=clock, model=model)
    say(garden.store, "w", *FIRST, at=START - 4 * HOUR_MS)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    say(garden.store, "w", LATER, at=START + HOUR_MS)
    clock.advance(6 * HOUR_MS)
    model.script = reshape
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    return garden


def newest(garden: Garden) -> Dream:
    return garden.store.dreams()[0]


def rows(garden: Garden) -> dict[str, dict[str, Any]]:
    document = diff_document(garden.store, newest(garden).id)
    return {one["content"]: one for one in document["memories"]}


def test_the_first_dream_added_all(garden: Garden) -> None:
    document = diff_document(garden.store, garden.store.dreams()[1].id)
    assert document["changes"] == {"added": 5, "changed": 0, "archived": 0}
    assert [one["content"] for one in document["memories"]] == FIRST
    for one in document["memories"]:
        assert one["steps"] == [{"operation": "remember", "round": "atomic", "reason": None}]
        assert (one["fields"], one["content_diff"], one["replaces"]) == ({}, [], [])
        assert [proof["quote"] for proof in one["evidence"]] == [one["content"]]


def test_what_a_dream_changed_is_counted_by_memory(garden: Garden) -> None:
    document = diff_document(garden.store, newest(garden).id[:12])
    assert document["window"] == window_id("w")
    assert (document["state"], document["undone_at"]) == ("applied", None)
    assert document["changes"] == {"added": 3, "changed": 1, "archived": 4}


def test_a_changed_memory_shows_its_words_before_and_after(garden: Garden) -> None:
    row = rows(garden)["Releases are cut on Mondays."]
    assert row["change"] == "changed"
    assert row["steps"] == [{"operation": "update", "round": "atomic", "reason": "moved"}]
    assert row["content_diff"] == [
        {"part": "same", "text": "Releases are cut on"},
        {"part": "was", "text": " Fridays."},
        {"part": "now", "text": " Mondays."},
    ]
    assert row["fields"]["importance"] == [2, 3]
    assert "content" not in row["fields"]
    assert [proof["quote"] for proof in row["evidence"]] == ["releases are cut on Mondays"]


def test_merges_and_splits_name_what_they_took_the_place_of(garden: Garden) -> None:
    found = rows(garden)
    for new, old in {
        BOTH: FIRST[:2],
        "Backups run at 03:00.": [FIRST[2]],
        "Logs lie in /srv/log.": [FIRST[2]],
    }.items():
        assert found[new]["change"] == "added"
        assert [one["id"] for one in found[new]["replaces"]] == [found[text]["id"] for text in old]
        assert {one["short"] for one in found[new]["replaces"]} <= {
            row["short"] for row in found.values()
        }
        assert [proof["quote"] for proof in found[new]["evidence"]] == old
        assert all(proof["inherited_from"] for proof in found[new]["evidence"])


def test_what_was_archived_says_what_took_its_place_and_why(garden: Garden) -> None:
    found = rows(garden)
    server, shop = found[FIRST[0]], found[FIRST[4]]
    assert (server["change"], server["superseded_by"]) == ("archived", found[BOTH]["id"])
    assert server["evidence"] == []
    assert (shop["change"], shop["superseded_by"]) == ("archived", None)
    assert [proof["quote"] for proof in shop["evidence"]] == ["the shop is closed"]


def test_a_dream_without_changes_has_nothing_to_show(tmp_path: Path) -> None:
    quiet = make_garden(tmp_path)
    say(quiet.store, "w", "Good morning.", at=START - 4 * HOUR_MS)
    sweep(quiet)
    document = diff_document(quiet.store, newest(quiet).id)
    assert (document["state"], document["memories"]) == ("empty", [])


def test_an_unknown_dream_is_named(garden: Garden) -> None:
    with pytest.raises(UsageError, match="zzz"):
        diff_document(garden.store, "zzz")


def test_the_list_of_dreams_counts_the_same(garden: Garden) -> None:
    listed = dreams_document(garden.store)["dreams"][0]
    assert listed["changes"] == diff_document(garden.store, listed["short"])["changes"]


def test_several_steps_of_a_memory_are_one_change(tmp_path: Path) -> None:
    store = SqliteFactory(tmp_path).open()
    known = stores.memory("m1", content="The port is 1.")
    stores.dreamed(store, stores.change(None, known))
    second = replace(known, content="The port is 2.", importance=2, revision=2)
    third = replace(second, content="The port is 3.", importance=3, revision=3)
    stores.put(store, stores.said("4"))
    stores.claimed(store, "d2")
    lease = stores.started(store, "d2")
    stores.planned(store, lease, from_seq=3, through=4)
    stores.stage_all(store, lease)
    steps = [
        stores.change(known, second, reason="moved"),
        stores.change(second, third, round=RoundName.PROJECT),
    ]
    batch = stores.commit_of(lease, *steps, from_seq=3, through_seq=4)
    assert store.commit(batch).committed

    document = diff_document(store, "d2")

    assert document["changes"] == {"added": 0, "changed": 1, "archived": 0}
    (row,) = document["memories"]
    assert [(one["round"], one["reason"]) for one in row["steps"]] == [
        ("atomic", "moved"),
        ("project", None),
    ]
    assert row["fields"]["importance"] == [1, 3]
    assert [one["text"] for one in row["content_diff"]] == ["The port is", " 1.", " 3."]
