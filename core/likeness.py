"""How alike two texts are, and where they contradict each other."""

from __future__ import annotations

from memgardend.core.values import unproven, values

__all__ = ["auto_keywords", "contradicts", "is_near_duplicate", "jaccard", "unproven", "values"]


def jaccard(a: str, b: str, locale: str) -> float:
    """Shared tokens over all tokens, as sets; 0 when a side has none."""
    raise NotImplementedError


def is_near_duplicate(a: str, b: str, locale: str) -> bool:
    """True when both say the same."""
    raise NotImplementedError


def contradicts(a: str, b: str, locale: str) -> bool:
    """True when both say the same of one matter but for a value or a negation."""
    raise NotImplementedError


def auto_keywords(text: str, locale: str, limit: int = 13) -> tuple[str, ...]:
    """Keywords for a memory that brought none."""
    raise NotImplementedError
