"""When something happened, as cards say it: a date, or an instant in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date

from memgardend.core.times import parse_time, rfc3339

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_OFFSET = re.compile(r"(?:Z|[+-]\d{2}:?\d{2})$", re.IGNORECASE)


def normalise_occurred_at(text: str) -> str:
    """A date stays a date, an instant with an offset becomes UTC, and one without keeps its date alone.

    Nobody knows the zone of a time without an offset, and a partial date is never completed: ValueError for
    whatever is no whole date.
    """
    said = text.strip()
    day = _DATE.match(said)
    if not day:
        raise ValueError("not a whole ISO date")
    if _OFFSET.search(said[day.end() :]):
        return rfc3339(parse_time(said, UTC))
    parse_time(said, UTC)
    return date.fromisoformat(day.group()).isoformat()


def instant_ms(text: object) -> int | None:
    """The instant of a date or time in epoch milliseconds, UTC where it names no zone; None for anything else."""
    if not isinstance(text, str) or not text.strip():
        return None
    try:
        return parse_time(text, UTC)
    except ValueError:
        return None
