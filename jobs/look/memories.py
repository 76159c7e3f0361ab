"""Memories with the quotes that prove them, and the history of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.mask import mask
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Within
from memgardend.core.ranking import Manner
from memgardend.core.words import Status
from memgardend.jobs.look.find import ShortIds, ShortWindows, find_memory
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Evidence, Memory, MemoryVersion
    from memgardend.core.scope import Scope
    from memgardend.core.words import Layer

FOUND = 200
"""More than a person looks through."""
_BOOKKEEPING = frozenset({"revision", "updated_at", "superseded_by_short"})


def memories_document(
    store: Store,
    *,
    query: str | None = None,
    layer: Layer | None = None,
    every: bool = False,
    locale: str,
    at: int,
) -> dict[str, Any]:
    """`memories`: the active ones (with `every` also stale and archived), newest first.

    With a query: at most FOUND that answer it, as agents would find them at this instant, the best first.
    """
    layers = () if layer is None else (layer,)
    statuses = tuple(Status) if every else (Status.ACTIVE,)
    if query:
        within = Within(statuses=statuses, layers=layers, everywhere=True)
        chosen = _nearest(store, query, locale, within, at)
    else:
        chosen = list(reversed(store.memories(layers=layers, statuses=statuses)))
    return {"schema": SCHEMA, "memories": MemoryRows(store).rows(chosen)}


def _nearest(store: Store, query: str, locale: str, within: Within, at: int) -> list[Memory]:
    store.keep_index(locale)
    found = nearest(query, store, locale, within, FOUND, Manner(now=at))
    by_id = {one.id: one for one in store.memories(ids=[memory for _, memory in found])}
    return [by_id[memory] for _, memory in found if memory in by_id]


def history_document(store: Store, text: str) -> dict[str, Any]:
    """`why MEMORY`: how it came to be, step by step, oldest first."""
    memory_id = find_memory(store, text)
    memory = store.memory(memory_id)
    if memory is None:
        raise UsageError(f"memory {memory_id} is gone", hint="memgardend memories --all")
    rows = MemoryRows(store)
    dreams = ShortIds(store.find_dreams)
    return {
        "schema": SCHEMA,
        "memory": rows.rows([memory])[0],
        "history": [_step(rows, version, dreams) for version in store.versions(memory_id)],
    }


class MemoryRows:
    """Memories as rows of a document, each name in them read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projects = {project.id: project.name for project in store.projects()}
        self._short = ShortIds(store.find_memories)
        self._windows = ShortWindows(store)

    def rows(self, memories: Sequence[Memory]) -> list[dict[str, Any]]:
        """Each memory with the evidence that proves it."""
        proofs: dict[str, list[dict[str, Any]]] = {memory.id: [] for memory in memories}
        for one in self._store.evidence(list(proofs)):
            proofs[one.memory].append(self._proof(one))
        return [{**self.bare(memory), "evidence": proofs[memory.id]} for memory in memories]

    def bare(self, memory: Memory) -> dict[str, Any]:
        """A memory without its evidence."""
        return {
            "id": memory.id,
            "short": self._short.of(memory.id),
            "layer": str(memory.layer),
            "status": str(memory.status),
            "title": _masked(memory.title),
            "content": mask(memory.content),
            "keywords": list(memory.keywords),
            "keywords_auto": memory.keywords_auto,
            "importance": memory.importance,
            "scope": self._scope(memory.scope),
            "bucket": memory.bucket,
            "threads": list(memory.threads),
            "subcategory": None if memory.subcategory is None else str(memory.subcategory),
            "goal": _masked(memory.goal),
            "corrected": memory.corrected,
            "origin": memory.origin,
            "source_window": memory.source_window,
            "superseded_by": memory.superseded_by,
            "superseded_by_short": memory.superseded_by and self._short.of(memory.superseded_by),
            "revision": memory.revision,
            "created_at": instant(memory.created_at),
            "updated_at": instant(memory.updated_at),
            "as_of": instant(memory.as_of),
            "occurred_at": instant(memory.occurred_at),
        }

    def _scope(self, scope: Scope) -> str | list[str]:
        """`global`, `unset`, or the names of the projects, as in the requests that models get."""
        if not scope.projects:
            return scope.text()
        return [self._projects.get(project, project) for project in scope.projects]

    def _proof(self, evidence: Evidence) -> dict[str, Any]:
        return {
            "window": evidence.window,
            "window_short": self._windows.of(evidence.window),
            "event": evidence.event,
            "role": str(evidence.role),
            "quote": mask(evidence.quote),
            "at": instant(evidence.at),
            "inherited_from": evidence.inherited_from,
        }


def _masked(text: str | None) -> str | None:
    return None if text is None else mask(text)


def _step(rows: MemoryRows, version: MemoryVersion, dreams: ShortIds) -> dict[str, Any]:
    return {
        "revision": version.revision,
        "at": instant(version.at),
        "operation": version.operation,
        "reason": version.reason,
        "dream": version.dream,
        "dream_short": None if version.dream is None else dreams.of(version.dream),
        "round": version.round,
        "actor": version.actor,
        "changed": differences(rows, version.before, version.after),
    }


def differences(rows: MemoryRows, before: Memory | None, after: Memory) -> dict[str, list[Any]]:
    """Each field that changed: [before, after]. Empty for the first version."""
    if before is None:
        return {}
    old, new = rows.bare(before), rows.bare(after)
    return {
        name: [old[name], new[name]]
        for name in new
        if name not in _BOOKKEEPING and old[name] != new[name]
    }
