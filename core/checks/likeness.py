"""Likeness: what a new memory repeats, and what it contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.likeness import contradicts, is_near_duplicate, jaccard
from memgardend.core.tokens import tokenize
from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.records import Memory

MIN_SHARED = 0.8
SPARE_WORDS = 6
"""What the slower comparison accepts shares 0.8 of its words, save some values, negations and linking words."""


class Lookalikes:
    """Compares new content with active memories of the same layer and scope; each is tokenised once."""

    def __init__(self, locale: str) -> None:
        self.locale = locale
        self._tokens: dict[str, frozenset[str]] = {}

    def near(self, new: Memory, actives: Iterable[Memory]) -> list[Memory]:
        """The active memories of its shelf that share enough words to say the same, or the opposite."""
        mine = self._of(new.content)
        return [
            memory
            for memory in actives
            if memory.status is Status.ACTIVE
            and memory.layer is new.layer
            and memory.scope == new.scope
            and (memory.content == new.content or _share_enough(mine, self._of(memory.content)))
        ]

    def nearest(self, new: Memory, near: Iterable[Memory]) -> Memory | None:
        """The one of `near` that says the same; the most alike, then the newest, when there are several."""
        alike = [
            memory for memory in near if is_near_duplicate(new.content, memory.content, self.locale)
        ]
        return max(alike, key=lambda one: self._closeness(new, one), default=None)

    def contradicted(self, new: Memory, near: Iterable[Memory]) -> tuple[Memory, ...]:
        """Those of `near` that say the opposite, or the same with another value; by age."""
        against = [
            memory for memory in near if contradicts(new.content, memory.content, self.locale)
        ]
        return tuple(sorted(against, key=lambda one: (one.as_of, one.id)))

    def _closeness(self, new: Memory, memory: Memory) -> tuple[float, int, str]:
        return jaccard(new.content, memory.content, self.locale), memory.as_of, memory.id

    def _of(self, content: str) -> frozenset[str]:
        if content not in self._tokens:
            self._tokens[content] = frozenset(tokenize(content, self.locale))
        return self._tokens[content]


def _share_enough(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    if mine.isdisjoint(theirs):  # as nearly all are: the cheapest question first
        return False
    return len(mine & theirs) >= MIN_SHARED * (min(len(mine), len(theirs)) - SPARE_WORDS)
