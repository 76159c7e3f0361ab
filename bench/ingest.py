"""Ingest beside merely parsing the same lines as JSON; memory; and a second look at unchanged files."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from figures import Figure, hand_over, peak_mib, seconds
from transcripts import MEGABYTE, write_transcripts

from memgardend.core.clock import DAY_MS, Clock, SystemClock
from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.store import open_store
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import IngestReport

TOTAL_BYTES = 100 * MEGABYTE
FILES = 40


def parse(files: list[Path]) -> int:
    """What any reader must at least do."""
    count = 0
    for file in files:
        with file.open("rb") as stream:
            for line in stream:
                json.loads(line)
                count += 1
    return count


def read_into(store: Store, folder: Path, clock: Clock) -> IngestReport:
    """Ingest as `memgardend ingest` does it."""
    return ingest(
        store,
        [ClaudeCode(folder)],
        route=lambda window: True,
        clock=clock,
        settings=IngestSettings(max_age_ms=10_000 * DAY_MS),
        key=b"k" * 32,
        resolve_project=lambda cwd, **more: None,
    )


def read_all(folder: Path, database: Path) -> IngestReport:
    """One ingest, with opening and closing the store."""
    clock = SystemClock()
    store = open_store(database, "workspace", clock=clock, failpoints=NoFailpoints(), create=True)
    try:
        return read_into(store, folder, clock)
    finally:
        store.close()


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "agent"
        files = write_transcripts(folder, TOTAL_BYTES, FILES)
        stores = [Path(name) / str(number) / "memory.db" for number in range(5)]
        reports: list[IngestReport] = []
        fresh = iter(stores)
        took = seconds(lambda: reports.append(read_all(folder, next(fresh))))
        computed = seconds(lambda: read_all(folder, next(fresh)), 2, time.process_time)
        memory_mib = peak_mib()
        again = seconds(lambda: reports.append(read_all(folder, stores[0])))
        parsing = seconds(lambda: parse(files))
        parsing_computed = seconds(lambda: parse(files), clock=time.process_time)
        size = sum(file.stat().st_size for file in files)
        assert reports[0].events > 0
        assert reports[-1].events == 0
        hand_over(
            [
                Figure(
                    "speed of ingest beside json.loads of the same lines",
                    parsing / took,
                    "×",
                    0.25,
                    False,
                ),
                Figure("the same in processor time", parsing_computed / computed),
                Figure("peak memory of the process", memory_mib, "MiB", 128),
                Figure(
                    "second ingest of unchanged files: how much faster",
                    took / again,
                    "×",
                    100,
                    False,
                ),
                Figure("megabytes a second", size / MEGABYTE / took, "MB/s"),
            ]
        )


if __name__ == "__main__":
    main()
