"""Calls by name, as an agent makes them: each answered, whatever goes wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from memgardend.config.packs import locales
from memgardend.core.clock import MINUTE_MS, ManualClock
from memgardend.core.recall.window import projects_asked, seen, written
from memgardend.core.words import DreamState
from memgardend.jobs.tools import ToolContext, ToolName, call
from support.conversation import say
from support.garden import START, make_garden
from support.tooling import asked, done, in_project, keep, kept, tools_of

PORT = "The staging server of the shop listens on port 8080."
WHOLE = {"content": PORT, "project": "shop", "keywords": ["staging"], "importance": 3}


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return in_project(tools_of(make_garden(tmp_path, clock=ManualClock(START)), "w"), "shop")


def test_remember_answers_with_what_is_stored(context: ToolContext) -> None:
    answer = asked(context, "remember", **WHOLE | {"mood": "good"})
    [memory] = context.garden.store.memories()
    assert answer.ok
    assert all(part in answer.text for part in ("Remembered", memory.id, PORT, "staging", "mood"))
    document = answer.document
    assert (document["tool"], document["outcome"]) == ("memory_remember", "stored")
    assert (document["memory"]["id"], document["ignored"]) == (memory.id, ["mood"])


def test_what_turns_against_it_is_shown_with_its_id(context: ToolContext) -> None:
    first = kept(context, PORT, "shop")
    answer = asked(context, "remember", **WHOLE | {"content": PORT.replace("8080", "9090")})
    assert first.id in answer.text and "archived" in answer.text
    assert [one["id"] for one in answer.document["alike"]] == [first.id]


def test_a_new_project_is_told_with_those_that_are_known(context: ToolContext) -> None:
    answer = asked(context, "remember", **WHOLE | {"project": "shpo"})
    assert "shpo is a new project here; known before: shop" in answer.text
    assert "[fact · shpo]" in answer.text, "by its name, as it will be called from now on"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("remember", {}, "`content` is missing"),
        ("search", {"query": ""}, "`query` is missing"),
        ("project", {"project": []}, "`project` is missing"),
        ("read", {}, "`id` is missing"),
        ("search", {"query": "a", "status": "gone"}, "active, stale, archived, all"),
        ("search", {"query": "a", "project": "blog"}, "known: shop"),
        ("project", {"project": "blog"}, "known: shop"),
        ("read", {"id": "%"}, "No memory has an id"),
        ("update", {"id": "zzz", "content": "b"}, "No memory has an id"),
        ("forget", {}, "There is no tool memory_forget"),
    ],
    ids=str,
)
def test_every_mistake_is_told(
    context: ToolContext, name: str, arguments: dict[str, Any], told: str
) -> None:
    answer = asked(context, name, **arguments)
    assert not answer.ok
    assert told in answer.text
    assert answer.document["error"] == answer.text


def test_an_unknown_project_leads_to_the_nearest(context: ToolContext) -> None:
    keep(context, PORT, "my shop", "zoo")
    answer = asked(context, "project", project="myshop")
    assert answer.document["hint"] == "memgardend project 'my shop'"


def test_ids_are_taken_as_agents_copy_them(context: ToolContext) -> None:
    memory = kept(context, PORT)
    for text in (f"[{memory.id}]", f"`{memory.id}`", f" {memory.id[:10]} "):
        assert done(context, "read", id=text)["memory"]["id"] == memory.id


def test_reading_shows_it_whole_with_its_proof_and_is_noted(context: ToolContext) -> None:
    say(context.garden.store, "w", PORT, at=START)
    memory = kept(context, PORT)
    answer = asked(context, "read", id=memory.id)
    assert f"> {PORT}" in answer.text and "human, event:w #1" in answer.text
    assert "revision 1" in answer.text
    assert memory.id in seen(context.recall.store.window_recall("event:w"))
    unproven = kept(context, "Something else is known as well.")
    assert "No quote proves it" in asked(context, "read", id=unproven.id).text


def test_update_says_what_changed_or_that_nothing_did(context: ToolContext) -> None:
    memory = kept(context, PORT)
    assert (
        "Changed: title, importance"
        in asked(context, "update", id=memory.id, title="Port", importance="4").text
    )
    assert "Nothing to change" in asked(context, "update", id=memory.id, title="Port").text
    assert written(context.recall.store.window_recall("event:w")) == (memory.id,)
    conflict = asked(context, "update", id=memory.id, title="Else", revision=1)
    assert not conflict.ok and "revision 2, not 1" in conflict.text


def test_similar_ones_are_never_hidden_but_marked(context: ToolContext) -> None:
    one = kept(context, PORT)
    contrary = kept(context, PORT.replace("8080", "9090"))
    elsewhere = tools_of(context.garden, "other")
    near = kept(elsewhere, "The staging server of the shop is slow.")
    first = done(context, "find_similar", id=one.id)["similar"]
    again = done(context, "find_similar", id=one.id)["similar"]
    assert [row["id"] for row in first] == [row["id"] for row in again] == [contrary.id, near.id]
    assert [row["resemblance"] for row in first] == ["contrary", "near"]
    assert [(row["seen"], row["written"]) for row in first] == [(False, True), (False, False)]
    assert [row["seen"] for row in again] == [True, True]
    text = asked(context, "find_similar", id=one.id, k=1, content_chars=11).text
    assert "> The staging…" in text and "says otherwise" in text and "seen" in text
    assert near.id not in text


def test_nothing_similar_is_said(context: ToolContext) -> None:
    memory = kept(context, PORT)
    assert "No other memory is like" in asked(context, "find_similar", id=memory.id).text


def test_search_and_project_go_through_recall_and_anchor(context: ToolContext) -> None:
    memory = kept(context, PORT, "shop")
    hit = done(context, "search", query="which port", project="Shop", content_chars=11)["hits"][0]
    assert (hit["id"], hit["content"].startswith("The staging")) == (memory.id, True)
    panorama = done(context, "project", project="shop")
    assert panorama["projects"] == ["shop"]
    assert [one["id"] for shelf in panorama["shelves"] for one in shelf["memories"]] == [memory.id]
    state = context.recall.store.window_recall("event:w")
    assert (state.anchor, projects_asked(state)) == ("shop", ("shop",))


def test_statuses_are_meant_exactly(context: ToolContext) -> None:
    ids = {}
    for status in ("active", "stale", "archived"):
        ids[status] = kept(context, f"{PORT} It was {status} then.", f"p-{status}").id
        asked(context, "update", id=ids[status], status=status)

    def found(status: Any) -> set[str]:
        return {one["id"] for one in done(context, "search", query="port", status=status)["hits"]}

    assert found("active") == {ids["active"]}
    assert found(["stale", "archived"]) == {ids["stale"], ids["archived"]}
    assert found("active,all") == found("all") == set(ids.values())


def test_a_dream_is_claimed_and_the_daemon_woken(context: ToolContext) -> None:
    say(context.garden.store, "w", PORT, at=START)
    wake = Mock(return_value=True)
    first = done(replace(context, wake=wake), "dream")
    assert (first["start"], first["window"], wake.call_count) == ("queued", "event:w", 1)
    [dream] = context.garden.store.dreams()
    assert (dream.id, dream.state, dream.manual) == (first["dream"], DreamState.PENDING, True)
    again = asked(context, "dream")
    assert (again.document["start"], again.document["dream"]) == ("waiting", dream.id)
    assert "memgardend dream event:w" in again.text


def test_a_dream_that_runs_is_told_since_when(context: ToolContext) -> None:
    garden = context.garden
    say(garden.store, "w", PORT, at=START)
    dream = done(context, "dream")["dream"]
    window = garden.store.window("event:w")
    assert window is not None
    garden.store.start(dream, window.rev, garden.owner, START, START + MINUTE_MS, 1)
    answer = asked(context, "dream")
    assert answer.document["start"] == "running"
    assert "since 2026-12-01T00:00:00Z" in answer.text


def test_a_dream_that_may_not_be_says_which_gate_is_shut(context: ToolContext) -> None:
    assert asked(context, "dream").document["start"] == "unknown"
    say(context.garden.store, "w", PORT, at=START)
    context.garden.store.set_archived("event:w", True)
    answer = asked(context, "dream")
    assert (answer.document["start"], answer.ok) == ("held", True)
    assert answer.document["reason"].startswith("archived: ")
    assert "has put it away" in answer.text
    nobody = asked(tools_of(context.garden), "dream")
    assert not nobody.ok and "in a conversation only" in nobody.text


@pytest.mark.parametrize("locale", locales())
def test_every_answer_has_words_in_every_pack(tmp_path: Path, locale: str) -> None:
    garden = make_garden(tmp_path, yaml=f"locale: {locale}\n")
    context = in_project(tools_of(garden, "w"), "shop")
    say(garden.store, "w", PORT, at=START)
    one = asked(context, "remember", **WHOLE).document["memory"]["id"]
    calls: list[tuple[ToolName, dict[str, Any]]] = [
        (ToolName.REMEMBER, WHOLE),
        (ToolName.REMEMBER, WHOLE | {"content": PORT.replace("8080", "9090"), "project": "x"}),
        (ToolName.SEARCH, {"query": "port 8080"}),
        (ToolName.PROJECT, {"project": "shop"}),
        (ToolName.FIND_SIMILAR, {"id": one}),
        (ToolName.READ, {"id": one}),
        (ToolName.UPDATE, {"id": one, "title": "Port", "mood": 1}),
        (ToolName.UPDATE, {"id": one, "title": "Port"}),
        (ToolName.DREAM, {}),
        (ToolName.DREAM, {}),
    ]
    for name, arguments in calls:
        answer = call(name, arguments, context)
        assert answer.ok and answer.text, answer
        assert "{{" not in answer.text
