"""What of a message is looked up: all of a short one; of a long one the beginning and the end of what was typed.

What they want stands before or after what they paste.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.pasted import pasted_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORT_CHARS = 1000
"""A message up to this length is looked up as it is."""
END_CHARS = 500
"""So much of each end of a longer one counts."""
SURROUNDED_LINES = 3
"""A question has so many lines with what surrounds it."""


def questions_of(text: str) -> Iterator[str]:
    """What a message may ask, in the order in which to look it up: all of it; then its last line, then its first.

    A few lines of a log, too few to be known as pasted, would else drown the question beside them.
    """
    yield question_of(text)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) >= SURROUNDED_LINES:
        yield lines[-1][-END_CHARS:]
        yield lines[0][:END_CHARS]


def question_of(text: str) -> str:
    """The part of a message that may ask for something."""
    if len(text) <= SHORT_CHARS:
        return text
    typed = _typed(text) or _first_and_last_line(text)
    if len(typed) <= 2 * END_CHARS:
        return typed
    return f"{typed[:END_CHARS]}\n{typed[-END_CHARS:]}"


def _typed(text: str) -> str:
    """What stands outside of what was pasted."""
    parts, at = [], 0
    for start, end in pasted_spans(text):
        parts.append(text[at:start])
        at = end
    return "\n".join([*parts, text[at:]]).strip()


def _first_and_last_line(text: str) -> str:
    """Where typed and pasted lines touch, so that all of it looks pasted."""
    lines = text.strip().splitlines()
    return f"{lines[0][:END_CHARS]}\n{lines[-1][-END_CHARS:]}" if lines else ""
