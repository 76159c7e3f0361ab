"""What a person asks for: the terms of a message, and how much each of them counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from memgardend.core.fingerprint import fingerprint
from memgardend.core.pasted import pasted_spans
from memgardend.core.patterns import regex
from memgardend.core.stop_words import (
    CHINESE_FUNCTION_CHARACTERS,
    CHINESE_GENERIC_PAIRS,
    CHINESE_PARTICLES,
    ENGLISH_GENERIC_WORDS,
    ENGLISH_STOP_WORDS,
    QUESTION_WORDS_VERSION,
)
from memgardend.core.tokens import cjk_characters, identifiers, is_english, search_tokens, stem

if TYPE_CHECKING:
    from collections.abc import Mapping

_GENERIC_BY_BEGINNING = {
    beginning: tuple(words)
    for beginning, words in groupby(sorted(ENGLISH_GENERIC_WORDS), key=lambda word: word[:2])
}
"""The words without a subject by their first two letters."""

HALF = 0.5
"""What a generic word, a pair with a particle, and a word of pasted text count beside any other."""

_PAST_WORDS = (
    r"\b(?:did|was|were|had|ago|last|yesterday|earlier|previous(?:ly)?|former(?:ly)?|used\s+to|back\s+(?:in|then)"
    r"|original(?:ly)?|history|since|when|(?:19|20)\d\d|january|february|march|april|june|july|august|september"
    r"|october|november|december)\b"
    r"|以前|之前|当时|那时|上次|上周|上个?月|去年|前年|昨天|前天|曾|过去|原来|最初|最早|历史|什么时候|何时|哪一?天"
    r"|\d\s*[年月日号]"
)
_PAST = regex(_PAST_WORDS, re.IGNORECASE)

QUERY_VERSION = f"2.{fingerprint(HALF, _PAST_WORDS, QUESTION_WORDS_VERSION)}"
"""Changes whenever a message asks for other terms, or for other shares of them; made like INDEXING_VERSION."""


@dataclass(frozen=True, slots=True)
class Query:
    """The terms of a message, each once, with the share of its weight that it counts.

    `names` are identifiers, which stand beside their parts. `overlapping`: for a pair of CJK characters those that
    share one with it; for a character by itself the pairs that it is in.
    """

    shares: Mapping[str, float]
    names: frozenset[str]
    overlapping: Mapping[str, frozenset[str]]
    past: bool  # it names a time, or asks about the past

    def told(self, term: str, found: Mapping[str, int]) -> float:
        """The share of a term where so many memories have each.

        Of a name that none has, its parts tell. Pairs of CJK characters may be no words: one beside a known pair
        is the seam of two words, if it is unknown itself or has a particle; of the unknown others each second
        is, and one with a function character even more often. A character without a known pair may be a word.
        """
        share, beside = self.shares[term], self.overlapping.get(term, frozenset())
        if len(term) == 1 and beside:
            return share if found.get(term) and not any(map(found.get, beside)) else 0
        known = any(found.get(one) and CHINESE_PARTICLES.isdisjoint(one) for one in beside)
        if found.get(term):
            return 0 if known and not CHINESE_PARTICLES.isdisjoint(term) else share
        if term in self.names or known:
            return 0
        if beside:
            share *= HALF
            share *= 1 if CHINESE_FUNCTION_CHARACTERS.isdisjoint(term) else HALF
        return share


def read_query(text: str, locale: str) -> Query:
    """What a message asks for. Words of stop lists count in no language, pasted ones half.

    A text without any term but with lone CJK characters asks for these.
    """
    typed, pasted = _apart(text)
    sequence = search_tokens(typed, locale)
    shares = {term: _share(term, locale) for term in sequence}
    for term in search_tokens(pasted, locale):
        shares.setdefault(term, HALF * _share(term, locale))
    if not shares:
        shares = dict.fromkeys(cjk_characters(text), 1.0)
    names = frozenset(identifiers(text))
    shares |= dict.fromkeys(names, 1.0)
    overlapping = _overlapping(sequence)
    for generic in CHINESE_GENERIC_PAIRS.intersection(sequence):  # a word: what overlaps it is none
        shares |= dict.fromkeys(overlapping.get(generic, frozenset()) - CHINESE_GENERIC_PAIRS, 0)
    for character in cjk_characters(typed):
        if character not in CHINESE_FUNCTION_CHARACTERS:
            shares.setdefault(character, HALF)
    return Query(
        shares={term: share for term, share in shares.items() if share},
        names=names,
        overlapping=overlapping,
        past=bool(_PAST.search(typed)),
    )


def _apart(text: str) -> tuple[str, str]:
    """What the person typed, and what was pasted; a text that is pasted as a whole counts as typed."""
    typed, pasted, at = "", "", 0
    for start, end in pasted_spans(text):
        typed += text[at:start] + "\n"
        pasted += text[start:end] + "\n"
        at = end
    typed += text[at:]
    return (typed, pasted) if typed.strip() else (text, "")


def _share(term: str, locale: str) -> float:
    if not is_english(locale) and term in ENGLISH_STOP_WORDS:
        return (
            0  # where words are stemmed, these are gone, and what looks like one is none (used, us)
        )
    if term in CHINESE_GENERIC_PAIRS or _is_generic(term, is_english(locale)):
        return HALF
    if _is_pair(term):
        if CHINESE_FUNCTION_CHARACTERS.issuperset(term):
            return 0
        return 1.0 if CHINESE_PARTICLES.isdisjoint(term) else HALF
    return 1.0


def _is_generic(term: str, english: bool) -> bool:
    """Whether a term says little.

    A stem begins like its word, all but its last letter, so that only few words have to be stemmed. The words of
    irregular forms are in the list themselves.
    """
    if not english:
        return term in ENGLISH_GENERIC_WORDS
    alike = _GENERIC_BY_BEGINNING.get(term[:2], ())
    return any(stem(word) == term for word in alike if word.startswith(term[:-1]))


def _is_pair(term: str) -> bool:
    return len(term) == 2 and cjk_characters(term) == list(term)


def _overlapping(sequence: list[str]) -> dict[str, frozenset[str]]:
    beside: dict[str, set[str]] = {}
    for pair in filter(_is_pair, sequence):
        for character in pair:
            beside.setdefault(character, set()).add(pair)
    for one, other in pairwise(sequence):
        if one[-1] == other[0] and _is_pair(one) and _is_pair(other):
            beside.setdefault(one, set()).add(other)
            beside.setdefault(other, set()).add(one)
    return {term: frozenset(terms) for term, terms in beside.items()}
