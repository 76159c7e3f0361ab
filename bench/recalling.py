"""Recall among a thousand and a hundred thousand memories, beside a scan, a bare FTS5 query and bm25s."""

from __future__ import annotations

import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from dreaming import store_file, text
from figures import Figure, hand_over, silence_logs

from memgardend.core.clock import DAY_MS, ManualClock
from memgardend.core.ranking import bm25, memory_text
from memgardend.core.recall.lookups import SearchRequest
from memgardend.core.recall.requests import RecallContext, Turn
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL
from memgardend.core.tokens import query_tokens, tokenize
from memgardend.core.words import Layer
from memgardend.daemon.store import rows
from memgardend.jobs import recall
from support.garden import START, make_garden
from support.recalling import context

IN_MEMORY = Path("/dev/shm")  # where it is there, the disk's moods are not measured
SIZES = (1_000, 10_000, 100_000)
QUERIES = 40
REPEAT = 3
KEYWORDS = slice(2, 10)
ALIKE = slice(2, 6)  # so many words of a message are those of a memory
OWN_WORDS = 6  # and so many are not
BEST = 10
YEAR_MS = 365 * DAY_MS
BLOCK_LAYERS = dict(enumerate((Layer.SOUL, Layer.USER, Layer.RULES) * 5))  # of a hundred, five each
OTHERS = 10_000_000  # texts from this number on are in no memory


def remembered(number: int) -> Memory:
    """A memory of some thirty words, those of a high rank far more rarely than those of a low one."""
    words = text(number).split()
    return Memory(
        id=f"memory-{number}",
        layer=BLOCK_LAYERS.get(number % 100, Layer.FACT),
        importance=2 + number % 3,
        title=" ".join(words[:3]),
        content=f"{text(number)} {text(OTHERS + number)}",
        keywords=tuple(words[KEYWORDS]),
        scope=GLOBAL,
        created_at=START,
        updated_at=START,
        as_of=START - number * 60_000 % YEAR_MS,
    )


def asked(memories: int) -> list[str]:
    """Messages that speak of a memory, among other things."""
    chosen = random.Random(1)
    return [
        " ".join(
            text(chosen.randrange(memories)).split()[ALIKE]
            + text(2 * OTHERS + number).split()[:OWN_WORDS]
        )
        for number in range(QUERIES)
    ]


def filled(folder: Path, memories: int) -> RecallContext:
    """Recall on a store in a file that remembers so much."""
    folder.mkdir()
    garden = make_garden(folder, clock=ManualClock(START))
    database = sqlite3.connect(store_file(folder))
    database.executemany(
        rows.insert_sql("memories", rows.names(Memory)),
        (rows.to_row(remembered(number), "garden") for number in range(memories)),
    )
    database.commit()
    database.close()
    garden.store.keep_index("en")
    return context(garden.store)


def milliseconds(work: Callable[[str], object], queries: Sequence[str]) -> float:
    """The mean over all queries of the fastest of a few runs."""
    return statistics.mean(
        min(_once(partial(work, query)) for _ in range(REPEAT)) for query in queries
    )


def _once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def messages(recalling: RecallContext, queries: Sequence[str]) -> float:
    """Hits as an agent's hook asks for them: the second message of a window, its marks written and all."""
    times = []
    for number, query in enumerate(queries * REPEAT):
        turn = Turn(window=f"event:{number}", at=START, text=query)
        recall.message(recalling, turn)
        times.append(_once(partial(recall.message, recalling, turn)))
    return statistics.mean(min(times[number::QUERIES]) for number in range(QUERIES))


def first_turns(recalling: RecallContext) -> float:
    """The block of a window's start."""
    return min(
        _once(partial(recall.begin, recalling, Turn(window=f"event:b{number}", at=START)))
        for number in range(QUERIES)
    )


def searches(recalling: RecallContext, queries: Sequence[str]) -> float:
    """A search by an agent whose window nothing is noted of."""
    return milliseconds(
        lambda query: recall.search(recalling, SearchRequest(query=query, at=START)), queries
    )


def scans(recalling: RecallContext, queries: Sequence[str]) -> float:
    """Read and score every memory, as a store without an index does."""
    store = recalling.store

    def scan(query: str) -> None:
        documents = [tokenize(memory_text(one), "en") for one in store.memories()]  # type: ignore[call-arg]
        bm25(query_tokens(query, "en"), documents)

    return _once(partial(scan, queries[0]))


def fts5(folder: Path, memories: int, queries: Sequence[str], *, cues: bool) -> float:
    """Ten best of FTS5, without any filter, over the same texts and in a file as well."""
    database = sqlite3.connect(folder / f"fts-{cues}.db")
    database.execute(
        "CREATE VIRTUAL TABLE f USING fts5(t, content='', tokenize='porter unicode61')"
    )
    database.executemany(
        "INSERT INTO f(rowid, t) VALUES (?, ?)",
        ((number, _searched(remembered(number), cues)) for number in range(memories)),
    )
    database.commit()

    def ask(query: str) -> None:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(query.split()))
        database.execute(
            "SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT ?", (match, BEST)
        ).fetchall()

    return milliseconds(ask, queries)


def bm25s(memories: int, queries: Sequence[str]) -> float:
    """Ten best of bm25s, its index in memory."""
    library = import_module("bm25s")
    index = library.BM25()
    texts = [_searched(remembered(number), cues=False) for number in range(memories)]
    index.index(library.tokenize(texts, show_progress=False), show_progress=False)

    def ask(query: str) -> None:
        tokens = library.tokenize([query], show_progress=False)
        index.retrieve(tokens, k=BEST, show_progress=False)

    return milliseconds(ask, queries)


def _searched(memory: Memory, cues: bool) -> str:
    return f"{memory.title} {' '.join(memory.keywords)}" if cues else memory_text(memory)


def measured(folder: Path, memories: int) -> dict[str, float]:
    """All of it at one size, in milliseconds."""
    recalling, queries = filled(folder, memories), asked(memories)
    times = {
        "message": messages(recalling, queries),
        "search": searches(recalling, queries),
        "block": first_turns(recalling),
        "fts5 of cues": fts5(folder, memories, queries, cues=True),
        "fts5": fts5(folder, memories, queries, cues=False),
        "scan": scans(recalling, queries),
    }
    if find_spec("bm25s"):
        times["bm25s"] = bm25s(memories, queries)
    return times


def main() -> None:
    """Measure."""
    silence_logs()
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.exists() else None) as name:
        small, middle, large = (measured(Path(name) / str(size), size) for size in SIZES)
    hand_over(
        [
            Figure(
                "recall at a message among 100 000 beside 1 000",
                large["message"] / small["message"],
                limit=3,
            ),
            Figure(
                "the same beside a bare FTS5 query of titles and keywords",
                large["message"] / large["fts5 of cues"],
                limit=2,
            ),
            Figure(
                "a scan of 100 000 beside it",
                large["scan"] / large["message"],
                limit=100,
                at_most=False,
            ),
            Figure(
                "a search among 100 000 beside a bare FTS5 query",
                large["search"] / large["fts5"],
                limit=2,
            ),
            Figure("a search among 100 000 beside 1 000", large["search"] / small["search"]),
            Figure(
                "first-turn block among 100 000 beside 1 000",
                large["block"] / small["block"],
                limit=1.5,
            ),
            *(
                Figure(f"{what}, {size:,} memories".replace(",", " "), times[what], "ms")
                for what in large
                for size, times in zip(SIZES, (small, middle, large), strict=True)
            ),
        ]
    )


if __name__ == "__main__":
    main()
