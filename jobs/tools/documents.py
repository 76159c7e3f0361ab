"""What the tools did, as documents: the same for `--json` and for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.mask import mask
from memgardend.jobs.look.memories import MemoryRows
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Memory
    from memgardend.core.tools.values import DreamAnswer, Entry, Remembered, Similar, Updated
    from memgardend.jobs.recall import Panorama, SearchResult


def remembered_document(store: Store, done: Remembered) -> dict[str, Any]:
    """`remember`: what was stored, and what it stays beside."""
    return {"schema": SCHEMA, "outcome": str(done.outcome), **_written(store, done)}


def updated_document(store: Store, done: Updated) -> dict[str, Any]:
    """`edit` and `archive`: the fields that changed, and the memory as it is now."""
    return {"schema": SCHEMA, "changed": list(done.changed), **_written(store, done)}


def entry_document(store: Store, entry: Entry) -> dict[str, Any]:
    """A memory whole."""
    return {"schema": SCHEMA, "memory": _rows(store, [entry.memory])[0]}


def similar_document(store: Store, found: Sequence[Similar], chars: int) -> dict[str, Any]:
    """What is like a memory, the most alike first; as much of each content as was asked for (0: all)."""
    rows = _rows(store, [one.memory for one in found])
    similar = [
        {
            **row,
            "content": beginning(mask(one.memory.content), chars),
            "likeness": one.likeness,
            "resemblance": str(one.resemblance),
            "seen": one.seen,
            "written": one.written,
        }
        for row, one in zip(rows, found, strict=True)
    ]
    return {"schema": SCHEMA, "similar": similar}


def search_document(store: Store, result: SearchResult) -> dict[str, Any]:
    """The hits of a search, the best first."""
    rows = _rows(store, [hit.memory for hit in result.hits])
    hits = [
        {**row, "content": mask(hit.content), "score": round(hit.score, 2)}
        for row, hit in zip(rows, result.hits, strict=True)
    ]
    return {"schema": SCHEMA, "hits": hits}


def panorama_document(store: Store, ids: Iterable[str], found: Panorama) -> dict[str, Any]:
    """`project`: its name, and all that covers it, shelf by shelf."""
    names = {one.id: one.name for one in store.projects()}
    shelves = [
        {"name": shelf.name, "memories": _rows(store, shelf.memories)} for shelf in found.shelves
    ]
    return {"schema": SCHEMA, "projects": [names[one] for one in ids], "shelves": shelves}


def dream_document(answer: DreamAnswer) -> dict[str, Any]:
    """What came of asking for a dream."""
    return {
        "schema": SCHEMA,
        "start": str(answer.start),
        "window": answer.window,
        "dream": answer.dream,
        "since": instant(answer.since),
        "reason": answer.reason,
    }


def beginning(text: str, chars: int) -> str:
    """As much of a text as was asked for; 0 is all of it."""
    return text if not chars or len(text) <= chars else f"{text[:chars]}…"


def _written(store: Store, done: Remembered | Updated) -> dict[str, Any]:
    return {
        "memory": _rows(store, [done.memory])[0],
        "alike": _rows(store, done.alike),
        "new_projects": [one.name for one in done.new_projects],
    }


def _rows(store: Store, memories: Iterable[Memory]) -> list[dict[str, Any]]:
    return MemoryRows(store).rows(list(memories))
