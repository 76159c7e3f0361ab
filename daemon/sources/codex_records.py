"""What the records of a Codex rollout say: from one record after another to events.

Codex writes two logs into one file: `response_item`, what the model sees, and `event_msg`, what the screen shows.
Most messages stand in both, a few lines apart. The format is internal to Codex and changes; unknown types say
nothing. Facts about it: the notes on transcript formats in docs/sources.md.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from memgardend.core.clean import clean_line
from memgardend.core.words import Role
from memgardend.daemon.sources.calls import Calls
from memgardend.daemon.sources.codex_roles import is_system, spoken_parts
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
    from memgardend.daemon.sources.lines import Line

META = "session_meta"
KNOWN_TYPES = (META, "response_item", "event_msg", "turn_context", "compacted")

_PAIR_RECORDS = 16  # so far apart the two records of one message may stand
_IMAGE_TAG = re.compile(r"\s*+</?image\b[^<>]*+>\s*+")
_CWD = re.compile(r"<cwd>([^<>]++)</cwd>|(?m:^Current working directory: (.++)$)")


class _Message(NamedTuple):
    """A message in one of the two logs: `shown` on the screen, or as the model saw it."""

    by: str
    text: str
    shown: bool

    def same_as(self, other: _Message) -> bool:
        """Whether these are the two records of one message. One of the logs may have dressed it up.

        What the program wrote holds no message: a person may type what stands in the instructions.
        """
        if self.by != other.by or self.shown == other.shown:
            return False
        one, two = ("".join(text.split()) for text in (self.text, other.text))
        return (one in two or two in one) and is_system(self.text) == is_system(other.text)


@dataclass
class Rollout:
    """What is known of a rollout while it is read on."""

    thread: str
    prompted_by: Role
    timeless_ms: int  # stands in for the time of a record without one
    calls: Calls = field(default_factory=Calls)
    # Messages of the last records whose other record has not come.
    lone: deque[_Message | None] = field(default_factory=lambda: deque(maxlen=_PAIR_RECORDS))

    def take(self, line: Line, start: int) -> tuple[list[NewEvent], bool]:
        """The events of the line that begins at byte `start`, and whether all of it was readable."""
        events: list[NewEvent] = []
        readable = not line.damaged
        for number, record in enumerate(line.records):
            try:
                events += self._events_of(record, f"{start}.{number}")
            except MalformedRecordError:
                readable = False
        return events, readable

    def _events_of(self, record: Record, place: str) -> list[NewEvent]:
        kind, payload = unwrapped(record)
        if kind is not None and not payload:
            raise MalformedRecordError("no payload")
        parts = list(self._parts(kind, payload))
        if not parts:
            return []
        at = time_ms(record.get("timestamp"))
        scope = self.thread if at is not None else f"{self.thread} {place}"
        native_id = id_in(payload, "id") or hashed_id(record, scope)
        return numbered(parts, native_id, self.timeless_ms if at is None else at)

    def _parts(self, kind: str | None, payload: Record) -> Iterator[Part]:
        message = _message(kind, payload)
        if message is not None:
            yield from self._message_parts(message)
            return
        self.lone.append(None)
        if kind == "compacted":
            yield Role.SYSTEM, _text_of(payload.get("message")), None
        elif kind == "response_item":
            yield from self._tool_parts(payload)

    def _message_parts(self, message: _Message) -> Iterator[Part]:
        """The first record of a message speaks; the second is the same again."""
        if not message.text.strip():
            return
        for n, other in reversed(list(enumerate(self.lone))):
            if other is not None and message.same_as(other):
                self.lone[n] = None
                self.lone.append(None)
                return
        self.lone.append(message)
        if message.by == "assistant":
            yield Role.ASSISTANT, message.text, None
        elif message.by == "user":
            for role, text in spoken_parts(message.text, self.prompted_by):
                yield self.calls.noted(text) if role is Role.SYSTEM else role, text, None
        else:
            yield Role.SYSTEM, message.text, None

    def _tool_parts(self, payload: Record) -> Iterator[Part]:
        """Calls and results of every sort, known by the ends of their types."""
        kind = str(payload.get("type"))
        call = payload.get("call_id") or payload.get("id")
        if kind.endswith("_output"):
            yield self.calls.result(call, _output(payload.get("output")))
        elif kind.endswith("_call"):
            name = line_in(payload, "name") or kind.removesuffix("_call")
            yield self.calls.call(call, name, _input(payload))


def unwrapped(record: Record) -> tuple[str | None, Record]:
    """Type and payload of a record; None for an unknown type, nothing for a payload that is none.

    Old rollouts have bare items, under a bare first line.
    """
    kind = record.get("type")
    if kind in KNOWN_TYPES:
        payload = record.get("payload")
        return str(kind), payload if isinstance(payload, dict) else {}
    if "payload" in record:
        return None, {}
    if kind == "message" or str(kind).endswith(("_call", "_output")):
        return "response_item", record
    if kind is None and "id" in record and "timestamp" in record:
        return META, record
    return None, record


def title_of(kind: str | None, payload: Record) -> str | None:
    """The name that a person gave the thread."""
    named = kind == "event_msg" and payload.get("type") == "thread_name_updated"
    return line_in(payload, "thread_name") if named else None


def cwd_of(kind: str | None, payload: Record) -> str | None:
    """The folder that a record says the thread is in; old rollouts say it to the model alone."""
    if kind in (META, "turn_context"):
        return line_in(payload, "cwd")
    try:
        message = _message(kind, payload)
    except MalformedRecordError:
        return None  # counted when it is read
    told = message is not None and message.by == "user" and _CWD.search(message.text)
    return clean_line(told[1] or told[2]) if told else None


def _message(kind: str | None, payload: Record) -> _Message | None:
    said = payload.get("type")
    if kind == "event_msg" and said in ("user_message", "agent_message"):
        text = payload.get("message")
        if not isinstance(text, str):
            raise MalformedRecordError("no message")
        images = [*_listed(payload.get("images")), *_listed(payload.get("local_images"))]
        by = "user" if said == "user_message" else "assistant"
        return _Message(by, _with_images(text, len(images)), shown=True)
    if kind == "response_item" and (said == "message" or (said is None and "role" in payload)):
        return _Message(str(payload.get("role")), _text_of(payload.get("content")), shown=False)
    return None


def _text_of(content: object) -> str:
    """The text of a message or a result, given as a string or as parts; a note in place of each image."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise MalformedRecordError("no content")
    texts = [part["text"] for part in content if isinstance(part.get("text"), str)]
    images = sum(part.get("type") == "input_image" for part in content)
    return _with_images("\n".join(t for t in texts if not _IMAGE_TAG.fullmatch(t)), images)


def _with_images(text: str, count: int) -> str:
    notes = "\n".join(["[image]"] * count)
    return f"{notes}\n\n{text}".strip() if notes else text


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _input(payload: Record) -> object:
    """What a call was given: arguments (JSON in a string), the input of a free-form tool, or an action."""
    given = (payload.get(name) for name in ("arguments", "input", "action", "summary"))
    return next((value for value in given if value), {})


def _output(value: object) -> str:
    """The text of a result. Some tools wrap it: `{"output": text, "metadata": {…}}`, as JSON in a string."""
    if isinstance(value, str) and value.startswith('{"output"'):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    if isinstance(value, dict):
        value = value.get("output", value.get("content", ""))
    return "" if value is None else _text_of(value)
