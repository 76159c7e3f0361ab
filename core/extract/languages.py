"""The languages there are rules for: which one a sentence is written in, and which one a garden speaks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memgardend.core.extract.en import ENGLISH, ENGLISH_WORDING
from memgardend.core.extract.zh import CHINESE, CHINESE_WORDING
from memgardend.core.language import guess_locale

if TYPE_CHECKING:
    from memgardend.core.extract.language import Language, Wording

# By the first part of the locale.
_LANGUAGES: dict[str, tuple[Language, Wording]] = {
    "en": (ENGLISH, ENGLISH_WORDING),
    "zh": (CHINESE, CHINESE_WORDING),
}
_LATIN_PER_HAN = 2
"""Chinese with many names of things has more Latin words than half its characters only rarely; English with a
Chinese label in it has."""
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』")


def language_of(text: str) -> Language:
    """The language of a sentence; what it quotes does not count, unless there is nothing else."""
    writing = guess_locale([_QUOTED.sub(" ", text)])
    if not writing.han + writing.latin:
        writing = guess_locale([text])
    return CHINESE if writing.han * _LATIN_PER_HAN > writing.latin else ENGLISH


def language_of_locale(locale: str) -> Language | None:
    """The language of a garden; None for one without rules."""
    found = _LANGUAGES.get(_base(locale))
    return found[0] if found else None


def wording_of_locale(locale: str) -> Wording:
    """What the consolidator says in the language of a garden; in English for one without rules."""
    return _LANGUAGES.get(_base(locale), _LANGUAGES["en"])[1]


def _base(locale: str) -> str:
    return locale.partition("-")[0]
