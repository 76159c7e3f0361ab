"""What is worth keeping in one human turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.extract.language import Kind, Language, Told
from memgardend.core.extract.sentences import sentences
from memgardend.core.mask import MASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.extract.request import Turn
    from memgardend.core.extract.sentences import Sentence

MIN_QUOTE_CHARS = 12  # shorter quotes prove something only as a whole turn (DESIGN section 6)
MAX_QUOTED_TURN_CHARS = 60
_OMITTED = "[…]"
_PLAIN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?(?=[ ,;:!?.]|\Z)")


@dataclass(frozen=True, slots=True)
class Noticed:
    """A sentence worth keeping: `content` is tidied, `quote` verbatim."""

    kind: Kind
    content: str
    quote: str
    handle: str


def notice(turn: Turn, language: Language) -> Iterator[Noticed]:
    """The sentences of a turn worth keeping, in order."""
    corrects = False
    for sentence in sentences(turn.text, turn.pasted, language):
        if MASK in sentence.text or _OMITTED in sentence.text:
            continue
        told, start, end = _open(sentence, language, corrects=corrects)
        kind = language.classify(told) if told.text else None
        corrects = kind is None and (
            corrects or language.correcting.search(sentence.text) is not None
        )
        quote = _quote(turn, start, end) if kind else None
        if kind and quote:
            yield Noticed(kind, tidy(told.text), quote, turn.handle)


def finished(turn: Turn, language: Language) -> Iterator[tuple[str, str]]:
    """What is said to be done, as (text, quote)."""
    for sentence in sentences(turn.text, turn.pasted, language):
        told, start, end = _open(sentence, language, corrects=False)
        if language.done.search(told.text) and not told.text.endswith("?"):
            quote = _quote(turn, start, end)
            if quote:
                yield told.text, quote


def tidy(text: str) -> str:
    """The sentence with a capital at its head and a full stop at its end, where that cannot change a name."""
    if _PLAIN_WORD.match(text):
        text = text[0].upper() + text[1:]
    last = text.rpartition(" ")[2]
    return text + "." if last.isalnum() else text


def _open(sentence: Sentence, language: Language, *, corrects: bool) -> tuple[Told, int, int]:
    """Cut openers and closers; the told text with its range in the turn."""
    text, start, end = sentence.text, 0, len(sentence.text)
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
    if len(quote) >= MIN_QUOTE_CHARS:
        return quote
    whole = turn.text.strip()
    return whole if len(whole) <= MAX_QUOTED_TURN_CHARS and not turn.pasted else None
