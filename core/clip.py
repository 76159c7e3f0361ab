"""Cuts long text down to its head and its tail, and says how much is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Span

_NOTE = "\n[… {count} characters left out …]\n"


def clip(text: str, limit_chars: int) -> str:
    """The text itself if it fits, else head and tail around a note; never longer than `limit_chars`."""
    return clip_spans(text, limit_chars, ())[0]


def clip_spans(text: str, limit_chars: int, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Clip, and move the spans along. The note itself becomes a span: nobody typed it."""
    if len(text) <= limit_chars:
        return text, tuple(spans)
    room = max(0, limit_chars - len(_NOTE.format(count=len(text))))
    head = (room + 1) // 2
    tail = len(text) - room // 2
    note = _NOTE.format(count=tail - head)[: limit_chars - room]
    shift = head + len(note) - tail
    kept = [(start, min(end, head)) for start, end in spans if start < head]
    kept.append((head, head + len(note)))
    kept += [(max(start, tail) + shift, end + shift) for start, end in spans if end > tail]
    return text[:head] + note + text[tail:], tuple(kept)
