"""Reads the JSON lines of `memgardend event` (DESIGN 9.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.records import NewEvent, Window
from memgardend.core.words import Role, WindowKind

if TYPE_CHECKING:
    from datetime import tzinfo

KIND = "event"
"""The source that pushed windows belong to."""

_ROLES = {
    role.value: role for role in (Role.HUMAN, Role.ASSISTANT, Role.TOOL, Role.SYSTEM, Role.SCRIPT)
}
_REQUIRED = ("window", "id", "at", "role", "text")
_OPTIONAL = ("tool", "cwd", "title", "parent")
_NAME_CHARS = 400
LINE_CHARS = 8 << 20
"""A longer line is rejected; a text is kept to 32 000 characters anyway."""


class PushedLineError(ValueError):
    """A line that cannot be taken; its text says why."""


@dataclass(frozen=True, slots=True)
class PushedEvent:
    """One pushed event and the window it belongs to."""

    window: Window
    event: NewEvent


def parse_pushed(line: str, zone: tzinfo) -> PushedEvent:
    """Read one line. A time without a zone is read in `zone`; unknown fields say nothing.

    Raises PushedLineError.
    """
    fields = _fields(line)
    role = _ROLES.get(fields["role"])
    if role is None:
        raise PushedLineError(f"role is {fields['role']!r}: must be one of {', '.join(_ROLES)}")
    if not fields["text"].strip():
        raise PushedLineError("text is empty")
    native_id, parent = _name(fields, "window"), _optional_name(fields, "parent")
    if parent == native_id:
        raise PushedLineError("parent is the window itself")
    window = Window(
        id=f"{KIND}:{native_id}",
        source=KIND,
        native_id=native_id,
        cwd=_optional_name(fields, "cwd"),
        title=_optional_name(fields, "title"),
        parent=f"{KIND}:{parent}" if parent else None,
        kind=WindowKind.SUBAGENT if parent else WindowKind.MAIN,
    )
    event = NewEvent(
        native_id=_name(fields, "id"),
        at=time_ms(fields["at"], zone),
        role=role,
        text=fields["text"],
        tool=_optional_name(fields, "tool"),
    )
    return PushedEvent(window, event)


def time_ms(text: str, zone: tzinfo) -> int:
    """Epoch milliseconds of an RFC 3339 time. Raises PushedLineError."""
    try:
        at = datetime.fromisoformat(text.strip())
        milliseconds = int((at if at.tzinfo else at.replace(tzinfo=zone)).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise PushedLineError(f"at is {text!r}: must be a time as in RFC 3339") from error
    if milliseconds < 0:
        raise PushedLineError(f"at is {text!r}: before 1970")
    return milliseconds


def _fields(line: str) -> dict[str, Any]:
    if len(line) > LINE_CHARS:
        raise PushedLineError(f"longer than {LINE_CHARS} characters")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PushedLineError("no JSON object") from error
    if not isinstance(fields, dict):
        raise PushedLineError("no JSON object")
    for name in _REQUIRED:
        if name not in fields:
            raise PushedLineError(f"{name} is missing")
        if not isinstance(fields[name], str):
            raise PushedLineError(f"{name} must be a string")
    for name in _OPTIONAL:
        if not isinstance(fields.get(name), str | None):
            raise PushedLineError(f"{name} must be a string")
    return fields


def _name(fields: dict[str, Any], name: str) -> str:
    text = clean_line(fields[name])
    if not text:
        raise PushedLineError(f"{name} is empty")
    if len(text) > _NAME_CHARS:
        raise PushedLineError(f"{name} is longer than {_NAME_CHARS} characters")
    return text


def _optional_name(fields: dict[str, Any], name: str) -> str | None:
    text = fields.get(name)
    return clean_line(text)[:_NAME_CHARS] or None if text else None
