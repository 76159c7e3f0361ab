"""Times as text. Inside the program every time is an integer: epoch milliseconds, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
YEARS = range(1970, 9000)
"""What `now` may be: times are counted from 1970, and whatever comes next must still be a date."""


def rfc3339(at_ms: int) -> str:
    """The instant in RFC 3339 with `Z`; milliseconds only where they are not zero."""
    at = local(at_ms, UTC)
    return at.isoformat(timespec="milliseconds" if at_ms % 1000 else "seconds").replace(
        "+00:00", "Z"
    )


def date_words(at_ms: int) -> str:
    """The day of an instant (UTC) as a person would ask for it; nothing for an unknown one (0)."""
    at = local(at_ms, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}" if at_ms else ""


def parse_time(text: str, zone: tzinfo) -> int:
    """Read an ISO 8601 date or time; without an offset it is meant in `zone`.

    Raises ValueError when the text is no time, or lies outside the years 1 to 9999.
    """
    try:
        at = datetime.fromisoformat(text.strip())
        if at.tzinfo is None:
            at = at.replace(tzinfo=zone)
        return (at - _EPOCH) // timedelta(milliseconds=1)
    except OverflowError as error:
        raise ValueError(f"{text} is out of range") from error


def local(at_ms: int, zone: tzinfo) -> datetime:
    """The instant as a local time of `zone`."""
    return (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone)
