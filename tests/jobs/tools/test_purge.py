"""Purge: what a person wants deleted is in no table any more, and what stays is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memgardend.core.words import Status
from memgardend.jobs.sweep import sweep
from memgardend.jobs.tools.purge import purge
from support.conversation import keep_all, say
from support.garden import QUIET_MS, START, ScriptedModel, make_garden
from support.tooling import kept, tools_of

SECRET = "Ana's birthday party is a surprise at the lake."
OTHER = "The staging port is 8080 today."


def holding(folder: Path, word: str) -> bool:
    """Whether the store file holds the word anywhere."""
    return word.encode() in (folder / ".memgarden" / "memory.db").read_bytes()


def test_what_a_dream_brought_is_gone_with_all_that_dreams_said_of_it(tmp_path: Path) -> None:
    def script(request: dict[str, Any]) -> dict[str, Any]:
        return keep_all()(request) | {"summary": "lake", "questions": ["lake?"]}

    garden = make_garden(tmp_path, model=ScriptedModel(script))
    say(garden.store, "w", SECRET, OTHER, at=START - QUIET_MS)
    sweep(garden)
    [memory] = [one for one in garden.store.memories() if one.content == SECRET]
    [dream] = garden.store.dreams()
    assert purge(tools_of(garden), memory.id)
    assert [one.content for one in garden.store.memories()] == [OTHER]
    assert garden.store.versions(memory.id) == []
    assert garden.store.evidence([memory.id]) == []
    rounds = {one.name: one for one in garden.store.rounds(dream.id)}
    atomic = rounds["atomic"]  # type: ignore[index]
    assert (atomic.answer, atomic.summary, SECRET in atomic.operations) == (None, None, False)
    assert OTHER in atomic.operations
    assert garden.store.violations() == []
    assert not purge(tools_of(garden), memory.id)


def test_no_byte_of_it_stays(tmp_path: Path) -> None:
    garden = make_garden(tmp_path)
    memory = kept(tools_of(garden), "The lighthouse keeper is called Ezekiel.")
    assert holding(tmp_path, "Ezekiel")
    assert purge(tools_of(garden), memory.id)
    garden.store.close()
    assert not holding(tmp_path, "Ezekiel")


def test_what_it_replaced_points_at_nothing(tmp_path: Path) -> None:
    def script(request: dict[str, Any]) -> dict[str, Any]:
        known = {one["handle"] for one in request["memories"]}
        if request["round"] != "atomic" or not known:
            return keep_all()(request)
        event = next(one for one in request["events"] if one["shown"])
        by = {"layer": "fact", "content": event["text"], "scope": "global"}
        proof = [{"event": event["handle"], "quote": event["text"]}]
        op = {"op": "supersede", "ids": sorted(known), "by": by, "reason": "new", "evidence": proof}
        return {"operations": [op]}

    garden = make_garden(tmp_path, model=ScriptedModel(script))
    say(garden.store, "w", OTHER, at=START - 2 * QUIET_MS)
    sweep(garden)
    say(garden.store, "w", "The staging port is 9090 today.", at=START - QUIET_MS)
    sweep(garden)
    old, new = garden.store.memories()
    assert old.superseded_by == new.id
    assert purge(tools_of(garden), new.id)
    [left] = garden.store.memories()
    assert (left.id, left.superseded_by, left.status) == (old.id, None, Status.ARCHIVED)
    assert garden.store.violations() == []
