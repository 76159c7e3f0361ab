"""Old knowledge never beats new: windows dreamed in any order end in the same active values."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.extract import consolidate, parse_request
from memgardend.core.words import Ending, Status
from memgardend.jobs.dream import run_dream
from memgardend.jobs.start import claim, judge_window
from support.conversation import say, window_id
from support.garden import START, ScriptedModel, make_garden

SAID = {
    "w1": "The staging port is 7070.",
    "w2": "The staging port is 8080.",
    "w3": "The staging port is 9090.",
}


def replace_what_is_known(request: dict[str, Any]) -> dict[str, Any]:
    """A fair model: supersedes the port it is shown, or remembers it; it cannot know the order."""
    if request["round"] != "atomic":
        return {"operations": []}
    event = next(e for e in request["events"] if e["shown"] and e["role"] == "human")
    evidence = [{"event": event["handle"], "quote": event["text"]}]
    new = {"layer": "fact", "content": event["text"], "scope": "global", "keywords": ["port"]}
    shown = [m["handle"] for m in request["memories"] if "staging port" in m["content"]]
    if not shown:
        return {"operations": [{"op": "remember", **new, "evidence": evidence}]}
    return {
        "operations": [
            {"op": "supersede", "ids": shown, "by": new, "reason": "moved", "evidence": evidence}
        ]
    }


def remember_only(request: dict[str, Any]) -> dict[str, Any]:
    """A careless model: never looks at what is known."""
    return replace_what_is_known({**request, "memories": []})


def offline(request: dict[str, Any]) -> dict[str, Any]:
    """The real default model."""
    return consolidate(parse_request(json.dumps(request)))


def dreamed(folder: Path, order: tuple[str, ...], script: Any) -> list[tuple[str, str]]:
    """Dream the windows in this order; what is active in the end."""
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock, model=ScriptedModel(script))
    for number, (window, text) in enumerate(SAID.items()):
        say(garden.store, window, text, at=START - (9 - number) * HOUR_MS)
    for window in order:
        facts = garden.store.window_facts(window_id(window))[0]
        dream = claim(garden, facts, judge_window(garden, facts))
        assert dream is not None
        assert run_dream(garden, dream).ending in (Ending.APPLIED, Ending.EMPTY)
        clock.advance(HOUR_MS)
    assert list(garden.store.violations()) == []
    memories = garden.store.memories()
    by_id = {one.id: one for one in memories}
    for one in memories:
        if one.status is Status.ARCHIVED:
            assert one.superseded_by in by_id
    return [(one.layer, one.content) for one in memories if one.status is Status.ACTIVE]


@pytest.mark.parametrize("order", list(itertools.permutations(SAID)), ids="-".join)
def test_the_offline_model_keeps_every_value_and_the_newest_active(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    assert dreamed(tmp_path, order, offline) == [("fact", SAID["w3"])]
    with_every_value = make_garden(tmp_path).store.memories()
    assert sorted(one.content for one in with_every_value) == sorted(SAID.values())


@pytest.mark.parametrize("order", list(itertools.permutations(SAID)), ids="-".join)
def test_a_fair_model_ends_with_the_newest_value(tmp_path: Path, order: tuple[str, ...]) -> None:
    assert dreamed(tmp_path, order, replace_what_is_known) == [("fact", SAID["w3"])]


@pytest.mark.parametrize(
    "order", [o for o in itertools.permutations(SAID) if o[0] == "w3"], ids="-".join
)
def test_a_careless_model_cannot_revive_an_old_value(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    assert dreamed(tmp_path, order, remember_only) == [("fact", SAID["w3"])]
