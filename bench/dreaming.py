"""Our own time per dream beside the bare commits that it needs; the model answers at once."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from figures import Figure, hand_over, seconds

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.words import Ending
from memgardend.daemon.store.driver import Database
from memgardend.jobs.context import Garden
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.garden import START, ScriptedModel, make_garden

DREAMS = 30
TURNS = 20


def told(folder: Path) -> Garden:
    """Thirty conversations that are due."""
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock, model=ScriptedModel(keep_all()))
    for number in range(DREAMS):
        turns = [f"alpha{number}x{n} bravo{number}x{n} charlie{number}x{n}" for n in range(TURNS)]
        say(garden.store, f"w{number}", *turns, at=START - 9 * HOUR_MS)
    return garden


def dream(garden: Garden) -> None:
    """All of them."""
    endings = [one.ending for one in sweep(garden).dreams]
    assert endings == [Ending.APPLIED] * DREAMS


def count_commits(folder: Path) -> int:
    """How many write transactions the dreams of a store take."""
    counted = 0
    original = Database.write

    def counting(self: Database):  # type: ignore[no-untyped-def]
        nonlocal counted
        counted += 1
        return original(self)

    Database.write = counting  # type: ignore[method-assign]
    try:
        dream(told(folder))
    finally:
        Database.write = original  # type: ignore[method-assign]
    return counted


def bare_commits(folder: Path, number: int) -> None:
    """As many commits of one small row, with the same journal and the same care."""
    database = sqlite3.connect(folder / "bare.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = TRUNCATE")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, v TEXT)")
    for _ in range(number):
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO t (v) VALUES ('x')")
        database.execute("COMMIT")
    database.close()


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("count", "dream"):
            (folder / part).mkdir()
        commits = count_commits(folder / "count")
        garden = told(folder / "dream")
        ours = seconds(lambda: dream(garden), repeat=1)
        bare = seconds(lambda: bare_commits(folder, commits))
        hand_over(
            [
                Figure("time of a dream beside its bare commits", ours / bare, "×", 5),
                Figure("commits a dream", commits / DREAMS, "commits"),
                Figure("time of a dream", 1000 * ours / DREAMS, "ms"),
            ]
        )


if __name__ == "__main__":
    main()
