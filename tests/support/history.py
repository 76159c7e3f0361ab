"""A host that imports history in a test: its store, its model, and how it dies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from memgardend.core.editorial.importing.batch import ImportBatch
from memgardend.core.editorial.importing.request import ImportRequest
from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.mutations import Add

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


@dataclass
class Host:
    """Does what the library asks of a host: receipts by key, and the progress of the last time it was kept."""

    asked: ImportRequest
    model: Model
    dies: Callable[[str], bool] = lambda _place: False
    kept: str = ""
    stored: list[Mapping[str, Any]] = field(default_factory=list)
    receipts: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    calls: int = 0
    ids: Iterator[int] = field(default_factory=count)

    def run(self) -> dict[str, Any]:
        """Import until the end, or the first failure. Raises Died."""
        session = ImportSession(self.asked, json.loads(self.kept) if self.kept else None)
        self._keep(session)
        while (batch := session.next_batch(list(self.stored))) is not None:
            self._do(session, batch)
            self._die("before keeping")
            self._keep(session)
            if session.progress["failed"]:
                break
        return session.progress

    def _do(self, session: ImportSession, batch: ImportBatch) -> None:
        if batch.key in self.receipts:
            digest, ids = self.receipts[batch.key]
            assert digest == batch.request_digest
            session.commit_applied(batch, ids)
            return
        while batch.next_prompt is not None:
            self.calls += 1
            batch.feed(self.model(batch.next_prompt))
        outcome = batch.result
        assert outcome is not None
        if outcome.error is not None:
            session.fail(outcome)
            return
        self._die("before storing")
        ids = []
        for mutation in outcome.mutations:
            assert isinstance(mutation, Add)
            ids.append(f"m_{next(self.ids)}")
            self.stored.append({**mutation.card, "id": ids[-1]})
        if outcome.mutations:
            self.receipts[batch.key] = batch.request_digest, ids
        session.commit(outcome, ids)

    def _keep(self, session: ImportSession) -> None:
        self.kept = json.dumps(session.progress)

    def _die(self, place: str) -> None:
        if self.dies(place):
            raise Died(place)
