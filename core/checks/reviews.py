"""Reviews: what takes knowledge away and nobody asked for waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.checks.proof import text_of
from memgardend.core.tokens import tokenize
from memgardend.core.words import PERSONAL_LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.cases import Case
    from memgardend.core.records import Memory

MIN_KEPT_SHARE = 1 / 2
"""Share of the words of a personal memory that must stay, where no words of a person say otherwise."""

_ORDERED = "a text that nobody typed asks for this, and nothing that a person typed supports it"
_PERSONAL = "what a person said is not taken away without a person's words"


def review_of(case: Case, after: Iterable[Memory], locale: str, *, ordered: bool) -> str:
    """Why a person has to decide first; "" when nobody has to.

    `after` is what takes the place of the targets; `ordered`: text that nobody typed asks to take away what
    this takes away.
    """
    if case.typed:
        return ""
    if ordered:
        return _ORDERED
    text = "\n".join(map(text_of, after))
    return _PERSONAL if any(_is_forgotten(one, text, locale) for one in case.targets) else ""


def _is_forgotten(before: Memory, after: str, locale: str) -> bool:
    """True when most words of a personal memory are missing from what takes its place."""
    said = text_of(before)
    if before.layer not in PERSONAL_LAYERS or said in after:
        return False
    words = set(tokenize(said, locale))
    kept = words.intersection(tokenize(after, locale))
    return not words or len(kept) < MIN_KEPT_SHARE * len(words)
