"""Each fault harness can fail: a program with one promise taken out must be caught by it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.checks import age
from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.records import IngestBatch, NewEvent, Window
from memgardend.core.words import Ending, Role
from memgardend.daemon.failpoints import FailpointError, SetFailpoint
from memgardend.daemon.store import ingest, leases
from memgardend.daemon.store.driver import Database, Transaction
from memgardend.daemon.store.sqlite import SqliteGarden
from memgardend.jobs.dream import run_dream
from memgardend.jobs.heal import heal
from memgardend.jobs.start import claim, judge_window
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say, window_id
from support.garden import START, ScriptedModel, make_garden
from support.story import CountedModel, told

Patch = pytest.MonkeyPatch


def torn_commit(folder: Path) -> str | None:
    """A commit that fails half-way must leave nothing."""
    garden = make_garden(folder, model=ScriptedModel(keep_all()))
    told(garden)
    garden.store.close()
    points = SetFailpoint("commit.inside", 1, "raise")
    torn = make_garden(folder, model=ScriptedModel(keep_all()), failpoints=points)
    with pytest.raises(FailpointError):
        sweep(torn)
    left = len(torn.store.memories())
    return f"{left} memories of a commit that failed" if left else None


def stale_owner(folder: Path) -> str | None:
    """An owner that wakes after its lease must not write, while the next owner is at work."""
    clock = ManualClock(START)
    points = SetFailpoint("round.topic.asked", 1, "raise")
    next_one = make_garden(folder, clock=clock, name="next", failpoints=points)

    def overtaken(request: dict[str, Any]) -> dict[str, Any]:
        if request["round"] == "topic":
            clock.advance(3 * MINUTE_MS)
            heal(next_one)
            with pytest.raises(FailpointError):  # stands for: still at work, its model asked
                run_dream(next_one, dream)
        return keep_all()(request)

    slow = make_garden(folder, clock=clock, name="slow", model=ScriptedModel(overtaken))
    told(slow)
    facts = slow.store.window_facts()[0]
    dream = claim(slow, facts, judge_window(slow, facts)) or ""
    ending = run_dream(slow, dream).ending
    written = len(slow.store.memories())
    sound = ending is Ending.FENCED and not written
    return None if sound else f"a stale owner ended as {ending} with {written} memories"


def orphan(folder: Path) -> str | None:
    """A dream whose worker died must be done by the next, all of it."""
    folder.joinpath("ledger").touch()
    clock = ManualClock(START)
    model = CountedModel(folder / "ledger")
    points = SetFailpoint("round.atomic.staged", 1, "raise")
    dying = make_garden(folder, clock=clock, model=model, failpoints=points, name="dead")
    told(dying)
    with pytest.raises(FailpointError):
        sweep(dying)
    next_one = make_garden(folder, clock=clock, model=model, is_gone=lambda who: who.host == "dead")
    for _ in range(3):
        heal(next_one)
        sweep(next_one)
        clock.advance(HOUR_MS)
    kept, facts = next_one.store.memories(), next_one.store.window_facts()[0]
    if facts.window.dreamed_seq != facts.window.last_seq:
        return "the dream was lost"
    return None if len(kept) == 4 else f"{len(kept)} of 4 memories: the rest of the dream was lost"


def late_old_news(folder: Path) -> str | None:
    """What was said earlier, and dreamed later, must not replace what is known."""
    garden = make_garden(folder, model=ScriptedModel(replacing))
    say(garden.store, "new", "The staging port is 9090.", at=START - 4 * HOUR_MS)
    sweep(garden)
    say(garden.store, "old", "The staging port is 8080.", at=START - 9 * HOUR_MS)
    sweep(garden)
    active = [one.content for one in garden.store.memories() if one.status == "active"]
    return None if active == ["The staging port is 9090."] else f"active: {active}"


def replacing(request: dict[str, Any]) -> dict[str, Any]:
    shown = [m["handle"] for m in request["memories"] if "staging port" in m["content"]]
    if request["round"] != "atomic" or not shown:
        return keep_all()(request)
    event = next(e for e in request["events"] if e["shown"])
    return {
        "operations": [
            {
                "op": "supersede",
                "ids": shown,
                "by": {"layer": "fact", "content": event["text"], "scope": "global"},
                "reason": "moved",
                "evidence": [{"event": event["handle"], "quote": event["text"]}],
            }
        ]
    }


def copied_conversation(folder: Path) -> str | None:
    """A conversation that was copied by resume or fork must not be dreamed again."""
    model = ScriptedModel(keep_all())
    garden = make_garden(folder, model=model)
    told(garden)
    sweep(garden)
    calls = len(model.calls)
    original = garden.store.events(window_id("w"))
    copy = {event.native_id: event.text for event in original}

    garden.store.ingest(
        IngestBatch(
            window=Window(id="event:fork", source="event", native_id="fork"),
            events=tuple(
                NewEvent(native_id=native, at=START - 4 * HOUR_MS, role=Role.HUMAN, text=text)
                for native, text in copy.items()
            ),
            received_at=START,
        )
    )
    for _ in range(10):
        sweep(garden)
    more = len(model.calls) - calls
    return f"{more} calls for a copy" if more else None


def everywhere(patch: Patch, original: object, replacement: object) -> None:
    """Put the replacement wherever a module of ours holds the original."""
    for module in [one for name, one in sys.modules.items() if name.startswith("memgardend.")]:
        for name, value in list(vars(module).items()):
            if value is original:
                patch.setattr(module, name, replacement)


def without_transaction(patch: Patch) -> None:
    @contextmanager
    def write(self: Database) -> Iterator[Transaction]:
        yield Transaction(self._connection, self._rows)

    patch.setattr(Database, "write", write)
    patch.setattr(Transaction, "_guard", lambda self: nullcontext())


def without_fence(patch: Patch) -> None:
    def unfenced(
        transaction: Transaction, garden: str, lease: Any, assignments: str, values: Any
    ) -> None:
        transaction.execute(
            f"UPDATE dreams SET {assignments} WHERE garden = :garden AND id = :id",
            {**values, "garden": garden, "id": lease.dream},
        )

    everywhere(patch, leases.fenced, unfenced)
    everywhere(patch, leases.hold, lambda *_: None)


def without_heal(patch: Patch) -> None:
    patch.setattr(SqliteGarden, "heal", lambda self, *rest: [])


def heal_that_marks_done(patch: Patch) -> None:
    def done(self: SqliteGarden, now: int, *rest: object) -> list[Any]:
        with self._database.write() as transaction:
            transaction.execute(
                """UPDATE windows SET dreamed_seq = last_seq WHERE id IN
                (SELECT window FROM dreams WHERE state = 'running')"""
            )
            transaction.execute(
                """UPDATE dreams SET state = 'applied', owner = NULL, lease_until = NULL,
                finished_at = :now WHERE state = 'running'""",
                {"now": now},
            )
        return []

    patch.setattr(SqliteGarden, "heal", done)


def without_age_check(patch: Patch) -> None:
    everywhere(patch, age.check_age, lambda known_at, targets: None)


def replays_as_news(patch: Patch) -> None:
    patch.setattr(ingest, "_KNOWN_ELSEWHERE", "SELECT '' AS native_id, '' AS text WHERE 0")


HARNESSES: dict[str, tuple[Callable[[Path], str | None], Callable[[Patch], None]]] = {
    "no transaction": (torn_commit, without_transaction),
    "no fence": (stale_owner, without_fence),
    "no heal": (orphan, without_heal),
    "heal that marks done": (orphan, heal_that_marks_done),
    "no age check": (late_old_news, without_age_check),
    "replays as news": (copied_conversation, replays_as_news),
}


@pytest.mark.parametrize("mutant", HARNESSES)
def test_the_program_passes_and_its_mutant_is_caught(
    mutant: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    harness, mutate = HARNESSES[mutant]
    sound, sick = tmp_path / "sound", tmp_path / "sick"
    sound.mkdir()
    sick.mkdir()
    assert harness(sound) is None
    mutate(monkeypatch)
    assert harness(sick) is not None
