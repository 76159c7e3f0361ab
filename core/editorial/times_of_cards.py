"""Times of cards as instants: cards keep the text, so that a date is never made more exact than it is."""

from __future__ import annotations

from datetime import UTC

from memgardend.core.times import parse_time


def instant_ms(text: object) -> int | None:
    """The instant of a date or time in epoch milliseconds, UTC where it names no zone; None for any other text."""
    if not isinstance(text, str) or not text.strip():
        return None
    try:
        return parse_time(text, UTC)
    except ValueError:
        return None
