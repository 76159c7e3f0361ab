"""Targets: an operation changes memories that it was shown, each once, and none that is archived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.words import Refusal, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from memgardend.core.judgement import StagedView
    from memgardend.core.records import Memory


def find_targets(
    handles: Iterable[str], shown: StagedView, view: StagedView, taken: Set[str]
) -> tuple[Memory, ...] | Refused:
    """The memories that these handles stand for, as they are in `view` now.

    `shown` is what the round saw; `taken` are the targets of its earlier operations.
    """
    found: list[Memory] = []
    for handle in handles:
        if handle not in shown.memories:
            return Refused(Refusal.UNKNOWN_TARGET, f"no memory {handle!r} was shown")
        if handle in taken:
            return Refused(
                Refusal.SHARED_TARGET, f"an earlier operation of this answer changes {handle}"
            )
        memory = view.memories[handle]
        if handle in view.retired or memory.status is Status.ARCHIVED:
            return Refused(Refusal.RETIRED_TARGET, f"{handle} is archived")
        found.append(memory)
    return tuple(found)
