"""Memories with the quotes that prove them, and the history of one."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from memgardend.core.errors import UsageError
from memgardend.core.mask import mask
from memgardend.core.ranking import bm25, memory_text
from memgardend.core.tokens import query_tokens, tokenize
from memgardend.core.words import Status
from memgardend.jobs.look.find import find_memory, short_ids
from memgardend.jobs.look.windows import SCHEMA, instant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Evidence, Memory, MemoryVersion
    from memgardend.core.scope import Scope
    from memgardend.core.words import Layer

_BOOKKEEPING = frozenset({"id", "revision", "updated_at", "status_at", "created_at"})


def memories_document(
    store: Store,
    *,
    query: str | None = None,
    layer: Layer | None = None,
    every: bool = False,
    locale: str,
) -> dict[str, Any]:
    """`memories`: the active ones (with `every` also stale and archived), newest first.

    With a query: only those that share a word with it, the nearest first.
    """
    found = store.memories(
        layers=() if layer is None else (layer,), statuses=() if every else (Status.ACTIVE,)
    )
    newest = list(reversed(found))
    chosen = newest if not query else _nearest(newest, query, locale)
    short = short_ids(memory.id for memory in store.memories())
    evidence = _evidence(store, chosen)
    rows = [
        {**_row(store, memory), "short": short[memory.id], "evidence": evidence.get(memory.id, [])}
        for memory in chosen
    ]
    return {"schema": SCHEMA, "memories": rows}


def _nearest(memories: Sequence[Memory], query: str, locale: str) -> Sequence[Memory]:
    documents = [tokenize(memory_text(memory), locale) for memory in memories]
    scores = bm25(query_tokens(query, locale), documents)
    ranked = sorted(zip(scores, memories, strict=True), key=lambda pair: -pair[0])
    return [memory for score, memory in ranked if score > 0]


def history_document(store: Store, text: str) -> dict[str, Any]:
    """`why MEMORY`: how it came to be, step by step, oldest first."""
    memory_id = find_memory(store, text)
    memory = store.memory(memory_id)
    if memory is None:
        raise UsageError(f"memory {memory_id} is gone", hint="memgardend memories --all")
    return {
        "schema": SCHEMA,
        "memory": memory_row(store, memory),
        "history": [_step(store, version) for version in store.versions(memory_id)],
    }


def memory_row(store: Store, memory: Memory) -> dict[str, Any]:
    """A memory with its evidence."""
    return {**_row(store, memory), "evidence": _evidence(store, [memory]).get(memory.id, [])}


def _row(store: Store, memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "short": memory.id,
        "layer": str(memory.layer),
        "status": str(memory.status),
        "title": _masked(memory.title),
        "content": mask(memory.content),
        "keywords": list(memory.keywords),
        "keywords_auto": memory.keywords_auto,
        "importance": memory.importance,
        "scope": _scope(store, memory.scope),
        "bucket": memory.bucket,
        "threads": list(memory.threads),
        "subcategory": None if memory.subcategory is None else str(memory.subcategory),
        "goal": _masked(memory.goal),
        "corrected": memory.corrected,
        "origin": memory.origin,
        "source_window": memory.source_window,
        "superseded_by": memory.superseded_by,
        "revision": memory.revision,
        "created_at": instant(memory.created_at),
        "updated_at": instant(memory.updated_at),
        "as_of": instant(memory.as_of),
        "occurred_at": instant(memory.occurred_at),
    }


def _masked(text: str | None) -> str | None:
    return None if text is None else mask(text)


def _scope(store: Store, scope: Scope) -> str:
    """`global`, `unset`, or the names of the projects."""
    if not scope.projects:
        return scope.text()
    names = {project.id: project.name for project in store.projects()}
    return ", ".join(names.get(project, project) for project in scope.projects)


def _evidence(store: Store, memories: Sequence[Memory]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for one in store.evidence([memory.id for memory in memories]):
        grouped.setdefault(one.memory, []).append(_quote(one))
    return grouped


def _quote(evidence: Evidence) -> dict[str, Any]:
    return {
        "window": evidence.window,
        "event": evidence.event,
        "role": str(evidence.role),
        "quote": mask(evidence.quote),
        "at": instant(evidence.at),
        "inherited_from": evidence.inherited_from,
    }


def _step(store: Store, version: MemoryVersion) -> dict[str, Any]:
    return {
        "revision": version.revision,
        "at": instant(version.at),
        "operation": version.operation,
        "reason": version.reason,
        "dream": version.dream,
        "round": version.round,
        "actor": version.actor,
        "changed": _differences(store, version.before, version.after),
    }


def _differences(store: Store, before: Memory | None, after: Memory) -> dict[str, list[Any]]:
    """Each field that changed: [before, after]. Empty for the first version."""
    if before is None:
        return {}
    old, new = _row(store, before), _row(store, after)
    names = [field.name for field in fields(after) if field.name not in _BOOKKEEPING]
    return {
        name: [old[name], new[name]] for name in names if name in new and old[name] != new[name]
    }
