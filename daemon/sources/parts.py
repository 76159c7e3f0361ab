"""From what a record says to events: their ids, times and numbers."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from memgardend.core.clean import clean_line
from memgardend.core.records import NewEvent
from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

Record = dict[str, Any]
Part = tuple[Role, str, str | None]
"""Role, text and tool of one event."""

_INPUT_CHARS = 500
_ID_CHARS = 200
_READABLE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class MalformedRecordError(ValueError):
    """A record of a known type without what that type must have."""


def numbered(parts: Iterable[Part], native_id: str, at: int | None) -> list[NewEvent]:
    """The events of one record: the first has the record's id, those after it also a number."""
    events: list[NewEvent] = []
    for role, text, tool in parts:
        if text and not text.isspace():
            name = f"{native_id}#{len(events)}" if events else native_id
            events.append(NewEvent(native_id=name, at=at, role=role, text=text, tool=tool))
    return events


def id_in(record: Record, name: str) -> str | None:
    """The id that a record carries, if it is one: a text, or a number."""
    value = record.get(name)
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if 0 < len(text) <= _ID_CHARS else None


def hashed_id(record: object, scope: str) -> str:
    """An id for a record without one, from what it says; `scope` tells apart what says the same."""
    said = json.dumps(record, sort_keys=True) + scope
    return "line-" + hashlib.sha256(said.encode(errors="replace")).hexdigest()[:32]


def time_ms(value: object) -> int | None:
    """Epoch milliseconds of an ISO 8601 text; UTC where it names no zone."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        milliseconds = int(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
    return milliseconds if milliseconds >= 0 else None


def line_in(record: Record, name: str) -> str | None:
    """A text of the record on one line, if it says anything."""
    value = record.get(name)
    return clean_line(value) or None if isinstance(value, str) else None


def short_input(value: object) -> str:
    """The input of a tool call, cut to what tells what it was for."""
    if isinstance(value, dict):  # whatever stands behind the cut need not be encoded
        value = {
            name: given[:_INPUT_CHARS] if isinstance(given, str) else given
            for name, given in value.items()
        }
    text = value if isinstance(value, str) else _written(value)
    return text if len(text) <= _INPUT_CHARS else text[: _INPUT_CHARS - 1] + "…"


def _written(value: object) -> str:
    """A value as JSON. The fast writer refuses lone surrogates."""
    try:
        return to_json(value).decode()
    except ValueError:
        return _READABLE.encode(value)
