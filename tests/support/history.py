"""A host that imports history in a test: its store, its model, and how it dies."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.asking import drive
from memgardend.core.editorial.importing.request import ImportRequest
from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.importing.stored import StoredImport
from memgardend.core.editorial.memory_store import InMemoryStore

TENANT = "mei"
Model = Callable[[str], str]


def cards(*summaries: str, **fields: Any) -> str:
    """A reply with one new card for each summary."""
    rows = [
        {"action": "add", "summary": one, "content": f"{one}, as was told.", "bucket": "", **fields}
        for one in summaries
    ]
    return json.dumps({"cards": rows}, ensure_ascii=False)


def notes(*summaries: str, **fields: Any) -> str:
    """A reply with one note for each summary."""
    rows = [{"about": "person", "summary": one, "evidence": "told", **fields} for one in summaries]
    return json.dumps({"candidates": rows}, ensure_ascii=False)


def material_of(prompt: str) -> str:
    """What of a prompt is to be judged."""
    return prompt.rpartition("to be judged\n")[2].partition("\n===")[0]


def request(material: str, **fields: Any) -> ImportRequest:
    """The import of a text into an English garden."""
    return ImportRequest(**{"locale": "en", "material": material, "batch_chars": 200, **fields})


class Died(Exception):  # noqa: N818 - no error, a death
    """The process of the host ended here."""


def _store() -> InMemoryStore:
    numbers = count()
    return InMemoryStore(
        clock=ManualClock(1_700_000_000_000), new_id=lambda: f"m_{next(numbers):04}"
    )


@dataclass
class Host:
    """What the library asks of a host: a store with receipts, and the progress as it was kept last."""

    asked: ImportRequest
    model: Model
    dies: Callable[[str], bool] = lambda _place: False
    kept: str = ""
    calls: int = 0
    store: InMemoryStore = field(default_factory=_store)

    @property
    def stored(self) -> list[dict[str, Any]]:
        """The active cards."""
        return self.store.load(TENANT).cards

    def run(self) -> dict[str, Any]:
        """Import until the end, or the first failure. Raises Died."""
        session = ImportSession(self.asked, json.loads(self.kept) if self.kept else None)
        stored = StoredImport(session, self.store, tenant=TENANT)
        self._keep(session)
        while (batch := stored.begin()) is not None:
            drive(batch, self._ask)
            self._die("before storing")
            stored.settle(batch)
            self._die("before keeping")
            self._keep(session)
            if session.progress["failed"]:
                break
        self._keep(session)
        return session.progress

    def _ask(self, prompt: str) -> str:
        self.calls += 1
        return self.model(prompt)

    def _keep(self, session: ImportSession) -> None:
        self.kept = json.dumps(session.progress)

    def _die(self, place: str) -> None:
        if self.dies(place):
            raise Died(place)
