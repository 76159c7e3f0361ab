"""Our own time per dream beside the bare commits that it needs; the model answers at once."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from figures import Figure, hand_over, seconds, silence_logs

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL
from memgardend.core.words import Ending, Layer
from memgardend.daemon.store import rows
from memgardend.daemon.store.driver import Database
from memgardend.jobs.context import Garden
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.garden import START, ScriptedModel, make_garden

DREAMS = 30
TURNS = 20
MEMORIES = 10_000


def told(folder: Path, memories: int = 0) -> Garden:
    """Thirty conversations that are due, in a garden that remembers so much already."""
    folder.mkdir()
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock, model=ScriptedModel(keep_all()))
    for number in range(DREAMS):
        turns = [f"alpha{number}x{n} bravo{number}x{n} charlie{number}x{n}" for n in range(TURNS)]
        say(garden.store, f"w{number}", *turns, at=START - 9 * HOUR_MS)
    remember(folder, memories)
    return garden


def remember(folder: Path, number: int) -> None:
    """Put memories into a store that no dream has written."""
    database = sqlite3.connect(folder / ".memgarden" / "memory.db")
    database.executemany(
        rows.insert_sql("memories", rows.names(Memory)),
        (
            rows.to_row(
                Memory(
                    id=f"memory-{n}",
                    layer=Layer.FACT,
                    content=f"delta{n} echo{n % 97} foxtrot{n % 89}",
                    keywords=(f"echo{n % 97}",),
                    scope=GLOBAL,
                    created_at=START,
                    updated_at=START,
                    as_of=START,
                ),
                "garden",
            )
            for n in range(number)
        ),
    )
    database.commit()
    database.close()


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
    silence_logs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commits = count_commits(folder / "count")
        small, large = told(folder / "small"), told(folder / "large", MEMORIES)
        ours = seconds(lambda: dream(small), repeat=1)
        among_many = seconds(lambda: dream(large), repeat=1)
        bare = seconds(lambda: bare_commits(folder, commits))
        hand_over(
            [
                Figure("time of a dream beside its bare commits", ours / bare, "×", 5),
                Figure("commits a dream", commits / DREAMS, "commits"),
                Figure("time of a dream", 1000 * ours / DREAMS, "ms"),
                Figure("time of a dream among 10 000 memories", 1000 * among_many / DREAMS, "ms"),
            ]
        )


if __name__ == "__main__":
    main()
