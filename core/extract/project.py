"""The project round: of entries that say the same one stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.extract.duplicates import merges
from memgardend.core.words import Layer, OperationName, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Known, Request


def project_operations(request: Request, wording: Wording) -> list[dict[str, Any]]:
    """Merge duplicates of what this round may write, archive copies of the rest. Condensing takes judgement."""
    active = [one for one in request.memories if one.status is Status.ACTIVE]
    entries = [one for one in active if one.layer is Layer.PROJECT]
    others = [one for one in active if one.layer is not Layer.PROJECT]
    return [*merges(entries, request.locale, wording), *_archives(others, wording)]


def _archives(memories: Iterable[Known], wording: Wording) -> Iterator[dict[str, Any]]:
    """Of memories in the very same words all but the newest."""
    newest: dict[tuple[str, ...], Known] = {}
    for memory in sorted(memories, key=lambda one: one.as_of):
        words = " ".join(memory.content.casefold().split())
        key = (memory.layer, *memory.scope, words)
        if key in newest:
            yield {
                "op": OperationName.ARCHIVE,
                "id": newest[key].handle,
                "reason": wording.duplicate,
            }
        newest[key] = memory
