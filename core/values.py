"""The values in a text: numbers, dates, versions, paths, URLs and code spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def values(text: str) -> tuple[str, ...]:
    """Each value once, normalised, in order of appearance."""
    raise NotImplementedError


def unproven(content: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The values of `content` that stand in none of the sources, neither as values nor literally."""
    raise NotImplementedError
