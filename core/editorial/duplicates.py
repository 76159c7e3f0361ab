"""What a garden knows already: near-duplicates of its cards, and what a merge must not lose. No model."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.likeness import contradicts, is_near_duplicate, unproven
from memgardend.core.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

NEAREST = 20
"""Cards that one is compared with, the nearest by words: a near-duplicate shares nearly all of them."""
COVERED = 0.7
"""Share of a sentence's words that another text must hold to say it as well."""

_DIGITS = re.compile(r"\d+")
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\S))+[.!?。！？]*")


@dataclass(frozen=True, slots=True)
class Twin:
    """A card that says nearly the same as a new one; `says_more`: the new one has words or values beyond it."""

    card: Mapping[str, Any]
    says_more: bool


class KnownCards:
    """The cards that new ones are compared with, by their words: a near-duplicate shares nearly all of them."""

    def __init__(self, cards: Iterable[Mapping[str, Any]], locale: str) -> None:
        self._locale = locale
        self._cards: list[Mapping[str, Any]] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        self._retired: set[str] = set()
        for card in cards:
            self.add(card)

    def add(self, card: Mapping[str, Any]) -> None:
        """Know one more."""
        for word in self._words(card):
            self._holding[word].append(len(self._cards))
        self._cards.append(card)

    def retire(self, ids: Iterable[str]) -> None:
        """Compare with these no more."""
        self._retired.update(ids)

    def twin(self, card: Mapping[str, Any]) -> Twin | None:
        """The nearest card that says the same. None where a value, a negation, an order or the date differs."""
        shared = Counter(at for word in self._words(card) for at in self._holding.get(word, ()))
        for at, _ in shared.most_common(NEAREST):
            other = self._cards[at]
            if other.get("id") not in self._retired and _is_same(card, other, self._locale):
                return Twin(other, _says_more(card, other, self._locale))
        return None

    def _words(self, card: Mapping[str, Any]) -> frozenset[str]:
        return frozenset(tokenize(_said(card, "summary") + "\n" + _said(card), self._locale))


def left_out(
    old: str, new: str, locale: str, may_keep: Callable[[str], bool] = lambda sentence: True
) -> str:
    """The sentences of an old text that a new one neither says nor contradicts, in their order.

    A model that merges sees one line of the old card only: what it could not see must not be lost.
    """
    told = _sentences(new)
    missing = [
        sentence
        for sentence in _sentences(old)
        if not _covers(new, sentence, locale)
        and not any(contradicts(sentence, one, locale) for one in told)
        and may_keep(sentence)
    ]
    return "\n".join(missing)


def _is_same(a: Mapping[str, Any], b: Mapping[str, Any], locale: str) -> bool:
    on_a, on_b = a.get("occurred_at"), b.get("occurred_at")
    if on_a and on_b and on_a != on_b:
        return False
    said_a, said_b = _alike(a, b)
    if not said_a or (_more_digits(said_a, said_b) and _more_digits(said_b, said_a)):
        return False
    return is_near_duplicate(said_a, said_b, locale) and _same_order(said_a, said_b, locale)


def _says_more(new: Mapping[str, Any], old: Mapping[str, Any], locale: str) -> bool:
    """True when the new text has a word, value or number of its own: only what adds nothing may be dropped."""
    said_new, said_old = _alike(new, old)
    words = set(tokenize(said_new, locale)) - set(tokenize(said_old, locale))
    return bool(words or unproven(said_new, [said_old]) or _more_digits(said_new, said_old))


def _same_order(a: str, b: str, locale: str) -> bool:
    """True when the words that both have come in one order: who called whom is said by nothing else."""
    in_a, in_b = (dict.fromkeys(tokenize(text, locale)) for text in (a, b))
    return [word for word in in_a if word in in_b] == [word for word in in_b if word in in_a]


def _more_digits(a: str, b: str) -> bool:
    """True when the first text has numbers beyond those of the other, or has them in another order.

    `Line 1 of page 2` is not `line 2 of page 1`, though their values are the same.
    """
    left = iter(_DIGITS.findall(b))
    return not all(number in left for number in _DIGITS.findall(a))


def _alike(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[str, str]:
    """The texts to compare: the full accounts where both have one, else the lines that stand for them."""
    if a.get("content") and b.get("content"):
        return str(a["content"]), str(b["content"])
    return _said(a, "summary"), _said(b, "summary")


def _said(card: Mapping[str, Any], first: str = "content") -> str:
    names = (first, "summary", "content")
    return next((str(card[name]) for name in names if card.get(name)), "")


def _covers(text: str, sentence: str, locale: str) -> bool:
    words = set(tokenize(sentence, locale))
    shared = words & set(tokenize(text, locale))
    return len(shared) >= COVERED * len(words) and not unproven(sentence, [text])


def _sentences(text: str) -> list[str]:
    found = (match[0].strip() for match in _SENTENCE.finditer(text))
    return [sentence for sentence in found if sentence]
