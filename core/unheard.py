"""The mark of what is kept in a person's name though they were not heard to say it. Light: recall reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.words import PERSONAL_LAYERS

if TYPE_CHECKING:
    from memgardend.core.records import Memory

UNHEARD = ":unheard"
"""How the origin of such a memory ends."""


def is_unheard(memory: Memory) -> bool:
    """True for a memory of soul, user or rules with the mark."""
    return memory.layer in PERSONAL_LAYERS and memory.origin.endswith(UNHEARD)
