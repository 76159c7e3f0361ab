"""The gate for a card's texts: hard for what it says (summary, content), soft for its labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.clean import clean
from memgardend.core.editorial.cards import MAX_LABEL_CHARS, MAX_THREADS, cues, folded
from memgardend.core.mask import mask
from memgardend.core.unfit import (
    MIN_SUBSTANCE,
    holds_protocol,
    is_bookkeeping,
    is_bracketed,
    is_placeholder,
    substance,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_REASONS = 3
"""Reasons that an error names; a model mends no more at once."""
LONG_ID_CHARS = 8
"""An id of this length stands in no sentence by chance; a shorter one must stand alone, or be marked as one."""

_CARD_JSON = re.compile(
    r'"(?:action|target_ids?|cards|card_ids|summary|bucket|threads|retrieval_cues|importance(?:_level)?'
    r'|pulse|occurred_at|consolidations|rationale)"\s*:',
    re.IGNORECASE,
)
_JSON_PUNCTUATION = re.compile(r'"\s*[,:}\]]|[\[{]\s*"')
_PLAIN_WORD = re.compile(r"[^\W\d_]+|\d+")


def told(value: object) -> str:
    """What a model wrote, without what drives a terminal, and without secrets; nothing where it is no text."""
    return mask(clean(value)).strip() if isinstance(value, str) else ""


def reasons(problems: Iterable[str]) -> str:
    """The first different problems, joined by commas: what a failure names, and a model is told."""
    return ",".join(list(dict.fromkeys(problems))[:MAX_REASONS])


def holds_card_json(text: str) -> bool:
    """True when a field of a reply's JSON stands in a text."""
    return _CARD_JSON.search(text) is not None or holds_protocol(text)


def closes_too_much(text: str) -> bool:
    """True when a text closes more brackets than it opens, beside the punctuation of JSON: the end of a reply."""
    closing = sum(map(text.count, "]}")) - sum(map(text.count, "[{"))
    return closing > 0 and _JSON_PUNCTUATION.search(text) is not None


@dataclass(frozen=True, slots=True)
class LeakSignals:
    """What a host knows of its own protocol: a text that holds it is no memory.

    Each signal is a predicate (`re.compile(…).search` is one). A summary or content is refused for one
    strong or two weak ones, a label is dropped for any, and for being in the denylist.
    """

    strong: tuple[Callable[[str], object], ...] = ()
    weak: tuple[Callable[[str], object], ...] = ()
    bucket_denylist: frozenset[str] = frozenset()


GENERIC_SIGNALS = LeakSignals(strong=(holds_card_json,), weak=(closes_too_much,))
NO_SIGNALS = LeakSignals()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextGate:
    """What a batch of cards is held against.

    `ids`: those of known cards, which no text may name. `proven`: what the person's own texts say, in which an
    id-like word may stand. `templates`: texts of the prompt's JSON shape, which a reply must not copy.
    """

    signals: LeakSignals = GENERIC_SIGNALS
    ids: frozenset[str] = frozenset()
    proven: str = ""
    templates: tuple[str, ...] = ()

    def problem(self, name: str, text: object) -> str | None:
        """Why a text cannot be a card's `name`, as one word such as `summary_bracket_placeholder`, or None."""
        said = text.strip() if isinstance(text, str) else ""
        problem = self._unfit(said)
        return f"{name}_{problem}" if problem else None

    def bucket(self, text: object) -> str:
        """The bucket on one line, or none where it is no name for one."""
        names = self._labels(text, 1)
        denied = {one.casefold() for one in self.signals.bucket_denylist}
        return next((name for name in names if name.casefold() not in denied), "")

    def threads(self, value: object) -> list[str]:
        """The threads that are names, each once."""
        return self._labels(value, MAX_THREADS)

    def cues(self, value: object) -> list[str]:
        """The search hints that are some, each once."""
        return [mask(cue) for cue in cues(value) if self._is_label(cue)]

    def _labels(self, value: object, limit: int) -> list[str]:
        names = folded(value, limit=4 * limit, chars=MAX_LABEL_CHARS)
        return [mask(name) for name in names if self._is_label(name)][:limit]

    def _is_label(self, text: str) -> bool:
        leaks = any(signal(text) for signal in (*self.signals.strong, *self.signals.weak))
        named = leaked_id(text, self.ids, self.proven)
        return bool(substance(text)) and not (is_placeholder(text) or leaks or named)

    def _unfit(self, text: str) -> str | None:
        if not text:
            return "empty"
        if is_bracketed(text):
            return "bracket_placeholder"
        if is_placeholder(text):
            return "placeholder_word"
        if any(template in text for template in self.templates):
            return "template_fragment"
        if is_bookkeeping(text):
            return "tombstone_marker"
        weight = substance(text)
        if not weight:
            return "no_substantive_chars"
        if self._leaks(text):
            return "protocol_leak"
        if weight < MIN_SUBSTANCE:
            return "too_short"
        return "contains_card_id" if leaked_id(text, self.ids, self.proven) else None

    def _leaks(self, text: str) -> bool:
        if any(signal(text) for signal in self.signals.strong):
            return True
        return sum(bool(signal(text)) for signal in self.signals.weak) > 1


def leaked_id(text: str, ids: Iterable[str], proven: str = "") -> str | None:
    """The first known id that a text names, of whatever length, or None.

    A long id counts wherever it stands; a short one where it stands alone; one that is a mere word or number
    where it is marked: `[a]`, `#a`, `id a`. What also stands in `proven` is a word of the person's.
    """
    folded_text = text.casefold()
    for known in ids:
        if (
            known
            and known.casefold() in folded_text
            and _names(text, known)
            and not _alone(known, proven)
        ):
            return known
    return None


def _names(text: str, known: str) -> bool:
    if len(known) >= LONG_ID_CHARS:
        return True
    if _PLAIN_WORD.fullmatch(known):
        word = re.escape(known)
        marked = rf"[\[【#]{word}(?![A-Za-z0-9_-])|(?:\bid|编号)\W{{0,3}}{word}(?![A-Za-z0-9_-])"
        return re.search(marked, text, re.IGNORECASE) is not None
    return _alone(known, text)


def _alone(word: str, text: str) -> bool:
    """True when a word stands in a text between anything but letters and digits of a to z."""
    bounded = rf"(?<![A-Za-z0-9_-]){re.escape(word)}(?![A-Za-z0-9_-])"
    return bool(text) and re.search(bounded, text) is not None
