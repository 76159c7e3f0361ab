"""What of a message is looked up: all of a short one, the beginning and the end of a long one.

What a person wants stands before or after what they paste.
"""

from __future__ import annotations

END_CHARS = 1000
"""So much of each end counts."""


def question_of(text: str) -> str:
    """The text, without the middle where it is long."""
    if len(text) <= 2 * END_CHARS:
        return text
    return f"{text[:END_CHARS]}\n{text[-END_CHARS:]}"
