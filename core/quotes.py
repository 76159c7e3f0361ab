"""Find a model's quote in the events it was shown, and return our own span of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.fold import Folded, fold, has_line_marks, weight
from memgardend.core.judgement import Refused
from memgardend.core.words import Refusal, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memgardend.core.operations import QuoteRef
    from memgardend.core.records import Event, Span

MIN_QUOTE_WEIGHT = 12
"""A quote needs 12 characters; a CJK character counts twice, so 6 of them do. A whole turn always does."""
MIN_PART_WEIGHT = 4
"""The same for each part around an ellipsis, or nearly anything would match."""
MAX_QUOTE_CHARS = 2000
"""Longest span that is kept as one piece of evidence."""

MAX_COPY_CHARS = 4 * MAX_QUOTE_CHARS
"""A model's copy longer than this is not looked for."""
MAX_PARTS = 8
LEAD_CHARS = 80
"""Where the words before a quote and the end of its sentence are looked for."""

_PROVES_NOTHING = {Role.OWN: Refusal.OWN_TEXT, Role.REPLAY: Refusal.REPLAYED}
_WHY_NOTHING = {
    Role.OWN: "our own text proves nothing",
    Role.REPLAY: "it repeats another conversation and proves nothing new",
}
_SENTENCE_END = re.compile(r"[\n.!?。！？;；]")
_LEAD_WORD = re.compile(r"[㐀-鿿]\s*|[^\s㐀-鿿]+\s*")
_GAP = re.compile(r"[(\[]?\.{3,}[)\]]?")


@dataclass(frozen=True, slots=True)
class Found:
    """A quote where it really stands."""

    event: Event
    start: int
    end: int

    @property
    def quote(self) -> str:
        """Our own text of the span."""
        return self.event.text[self.start : self.end]

    @property
    def asks(self) -> bool:
        """True when the sentence that it ends in is a question."""
        rest = self.quote[-1:] + self.event.text[self.end : self.end + LEAD_CHARS]
        ends = _SENTENCE_END.search(rest)
        return ends is not None and ends[0] in "?？"

    def says(self, text: str) -> bool:
        """True when the text is a whole sentence of the event, word for word, and the quote holds it."""
        wanted = _SENTENCE_END.sub("", text).strip()
        sentences = (part.strip() for part in _SENTENCE_END.split(self.event.text))
        return wanted in self.quote and wanted in sentences

    def led_in(self) -> Iterator[str]:
        """The quote, then with one, two and three more of the words before it in its sentence."""
        before = self.event.text[max(0, self.start - LEAD_CHARS) : self.start]
        words = _LEAD_WORD.findall(_SENTENCE_END.split(before)[-1])
        for count in range(min(3, len(words)) + 1):
            yield "".join(words[len(words) - count :]) + self.quote

    @property
    def pasted(self) -> bool:
        """True when any of it lies in a pasted span."""
        return _overlaps((self.start, self.end), self.event.pasted)


class ShownEvents:
    """The events of a view, each folded at most once."""

    def __init__(self, events: Mapping[str, Event]) -> None:
        self.events = events
        self._folded: dict[str, Folded] = {}

    def find(self, handle: str, quote: str) -> Found | None:
        """The quote in this event, outside pasted spans where it stands there too."""
        event = self.events[handle]
        if handle not in self._folded:
            self._folded[handle] = fold(event.text)
        span = _best_span(quote, self._folded[handle], event.pasted)
        return Found(event, *span) if span else None


def find_quote(quote: str, text: str) -> Span | None:
    """The span of `text` that the quote copies, or None."""
    return _best_span(quote, fold(text), ())


def locate(ref: QuoteRef, shown: ShownEvents) -> Found | Refused:
    """Where a quote stands; an event named wrongly is corrected when only one other holds the quote."""
    if len(ref.quote) > MAX_COPY_CHARS:
        return Refused(Refusal.TOO_LONG, f"quote at most {MAX_QUOTE_CHARS} characters")
    cited = shown.find(ref.event, ref.quote) if ref.event in shown.events else None
    found = cited or _elsewhere(ref, shown)
    if isinstance(found, Refused):
        return found
    if found.event.role in _PROVES_NOTHING:
        return Refused(
            _PROVES_NOTHING[found.event.role], f"{ref.event}: {_WHY_NOTHING[found.event.role]}"
        )
    if found.end - found.start > MAX_QUOTE_CHARS:
        return Refused(
            Refusal.TOO_LONG,
            f"the quote spans {found.end - found.start} characters of {ref.event}; quote at most "
            f"{MAX_QUOTE_CHARS}, or give each part as its own evidence",
        )
    return found


def _elsewhere(ref: QuoteRef, shown: ShownEvents) -> Found | Refused:
    hits = [hit for handle in shown.events if (hit := shown.find(handle, ref.quote))]
    proving = [hit for hit in hits if hit.event.role not in _PROVES_NOTHING]
    if len(proving) == 1 or (hits and not proving):
        return (proving or hits)[0]
    if len(proving) > 1:
        return Refused(
            Refusal.QUOTE_AMBIGUOUS,
            f"the quote is not in {ref.event or 'a named event'} but in {len(proving)} others; name the right one",
        )
    if weight(fold(ref.quote).text) < MIN_QUOTE_WEIGHT:
        return Refused(
            Refusal.QUOTE_TOO_SHORT,
            f"quote at least {MIN_QUOTE_WEIGHT} characters ({MIN_QUOTE_WEIGHT // 2} CJK), or a whole turn",
        )
    if ref.event not in shown.events:
        return Refused(Refusal.UNKNOWN_EVENT, f"no event {ref.event!r} was shown")
    return Refused(
        Refusal.QUOTE_NOT_FOUND,
        f"the quote is in no shown event, nor in {ref.event}; copy it word for word",
    )


def _best_span(quote: str, folded: Folded, pasted: tuple[Span, ...]) -> Span | None:
    first: Span | None = None
    for span in _spans(quote, folded):
        if not _overlaps(span, pasted):
            return span
        first = first or span
    return first


def _spans(quote: str, folded: Folded) -> Iterator[Span]:
    """Every place of the quote: as a whole turn, as it is, then as ordered parts."""
    needles = _needles(quote)
    for needle in needles:
        if needle == folded.text:
            yield folded.span(0, len(needle))
        elif weight(needle) >= MIN_QUOTE_WEIGHT:
            for start in _occurrences(needle, folded.text):
                yield folded.span(start, start + len(needle))
    for needle in needles:
        parts = [part.strip() for part in _GAP.split(needle) if part.strip()]
        if (
            len(parts) <= MAX_PARTS
            and sum(map(weight, parts)) >= MIN_QUOTE_WEIGHT
            and min(map(weight, parts)) >= MIN_PART_WEIGHT
            and (within := _ordered(parts, folded.text))
        ):
            yield folded.span(*within)


def _needles(quote: str) -> tuple[str, ...]:
    """The quote folded as a text of its own, as the middle of a line, and without quotes around it."""
    bare = [fold(quote).text]
    if has_line_marks(quote):
        bare.append(fold(quote, line_marks=False).text)
    bare += [text.strip("'").strip() for text in bare]
    return tuple(text for text in dict.fromkeys(bare) if text)


def _occurrences(needle: str, text: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def _ordered(parts: list[str], text: str) -> Span | None:
    """The tightest span that holds the parts in order and ends at the earliest possible place."""
    end = 0
    for part in parts:
        at = text.find(part, end)
        if at < 0:
            return None
        end = at + len(part)
    start = end
    for part in reversed(parts):
        start = text.rfind(part, 0, start)
    return start, end


def _overlaps(span: Span, others: tuple[Span, ...]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
