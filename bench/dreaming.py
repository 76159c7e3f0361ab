"""Our own time per dream beside the bare commits that it needs; the model answers at once."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate, islice, product
from pathlib import Path

from figures import Figure, hand_over, seconds, silence_logs

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.likeness import forget_readings
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL
from memgardend.core.words import Ending, Layer
from memgardend.daemon.store import rows
from memgardend.daemon.store.driver import Database, Transaction
from memgardend.jobs.context import Garden
from memgardend.jobs.sweep import sweep
from support.conversation import keep_all, say
from support.garden import START, ScriptedModel, make_garden

DREAMS = 30
TURNS = 20
FEW, MANY = 100, 10_000
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
WORDS = ["".join(word) for word in islice(product(SYLLABLES, repeat=3), 30_000)]
WEIGHTS = list(accumulate(1 / (rank + 10) for rank in range(len(WORDS))))
TEXT_WORDS = 12

Written = list[list[tuple[str, list[Mapping[str, object]]]]]
"""The statements of write transactions with the rows that each was run for."""


def text(number: int) -> str:
    """Twelve words, those of a high rank far more rarely than those of a low one (Zipf 1949)."""
    drawn = random.Random(number).choices(WORDS, cum_weights=WEIGHTS, k=TEXT_WORDS)
    return " ".join(drawn)


def told(folder: Path, memories: int = 0) -> Garden:
    """Thirty conversations that are due, in a garden that remembers so much already."""
    folder.mkdir()
    clock = ManualClock(START)
    garden = make_garden(folder, clock=clock, model=ScriptedModel(keep_all()))
    for number in range(DREAMS):
        turns = [f"alpha{number}x{n} {text(number * TURNS + n + MANY)}" for n in range(TURNS)]
        say(garden.store, f"w{number}", *turns, at=START - 9 * HOUR_MS)
    remember(folder, memories)
    garden.store.keep_index("en")
    return garden


def remember(folder: Path, number: int) -> None:
    """Put memories into a store that no dream has written."""
    database = sqlite3.connect(store_file(folder))
    database.executemany(
        rows.insert_sql("memories", rows.names(Memory)),
        (
            rows.to_row(
                Memory(
                    id=f"memory-{n}",
                    layer=Layer.FACT,
                    content=text(n),
                    keywords=(WORDS[n % len(WORDS)],),
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


def store_file(folder: Path) -> Path:
    return folder / ".memgarden" / "memory.db"


def dream(garden: Garden) -> None:
    """All of them, of texts that nobody has read before."""
    forget_readings()
    endings = [one.ending for one in sweep(garden).dreams]
    assert endings == [Ending.APPLIED] * DREAMS


@contextmanager
def recorded() -> Iterator[Written]:
    """What is written meanwhile, transaction by transaction."""
    written: Written = []
    write, kept = Database.write, {n: getattr(Transaction, n) for n in ("execute", "read")}
    many = Transaction.execute_many

    def begun(self: Database):  # type: ignore[no-untyped-def]
        written.append([])
        return write(self)

    def keeping(name: str):  # type: ignore[no-untyped-def]
        def run(self: Transaction, sql: str, params: Mapping[str, object] | None = None) -> object:
            if not sql.lstrip().startswith("SELECT"):
                written[-1].append((sql, [params or {}]))
            return kept[name](self, sql, params)

        return run

    def keeping_many(self: Transaction, sql: str, params: Iterable[Mapping[str, object]]) -> None:
        written[-1].append((sql, list(params)))
        many(self, sql, written[-1][-1][1])

    Database.write = begun  # type: ignore[method-assign]
    Transaction.execute, Transaction.read = keeping("execute"), keeping("read")  # type: ignore[method-assign]
    Transaction.execute_many = keeping_many  # type: ignore[method-assign]
    try:
        yield written
    finally:
        Database.write = write  # type: ignore[method-assign]
        Transaction.execute, Transaction.read = kept["execute"], kept["read"]  # type: ignore[method-assign]
        Transaction.execute_many = many  # type: ignore[method-assign]


def bare_commits(file: Path, written: Written) -> None:
    """The same rows in as many commits, with the same journal and the same care, by SQLite alone."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = TRUNCATE")
    database.execute("PRAGMA synchronous = FULL")
    for statements in written:
        database.execute("BEGIN IMMEDIATE")
        for sql, params in statements:
            for row in params:
                database.execute(sql, row).fetchall()
        database.execute("COMMIT")
    database.close()


def one_row_each(number: int) -> Written:
    """As many commits of one small row."""
    return [[("INSERT INTO small (v) VALUES ('x')", [{}])] for _ in range(number)]


def fastest_of_copies(folder: Path, original: Path, written: Written) -> float:
    """The bare commits over a fresh copy of the store each time."""
    copies = [shutil.copy(original, folder / f"copy-{number}.db") for number in range(3)]
    return min(seconds(lambda one=copy: bare_commits(Path(one), written), 1) for copy in copies)  # type: ignore[misc]


def fastest_dream(folder: Path, memories: int) -> float:
    """The same dreams in a garden of their own each time."""
    gardens = [told(folder / f"of-{memories}-{number}", memories) for number in range(3)]
    return min(seconds(lambda one=garden: dream(one), 1) for garden in gardens)  # type: ignore[misc]


def main() -> None:
    """Measure."""
    silence_logs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rehearsal = told(folder / "count")
        before = shutil.copy(store_file(folder / "count"), folder / "before.db")
        with recorded() as written:
            dream(rehearsal)
        ours, among_few, among_many = (
            fastest_dream(folder, memories) for memories in (0, FEW, MANY)
        )
        same_rows = fastest_of_copies(folder, Path(before), written)
        small = folder / "small.db"
        sqlite3.connect(small).execute("CREATE TABLE small (id INTEGER PRIMARY KEY, v TEXT)")
        one_row = seconds(lambda: bare_commits(small, one_row_each(len(written))))
        hand_over(
            [
                Figure(
                    "time of a dream beside bare commits of the same rows", ours / same_rows, "×", 5
                ),
                Figure("the same beside as many commits of one small row", ours / one_row, "×", 5),
                Figure(
                    "a dream among 10 000 memories beside among 100",
                    among_many / among_few,
                    "×",
                    2,
                ),
                Figure("commits a dream", len(written) / DREAMS, "commits"),
                Figure("time of a dream", 1000 * ours / DREAMS, "ms"),
                Figure("time of a dream among 10 000 memories", 1000 * among_many / DREAMS, "ms"),
            ]
        )


if __name__ == "__main__":
    main()
