"""Ingest beside merely parsing the same lines as JSON; memory; and a second look at unchanged files."""

from __future__ import annotations

import json
import random
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, hand_over, peak_mib, seconds

from memgardend.core.clock import DAY_MS, Clock, SystemClock
from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.daemon.store import open_store
from memgardend.jobs.ingest import IngestReport, IngestSettings, ingest

MEGABYTE = 1_000_000
TOTAL_BYTES = 100 * MEGABYTE
FILES = 40
WORDS = [f"w{n:04x}" for n in range(2_000)]


def text(chance: random.Random, words: int) -> str:
    """Prose of so many words, in lines."""
    chosen = chance.choices(WORDS, k=words)
    return "\n".join(" ".join(chosen[at : at + 14]) for at in range(0, words, 14))


def turn(chance: random.Random, session: str) -> Iterator[dict[str, object]]:
    """A request, a tool call, its result, and an answer, in the sizes that agents write."""
    stamp = {"sessionId": session, "cwd": "/srv/app", "timestamp": "2026-11-30T10:00:00.000Z"}
    tool = str(uuid.UUID(int=chance.getrandbits(128)))
    blocks: list[tuple[str, object]] = [
        ("user", text(chance, chance.randint(5, 60))),
        (
            "assistant",
            [
                {
                    "type": "tool_use",
                    "id": tool,
                    "name": "Read",
                    "input": {"file_path": "src/app.py"},
                }
            ],
        ),
        (
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": tool,
                    "content": text(chance, chance.randint(50, 2_500)),
                }
            ],
        ),
        ("assistant", [{"type": "text", "text": text(chance, chance.randint(20, 400))}]),
    ]
    for role, content in blocks:
        yield {
            "type": role,
            "uuid": str(uuid.UUID(int=chance.getrandbits(128))),
            "isSidechain": False,
            "message": {"role": role, "content": content},
            **stamp,
        }


def write_transcripts(
    folder: Path, total_bytes: int = TOTAL_BYTES, files_count: int = FILES
) -> list[Path]:
    """Files of one conversation each, so many bytes together."""
    chance = random.Random(7)
    files = []
    for _ in range(files_count):
        session = str(uuid.UUID(int=chance.getrandbits(128)))
        file = folder / "p" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8") as stream:
            while stream.tell() < total_bytes / files_count:
                for record in turn(chance, session):
                    stream.write(f"{json.dumps(record)}\n")
        files.append(file)
    return files


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
        folder, database = Path(name) / "agent", Path(name) / "store" / "memory.db"
        files = write_transcripts(folder)
        reports: list[IngestReport] = []
        took = seconds(lambda: reports.append(read_all(folder, database)), repeat=1)
        memory_mib = peak_mib()
        again = seconds(lambda: reports.append(read_all(folder, database)))
        parsing = seconds(lambda: parse(files))
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
