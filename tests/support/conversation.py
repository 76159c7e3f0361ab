"""Conversations put straight into a store, and the answers of scripted models about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memgardend.core.ports import Store
from memgardend.core.records import IngestBatch, IngestResult, NewEvent, Window
from memgardend.core.words import Role

SOURCE = "event"


def window_id(name: str) -> str:
    """The id of the window of this native name."""
    return f"{SOURCE}:{name}"


def say(
    store: Store,
    window: str,
    *texts: str,
    at: int,
    role: Role = Role.HUMAN,
    received_at: int | None = None,
    first_id: int | None = None,
) -> IngestResult:
    """Add turns to a window, a second apart, ending at `at`."""
    known = store.window(window_id(window))
    first = (known.last_seq if known else 0) + 1 if first_id is None else first_id
    events = tuple(
        NewEvent(
            native_id=f"{window}-{first + number}",
            at=at - (len(texts) - 1 - number) * 1000,
            role=role,
            text=text,
        )
        for number, text in enumerate(texts)
    )
    seed = Window(id=window_id(window), source=SOURCE, native_id=window)
    return store.ingest(
        IngestBatch(window=seed, events=events, received_at=received_at or max(at, 0))
    )


def keep_all(layer: str = "fact", **fields: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A model that remembers each new human turn, word for word, in the atomic round."""

    def script(request: dict[str, Any]) -> dict[str, Any]:
        operations = []
        if request["round"] == "atomic":
            operations = [
                {
                    "op": "remember",
                    "layer": layer,
                    "content": event["text"],
                    "scope": "global",
                    "keywords": ["kept"],
                    "importance": 2,
                    "evidence": [{"event": event["handle"], "quote": event["text"]}],
                    **fields,
                }
                for event in request["events"]
                if event["shown"] and event["role"] == "human"
            ]
        return {"operations": operations, "questions": [], "summary": "kept all"}

    return script
