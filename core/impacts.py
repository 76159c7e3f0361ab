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
    from collections.abc import Mapping, Sequence

INDEXING_VERSION = "1"
"""Rises whenever fields, context or their constants change; an index made before is made anew."""


class Surface(IntEnum):
    """What of a memory is searched: its cues (title, goal and keywords), or all of it."""

    CUES = 0
    WHOLE = 1


@dataclass(frozen=True, slots=True)
class Field:
    """A searched field: its weight on each surface, how much its length counts (0 to 1), and the usual one.

    A field of fewer than `least_terms` counts as if it had so many.
    """

    name: str
    weights: tuple[float, float]  # cues, whole
    b: float
    usual_terms: int
    least_terms: int = 1

    def norm(self, terms: int) -> float:
        """What the frequency of a term is divided by in a field of so many terms."""
        return 1 - self.b + self.b * max(terms, self.least_terms) / self.usual_terms


FIELDS = (
    Field("title", (1.0, 1.0), 0.3, 6),
    Field("goal", (0.7, 0.7), 0.3, 10),
    Field("content", (0.0, 1.0), 0.3, 30),
    Field("keywords", (1.0, 1.0), 0.3, 10),
    Field("context", (0.0, 0.5), 0.9, 40, least_terms=40),
)
"""The fields and their constants, the same for all gardens.

The context is what surrounds a memory: the quotes that prove it, its threads, the day of its newest evidence.
It weighs half at most and its length counts more: words around a memory are less its own. Memories are short, and
a longer one mostly tells more, so that other lengths count little. On both halves of the development data
(bench/recall_quality.py) the optimum is flat: weights of 0.35 to 0.7 for the context, b of 0.25 to 0.5 for the
content and usual lengths of 20 to 40 change recall@5 by less than 0.02.
"""

K1 = 1.2
"""How fast repetition of a term stops to count (Robertson and Zaragoza 2009, 3.5: 1.2 to 2)."""

ONE = 1000
"""Impacts are whole thousandths."""

Impacts = tuple[int, int]
"""An impact for each surface."""


def impacts(counts: Sequence[Mapping[str, int]], lengths: Sequence[int]) -> dict[str, Impacts]:
    """The impacts of each term that stands so often in each field of so many terms."""
    frequencies: dict[str, tuple[float, float]] = {}
    for field, often, length in zip(FIELDS, counts, lengths, strict=True):
        norm, (for_cues, for_whole) = field.norm(length), field.weights
        for term, count in often.items():
            cues, whole = frequencies.get(term, (0.0, 0.0))
            frequencies[term] = cues + for_cues * count / norm, whole + for_whole * count / norm
    return {
        term: (_saturated(cues), _saturated(whole)) for term, (cues, whole) in frequencies.items()
    }


def _saturated(frequency: float) -> int:
    return round((K1 + 1) * ONE * frequency / (frequency + K1)) if frequency else 0
