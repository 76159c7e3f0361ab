"""Reviews: what nobody asked for waits for a person: knowledge taken away, and words put into their mouth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.checks.proof import is_typed, text_of
from memgardend.core.tokens import tokenize
from memgardend.core.words import PERSONAL_LAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.cases import Case
    from memgardend.core.checks.borrowed import Untyped
    from memgardend.core.records import Memory

MIN_KEPT_SHARE = 1 / 2
"""Share of the words of a personal memory that must stay, where no words of a person say otherwise."""

_SUPPORTS = re.compile(
    r"\b(?:delet|remov|eras|forget|archiv|drop|discard|ignor|done|finish|complet|clos|cancel|gone|old|outdated|obsolete"
    r"|wrong|instead|chang|stop|not|never|now|anymore|no longer)\w*|n't\b|删|清|忘|归档|完成|不|没|过时|改|错",
    re.IGNORECASE,
)
"""What a person says who means that something need not be remembered any more."""

_BORROWED = "these are words of a text that nobody typed, not of the turn that is quoted for them"
_ORDERED = "a text that nobody typed asks for this, and nothing that a person typed supports it"
_PERSONAL = "what a person said is not taken away without a person's words"


def review_of(
    case: Case, after: Sequence[Memory], locale: str, untyped: Untyped, *, ordered: bool
) -> str:
    """Why a person has to decide first; "" when nobody has to.

    `after` is what takes the place of the targets; `ordered`: text that nobody typed asks to take away what
    this takes away.
    """
    if any(_is_borrowed(one, case, untyped, ordered=ordered) for one in after):
        return _BORROWED
    if case.typed and (after or not ordered or _is_supported(case, locale)):
        return ""
    if ordered:
        return _ORDERED
    text = "\n".join(map(text_of, after))
    return _PERSONAL if any(_is_forgotten(one, text, locale) for one in case.targets) else ""


def _is_borrowed(made: Memory, case: Case, untyped: Untyped, *, ordered: bool) -> bool:
    """True for a text of a person's layer, or under orders any, whose words the person did not say."""
    if not ordered and made.layer not in PERSONAL_LAYERS:
        return False
    proven = [
        text_of(one) for one in (*case.targets, *case.proof.parents) if one.layer in PERSONAL_LAYERS
    ]
    text = text_of(made)
    return text not in proven and untyped.lends(text, case.proof.found, "\n".join(proven))


def _is_supported(case: Case, locale: str) -> bool:
    """True when a quoted turn of the person speaks of a target as of something that is over."""
    matters = {word for target in case.targets for word in tokenize(text_of(target), locale)}
    return any(
        _SUPPORTS.search(one.event.text) and matters.intersection(tokenize(one.event.text, locale))
        for one in filter(is_typed, case.proof.found)
    )


def _is_forgotten(before: Memory, after: str, locale: str) -> bool:
    """True when most words of a personal memory are missing from what takes its place."""
    said = text_of(before)
    if before.layer not in PERSONAL_LAYERS or said in after:
        return False
    words = set(tokenize(said, locale))
    kept = words.intersection(tokenize(after, locale))
    return not words or len(kept) < MIN_KEPT_SHARE * len(words)
