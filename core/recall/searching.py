"""Which of the answers to a search are shown: the best, and some that the asker has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memgardend.core.recall.selection import Scored

BEST = 5
"""So many are shown whether they were seen or not."""


def shown(ranked: Sequence[Scored], seen: Collection[str], k: int) -> list[Scored]:
    """Of the answers, the best first: the first five, then unseen ones, k in all."""
    best = min(BEST, k)
    unseen = [one for one in ranked[best:] if one.memory.id not in seen]
    return [*ranked[:best], *unseen[: k - best]]
