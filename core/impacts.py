"""How much of a score a term is worth in a memory before its rarity counts: computed once, when it is written.

BM25F (Robertson and Zaragoza 2009, 3.6): how often the term stands in each field over the field's length,
weighted, added up, then saturated. Lengths are compared with usual ones instead of the garden's average, so that
no memory changes the worth of another one, and scores mean the same in every garden.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INDEXING_VERSION = "1"
"""Rises whenever fields, context or their constants change; an index made before is made anew."""


class Surface(IntEnum):
    """What of a memory is searched: its cues (title, goal and keywords), or all of it."""

    CUES = 0
    WHOLE = 1


@dataclass(frozen=True, slots=True)
class Field:
    """A searched field: its weight on each surface, its usual length, how much its length counts (0 to 1)."""

    name: str
    weights: tuple[float, float]  # cues, whole
    usual_terms: int
    b: float


FIELDS = (
    Field("title", (1.0, 1.0), 6, 0.4),
    Field("goal", (0.7, 0.7), 10, 0.4),
    Field("content", (0.0, 1.0), 25, 0.4),
    Field("keywords", (1.0, 1.0), 10, 0.4),
    Field("context", (0.0, 0.5), 40, 0.75),
)
"""The fields and their constants, the same for all gardens.

The context is what surrounds a memory: the quotes that prove it, its threads, the day of its newest evidence.
It weighs half and its length counts more: words around a memory are less its own.
"""

K1 = 1.2
"""How fast repetition of a term stops to count (Robertson and Zaragoza 2009, 3.5: 1.2 to 2)."""

ONE = 1000
"""Impacts are whole thousandths."""

MOST = round((K1 + 1) * ONE)
"""No impact is greater."""

Impacts = tuple[int, int]
"""An impact for each surface."""


def impacts(counts: Sequence[int], lengths: Sequence[int]) -> Impacts:
    """The impacts of a term that stands so often in each field of so many terms."""
    cues, whole = (
        sum(
            field.weights[surface] * count / (1 - field.b + field.b * length / field.usual_terms)
            for field, count, length in zip(FIELDS, counts, lengths, strict=True)
            if count
        )
        for surface in Surface
    )
    return _saturated(cues), _saturated(whole)


def _saturated(frequency: float) -> int:
    return round((K1 + 1) * ONE * frequency / (frequency + K1)) if frequency else 0
