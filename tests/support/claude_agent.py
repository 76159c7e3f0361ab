"""An agent that writes sessions as Claude Code does, and the ingest of them."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.core.records import Project
from memgardend.daemon.sources.claude_code import ClaudeCode
from memgardend.jobs.ingest import IngestSettings, ingest
from memgardend.jobs.ingest_report import IngestReport

HOUR = 3_600_000
KEY = b"k" * 32
SETTINGS = IngestSettings(max_age_ms=24 * HOUR, chunk_bytes=600)


class Agent:
    """Writes sessions as Claude Code does, at hours before the clock's start."""

    def __init__(self, root: Path, clock: ManualClock) -> None:
        self.root = root
        self.clock = clock
        self.start = clock.now_ms()

    def path(self, name: str, project: str = "p") -> Path:
        return self.root / project / f"{name}.jsonl"

    def say(
        self, name: str, *turns: str, ago: float = 0, cwd: str = "/srv/x", project: str = "p"
    ) -> None:
        """Append turns, each `id:text`; the file's time follows the last turn."""
        path = self.path(name, project)
        path.parent.mkdir(parents=True, exist_ok=True)
        at = self.start - int(ago * HOUR)
        with path.open("a") as stream:
            for turn in turns:
                uuid, _, text = turn.partition(":")
                record = {"type": "user", "uuid": uuid, "cwd": cwd, "timestamp": _iso(at)}
                stream.write(json.dumps(record | {"message": {"content": text}}) + "\n")
        os.utime(path, ns=(at * 1_000_000, at * 1_000_000))

    def ingest(self, store: Store, *, ours: str = "/srv/") -> IngestReport:
        return ingest(
            store,
            [ClaudeCode(self.root)],
            route=lambda window: (window.cwd or "").startswith(ours),
            clock=self.clock,
            settings=SETTINGS,
            key=KEY,
            resolve_project=_project,
        )


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat()


def _project(cwd: str | None) -> Project | None:
    return Project(id=f"id-{cwd}", name="x", root=cwd) if cwd else None


def texts(store: Store, name: str) -> list[str]:
    """What the store has of a session."""
    return [event.text for event in store.events(f"claude-code:{name}")]
