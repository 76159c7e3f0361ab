"""The project round: of entries in the very same words only the newest stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.words import OperationName, Status

if TYPE_CHECKING:
    from memgardend.core.extract.language import Wording
    from memgardend.core.extract.request import Known, Request


def project_operations(request: Request, wording: Wording) -> list[dict[str, Any]]:
    """Archive exact duplicates. Condensing takes judgement, which rules do not have."""
    newest: dict[tuple[str, ...], Known] = {}
    operations = []
    for memory in sorted(request.memories, key=lambda one: one.as_of):
        if memory.status is not Status.ACTIVE:
            continue
        words = " ".join(memory.content.casefold().split())
        key = (memory.layer, *memory.scope, words)
        if key in newest:
            operations.append(
                {
                    "op": OperationName.ARCHIVE,
                    "id": newest[key].handle,
                    "reason": wording.duplicate,
                }
            )
        newest[key] = memory
    return operations
