"""One short conversation, a model that dreams it, and what must come of it whatever happens between."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from memgardend.core.clock import HOUR_MS
from memgardend.core.records import Memory
from memgardend.jobs.context import Garden
from support.conversation import keep_all, say
from support.garden import START, Answer, ScriptedModel, nothing

LINES = [
    "The staging server listens on port 8080.",
    "Always run the linter before a commit.",
    "We chose SQLite because one file is easy to back up.",
]


def story(request: dict[str, Any]) -> Answer:
    """Facts in the atomic round, one topic in the topic round, nothing to condense."""
    if request["round"] == "atomic":
        return keep_all()(request)
    if request["round"] != "topic":
        return nothing(request)
    first = next(e for e in request["events"] if e["shown"] and e["role"] == "human")
    return {
        "operations": [
            {
                "op": "remember",
                "layer": "topic",
                "title": "Setting up",
                "goal": "A project that is set up",
                "content": first["text"],
                "scope": "global",
                "evidence": [{"event": first["handle"], "quote": first["text"]}],
            }
        ]
    }


class CountedModel(ScriptedModel):
    """Writes down each answered call in a file that outlives the process."""

    def __init__(self, ledger: Path) -> None:
        super().__init__(self._counted)
        self.ledger = ledger

    def _counted(self, request: dict[str, Any]) -> Answer:
        with self.ledger.open("a", encoding="utf-8") as stream:
            stream.write(f"{request['round']}\n")
        return story(request)

    def counted(self) -> Counter[str]:
        return Counter(self.ledger.read_text("utf-8").split())


def told(garden: Garden) -> None:
    """A conversation that went quiet four hours ago."""
    say(garden.store, "w", *LINES, at=START - 4 * HOUR_MS)


def essence(memory: Memory) -> tuple[object, ...]:
    """What a memory says, without ids and the times of the run."""
    return (
        memory.layer,
        memory.title,
        memory.content,
        memory.keywords,
        memory.importance,
        memory.status,
        memory.scope,
        memory.goal,
        memory.as_of,
        memory.revision,
    )


def outcome(garden: Garden) -> dict[str, Any]:
    """All that must be equal after an unbroken run and after a killed one."""
    memories = garden.store.memories()
    names = {memory.id: memory.content for memory in memories}
    return {
        "memories": sorted(map(essence, memories), key=str),
        "evidence": sorted(
            (names[one.memory], one.event, one.start, one.end, one.role, one.quote, one.hash)
            for one in garden.store.evidence(names)
        ),
        "watermarks": [one.window.dreamed_seq for one in garden.store.window_facts()],
        "dreams": [one.state for one in garden.store.dreams()],
        "violations": list(garden.store.violations()),
    }
