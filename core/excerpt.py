"""The part of an event that a prompt shows: pasted spans told apart, secrets masked, the middle left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.mask import mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.records import Event, Span

HEAD_SHARE = 2 / 3
"""Of what is kept of a long text, this part is its head; openings say more than ends."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of shown text, or (`omitted` > 0) the number of characters left out in its place."""

    text: str
    pasted: bool = False
    omitted: int = 0


def excerpt(event: Event, keep_chars: int | None = None) -> tuple[Part, ...]:
    """The event's text in parts; when it is longer than `keep_chars`, its head and tail."""
    length = len(event.text)
    if keep_chars is None or length <= keep_chars:
        return tuple(_parts(event, 0, length))
    head = int(keep_chars * HEAD_SHARE)
    tail = length - (keep_chars - head)
    gap = Part("", omitted=tail - head)
    return (*_parts(event, 0, head), gap, *_parts(event, tail, length))


def joined(parts: Sequence[Part], omitted: str) -> tuple[str, tuple[Span, ...]]:
    """The parts as one text with its pasted spans; `omitted` stands where something was left out."""
    text, spans = "", []
    for part in parts:
        piece = omitted if part.omitted else part.text
        if part.pasted:
            spans.append((len(text), len(text) + len(piece)))
        text += piece
    return text, tuple(spans)


def _parts(event: Event, start: int, end: int) -> Iterator[Part]:
    """The text between two offsets, cut where pasted spans begin and end."""
    at = start
    for span_start, span_end in sorted(event.pasted):
        begin, stop = max(span_start, at), min(span_end, end)
        if begin >= stop:
            continue
        if at < begin:
            yield Part(mask(event.text[at:begin]))
        yield Part(mask(event.text[begin:stop]), pasted=True)
        at = stop
    if at < end:
        yield Part(mask(event.text[at:end]))
