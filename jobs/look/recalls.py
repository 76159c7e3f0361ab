"""`logs --recalls`: what each question called up, and why the rest was left out. No content in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.observability import query_fingerprint
from memgardend.jobs.look.find import ShortIds, ShortWindows, find_memory, find_window
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Recall

RECALLED, NOT_NAMED = "recalled", "not_named"
"""Verdicts on one memory, beside the reasons that records give; a record names only some of those left out."""


def recalls_document(
    store: Store,
    *,
    window: str | None = None,
    memory: str | None = None,
    query: str | None = None,
    since: int | None = None,
    limit: int = 0,
) -> dict[str, Any]:
    """The last `limit` selections (0 = all), oldest first, of one window or of all.

    `query`: only those where exactly this was asked. `memory`: each says what became of it. Raises UsageError
    for a window or memory that there is not.
    """
    wanted = None if memory is None else find_memory(store, memory)
    asked = None if query is None else query_fingerprint(query)
    found = [
        one
        for one in _recalls(store, window)
        if (since is None or one.at >= since)
        and (asked is None or one.record.get("query_fingerprint") == asked)
    ]
    chosen = found[:limit] if limit else found
    names = _Names(store)
    return {
        "schema": SCHEMA,
        "memory": wanted,
        "recalls": [names.row(one, wanted) for one in reversed(chosen)],
    }


def _recalls(store: Store, window: str | None) -> Sequence[Recall]:
    """Of a window that was not read yet, too, by its whole id: hooks fire before."""
    if window is None:
        return store.recalls()
    return store.recalls(window) or store.recalls(find_window(store, window))


class _Names:
    def __init__(self, store: Store) -> None:
        self._memories = ShortIds(store.find_memories)
        self._windows = ShortWindows(store)

    def row(self, recall: Recall, memory: str | None) -> dict[str, Any]:
        record = recall.record
        recalled = list(record.get("injected_ids", []))
        left_out = {one["id"]: one["reason"] for one in record.get("rejected", [])}
        return {
            "window": recall.window or None,
            "window_short": self._windows.of(recall.window) if recall.window else None,
            "at": instant(recall.at),
            "mode": record.get("mode"),
            "rules": record.get("rules"),
            "query_fingerprint": record.get("query_fingerprint", ""),
            "query_empty": bool(record.get("query_empty")),
            "counts": dict(record.get("counts", {})),
            "recalled": [self._memory(one) for one in recalled],
            "rejected_reasons": dict(record.get("rejected_reasons", {})),
            "rejected": [{**self._memory(one), "reason": why} for one, why in left_out.items()],
            "verdict": None if memory is None else _verdict(memory, recalled, left_out),
            "dur_ms": record.get("dur_ms"),
        }

    def _memory(self, memory_id: str) -> dict[str, str]:
        return {"id": memory_id, "short": self._memories.of(memory_id)}


def _verdict(memory: str, recalled: list[str], left_out: Mapping[str, str]) -> str:
    return RECALLED if memory in recalled else left_out.get(memory, NOT_NAMED)
