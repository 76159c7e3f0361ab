"""Ranking: BM25 over tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Memory


def memory_text(memory: Memory) -> str:
    """What of a memory is searched: title, goal, content and keywords."""
    raise NotImplementedError


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """The BM25 score of each document."""
    raise NotImplementedError


def rank_related(
    human_text: str, memories: Sequence[Memory], locale: str, limit: int
) -> list[Memory]:
    """Up to `limit` memories that share words with the text, the nearest first."""
    raise NotImplementedError
