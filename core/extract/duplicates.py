"""Duplicates: shown memories that say the same in the same place become one, in the fullest wording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.likeness import is_near_duplicate, unproven
from memgardend.core.words import OperationName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Known


def merges(memories: Iterable[Known], locale: str, wording: Wording) -> Iterator[dict[str, Any]]:
    """One merge for each group of duplicates that one wording of theirs can stand for without losing a value."""
    for group in _groups(memories, locale):
        texts = list(map(_text, group))
        full = (one for one, text in zip(group, texts, strict=True) if not _lost(texts, text))
        kept = max(full, key=lambda one: (one.as_of, one.handle), default=None)
        if len(group) > 1 and kept is not None:
            into = {"layer": kept.layer, "content": kept.content}
            yield {
                "op": OperationName.MERGE,
                "ids": [one.handle for one in group],
                "into": into | {"title": kept.title} if kept.title else into,
                "reason": wording.duplicate,
            }


def _groups(memories: Iterable[Known], locale: str) -> list[list[Known]]:
    """Memories of one place that all say the same as each other."""
    groups: dict[tuple[object, ...], list[list[Known]]] = {}
    for memory in memories:
        here = groups.setdefault((memory.layer, memory.scope, memory.is_todo), [])
        for group in here:
            if all(is_near_duplicate(one.content, memory.content, locale) for one in group):
                group.append(memory)
                break
        else:
            here.append([memory])
    return [group for here in groups.values() for group in here]


def _lost(texts: Iterable[str], kept: str) -> bool:
    """True when one of the texts has a value that `kept` has not."""
    return any(unproven(text, [kept]) for text in texts)


def _text(memory: Known) -> str:
    return "\n".join(filter(None, [memory.title, memory.content]))
