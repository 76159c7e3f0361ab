"""What is worth keeping in one human turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.extract.language import Kind, Told
from memgardend.core.extract.languages import language_of
from memgardend.core.extract.sentences import sentences
from memgardend.core.fold import fold, weight
from memgardend.core.mask import MASK
from memgardend.core.quotes import MIN_QUOTE_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memgardend.core.extract.language import Language
    from memgardend.core.extract.request import Turn
    from memgardend.core.extract.sentences import Sentence

MAX_QUOTED_TURN_CHARS = 60
_OMITTED = "[…]"
_PLAIN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?(?=[ ,;:!?.]|\Z)")


@dataclass(frozen=True, slots=True)
class Noticed:
    """A sentence worth keeping: `content` is tidied and dated, `quote` verbatim."""

    kind: Kind
    content: str
    quote: str
    handle: str
    at: datetime
    language: Language


def notice(turn: Turn) -> Iterator[Noticed]:
    """The sentences of a turn worth keeping, in order, each by the rules of the language it is written in."""
    corrects = False
    for sentence in sentences(turn.text, turn.pasted):
        if MASK in sentence.text or _OMITTED in sentence.text:
            continue
        language = language_of(sentence.text)
        told, start, end = _open(sentence, language, corrects=corrects)
        kind = language.classify(told) if told.text else None
        corrects = kind is None and (
            corrects or language.correcting.search(language.plain(sentence.text)) is not None
        )
        quote = _quote(turn, start, end) if kind else None
        if kind and quote:
            content = turn.dated(tidy(turn.text[start:end]), language)
            yield Noticed(kind, content, quote, turn.handle, turn.at, language)


def finished(turn: Turn) -> Iterator[Noticed]:
    """The sentences that say that something is done."""
    for sentence in sentences(turn.text, turn.pasted):
        language = language_of(sentence.text)
        told, start, end = _open(sentence, language, corrects=False)
        if language.done.search(told.text) and not told.text.endswith("?"):
            quote = _quote(turn, start, end)
            if quote:
                yield Noticed(Kind.TODO, told.text, quote, turn.handle, turn.at, language)


def tidy(text: str) -> str:
    """The sentence with a capital at its head and a full stop at its end, where that cannot change a name."""
    text = text.rstrip(" ,;，；、")
    if _PLAIN_WORD.match(text):
        text = text[0].upper() + text[1:]
    last = text.rpartition(" ")[2]
    return text + language_of(text).full_stop if last.isalnum() else text


def proves_alone(quote: str) -> bool:
    """True for a quote that is long enough to be one without being a whole turn."""
    return weight(fold(quote).text) >= MIN_QUOTE_WEIGHT


def _open(sentence: Sentence, language: Language, *, corrects: bool) -> tuple[Told, int, int]:
    """Cut openers and closers; the told text with its range in the turn."""
    text, start, end = language.plain(sentence.text), 0, len(sentence.text)
    remembers = False
    corrects = corrects or language.correcting.match(text) is not None
    while found := language.opener.match(text, start):
        remembers = remembers or language.remembering.match(text[start:]) is not None
        start = found.end()
    closer = language.closer.search(text, start)
    if closer and closer.start() > start:
        end = closer.start()
        remembers = remembers or language.remembering.search(text, end) is not None
    told = Told(text[start:end], corrects=corrects, remembers=remembers)
    return told, sentence.start + start, sentence.start + end


def _quote(turn: Turn, start: int, end: int) -> str | None:
    """The verbatim text that proves it; the whole turn where the sentence alone is too short."""
    quote = turn.text[start:end]
    if proves_alone(quote):
        return quote
    whole = turn.text.strip()
    return whole if len(whole) <= MAX_QUOTED_TURN_CHARS and not turn.pasted else None
