"""Cuts long text down to its head and its tail, and says how much is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.mask import mask, may_span_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Span

_NOTE = "\n[… {count} characters left out …]\n"
_CONTEXT_CHARS = 300
"""What stands between a secret and the first letter by which it is known as one is shorter."""


def clip(text: str, limit_chars: int) -> str:
    """The text itself if it fits, else head and tail around a note; never longer than `limit_chars`."""
    return clip_spans(text, limit_chars, ())[0]


def clip_masked(text: str, limit_chars: int) -> str:
    """Masked and clipped, mostly without a look at the middle: nothing shows that masking all would hide.

    Few secrets span lines. All others that can be seen in the head end before a line that ends behind it, and
    those in the tail begin after a line that ends before it: so both are masked as in the whole text.
    """
    if len(text) <= limit_chars:
        return clip(mask(text), limit_chars)
    head, tail = _ends(len(text), limit_chars)
    stop = text.find("\n", head)
    feed = text.rfind("\n", 0, max(0, tail))
    start = max(0, feed - _CONTEXT_CHARS)
    if not 0 <= stop < start or may_span_lines(text):
        return clip(mask(text), limit_chars)
    first = mask(text[:stop])[:head]
    last = mask(text[start:]).split("\n", text.count("\n", start, feed) + 1)[-1][tail - len(text) :]
    return first + _NOTE.format(count=len(text) - len(first) - len(last)) + last


def clip_spans(text: str, limit_chars: int, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Clip, and move the spans along. The note itself becomes a span: nobody typed it."""
    if len(text) <= limit_chars:
        return text, tuple(spans)
    head, tail = _ends(len(text), limit_chars)
    note = _NOTE.format(count=tail - head)[:limit_chars]
    shift = head + len(note) - tail
    kept = [(start, min(end, head)) for start, end in spans if start < head]
    kept.append((head, head + len(note)))
    kept += [(max(start, tail) + shift, end + shift) for start, end in spans if end > tail]
    return text[:head] + note + text[tail:], tuple(kept)


def _ends(length: int, limit_chars: int) -> tuple[int, int]:
    """Where the head of a longer text ends, and where its tail begins, with room for the note between them."""
    room = max(0, limit_chars - len(_NOTE.format(count=length)))
    return (room + 1) // 2, length - room // 2
