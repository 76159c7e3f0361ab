"""SIGKILL inside the commit of a merge: both parents stay, and the next attempt merges them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.words import DreamState, Ending, Status
from memgardend.jobs.context import Garden
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.dying import DEAD, sweep_and_die
from support.garden import START, Answer, ScriptedModel, make_garden, nothing

HALVES = ["The server is called heron.", "Heron listens on port 8080."]
BOTH = "The server is called heron and listens on port 8080."


def merge(request: dict[str, Any]) -> Answer:
    """Merge what is shown, in the atomic round."""
    if request["round"] != "atomic":
        return nothing(request)
    ids = [one["handle"] for one in request["memories"]]
    into = {"layer": "fact", "content": BOTH}
    return {"operations": [{"op": "merge", "ids": ids, "into": into, "reason": "one server"}]}


def contents(garden: Garden, status: Status = Status.ACTIVE) -> list[str]:
    return [one.content for one in garden.store.memories() if one.status is status]


@pytest.mark.parametrize(
    ("place", "merged"),
    [("commit.before", False), ("commit.inside", False), ("commit.after", True)],
)
def test_a_merge_is_whole_or_not_at_all(tmp_path: Path, place: str, merged: bool) -> None:
    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock, model=ScriptedModel(keep_all()))
    say(garden.store, "w", *HALVES, at=START - 4 * HOUR_MS)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    proven = garden.store.evidence([one.id for one in garden.store.memories()])
    say(garden.store, "w", "Thanks, that is all for today.", at=START)
    clock.advance(5 * HOUR_MS)
    garden.store.close()

    assert sweep_and_die(tmp_path, clock, place, ScriptedModel(merge))
    garden = make_garden(
        tmp_path, clock=clock, model=ScriptedModel(merge), is_gone=lambda who: who.host == DEAD
    )
    assert contents(garden) == ([BOTH] if merged else HALVES)
    assert contents(garden, Status.ARCHIVED) == (HALVES if merged else [])
    assert garden.store.violations() == []

    heal(garden)
    sweep(garden)
    new = next(one for one in garden.store.memories() if one.content == BOTH)
    assert contents(garden) == [BOTH]
    assert [one.state for one in garden.store.dreams()] == [DreamState.APPLIED] * 2
    inherited = garden.store.evidence([new.id])
    assert {one.quote for one in inherited} == {one.quote for one in proven}
    assert {one.inherited_from for one in inherited} == {one.memory for one in proven}
    assert [one.operation for one in garden.store.versions(new.id)] == ["merge"]
    assert garden.store.violations() == []
