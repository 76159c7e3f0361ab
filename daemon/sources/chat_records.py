"""What OpenAI-style chat messages say: pure functions from one message to events."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memgardend.core.words import Role
from memgardend.daemon.sources.calls import Calls
from memgardend.daemon.sources.parts import (
    MalformedRecordError,
    Part,
    Record,
    hashed_id,
    id_in,
    line_in,
    numbered,
    time_ms,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memgardend.core.records import NewEvent

_ROLES = {
    "user": Role.HUMAN,
    "human": Role.HUMAN,
    "script": Role.SCRIPT,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_NOTES = {
    "image_url": "[image]",
    "input_image": "[image]",
    "image": "[image]",
    "input_audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
}
_TIMES = ("created", "created_at", "timestamp")
_SECONDS_END = 100_000_000_000  # a greater number counts milliseconds
_MILLISECONDS_END = 253_402_300_800_000  # the year 10 000


def is_message(record: Record) -> bool:
    """Whether a line is one message."""
    return isinstance(record.get("role"), str) and "messages" not in record


def is_conversation(record: Record) -> bool:
    """Whether a line is a whole conversation."""
    return isinstance(record.get("messages"), list)


def time_of(record: Record) -> int | None:
    """Epoch milliseconds of a message or a conversation: `created` in seconds, or what others write for it."""
    found = (_milliseconds(record.get(name)) for name in _TIMES)
    return next((at for at in found if at is not None), None)


def told_in(record: Record, name: str) -> str | None:
    """What a record says about itself, outright or in its metadata."""
    metadata = record.get("metadata")
    return line_in(metadata if isinstance(metadata, dict) else {}, name) or line_in(record, name)


def events_of(
    message: Record, window: str, place: str, calls: Calls, timeless_ms: int
) -> list[NewEvent]:
    """The events of one message. Tool calls are noted in `calls` for their results.

    A message is known by its id in its window; without one by what it says, and when; without a time by its
    `place` too. `timeless_ms` stands in for a time. Raises MalformedRecordError.
    """
    at = time_of(message)
    own = id_in(message, "id")
    scope = window if at is not None else f"{window} {place}"
    native_id = f"{window}/{own}" if own else hashed_id(message, scope)
    return numbered(_parts(message, calls), native_id, timeless_ms if at is None else at)


def events_of_conversation(
    conversation: Record, window: str, timeless_ms: int
) -> tuple[list[NewEvent], bool]:
    """The events of all its messages, and whether all were readable. Equal messages differ in their count.

    A message without a time has that of the one before it; the first, of the conversation or its first timed one.
    """
    messages = [one if isinstance(one, dict) else {} for one in conversation["messages"]]
    times = (time_of(told) for told in (conversation, *messages))
    at = next((at for at in times if at is not None), timeless_ms)
    calls = Calls()
    seen: Counter[str] = Counter()
    events: list[NewEvent] = []
    readable = True
    for message in messages:
        said = hashed_id(message, "")
        place, at = f"#{seen[said]}", time_of(message) or at
        try:
            events += events_of(message, window, place, calls, at)
        except MalformedRecordError:
            readable = False
        seen[said] += 1
    return events, readable


def _parts(message: Record, calls: Calls) -> Iterator[Part]:
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        raise MalformedRecordError("no role that is known")
    text = _text(message.get("content"))
    parts: list[Part] = [(role, text, None)]
    if role is Role.TOOL:
        parts = [calls.result(message.get("tool_call_id"), text, line_in(message, "name"))]
    called = message.get("tool_calls")
    parts += [_call(one, calls) for one in (called if isinstance(called, list) else [])]
    if isinstance(message.get("function_call"), dict):
        parts.append(_call({"function": message["function_call"]}, calls))
    yield from parts


def _call(call: object, calls: Calls) -> Part:
    given = call.get("function", call.get("custom")) if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(given, dict):
        raise MalformedRecordError("a tool call without a function")
    name = line_in(given, "name") or "tool"
    return calls.call(call.get("id"), name, given.get("arguments") or given.get("input") or {})


def _text(content: object) -> str:
    """The text of a message, given as a string or as parts; a note in place of an image, a sound or a file."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise MalformedRecordError("no content")
    texts = (_part_text(part) for part in content)
    return "\n\n".join(text for text in texts if text)


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise MalformedRecordError("a part that is no object")
    for name in ("text", "refusal"):
        if isinstance(part.get(name), str):
            return str(part[name])
    return _NOTES.get(str(part.get("type")), "")


def _milliseconds(value: object) -> int | None:
    if isinstance(value, str):
        return time_ms(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not 0 <= value < _MILLISECONDS_END:  # nor is NaN
        return None
    return int(value * 1000 if value < _SECONDS_END else value)
