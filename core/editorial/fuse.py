"""The fuse of the library: a consolidation that would retire most of a garden is not believed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fuse:
    """A consolidation stops as a whole when it retires `min_cards` or more, and over `max_share` of the active.

    The numbers are those of the ancestor, after one of its dreams had made one card of 834.
    """

    max_share: float = 0.8
    min_cards: int = 10

    def __post_init__(self) -> None:
        """Refuse numbers that would never, or always, blow."""
        if not 0 < self.max_share <= 1 or self.min_cards < 1:
            raise ValueError("a fuse needs `max_share` in (0, 1] and `min_cards` of 1 or more")

    def blows(self, retired: int, active: int) -> bool:
        """True when retiring so many of so many active cards is too much."""
        return retired >= self.min_cards and retired > self.max_share * active
