"""What the records of a Claude Code transcript say: pure functions from one record to events.

The format is internal to Claude Code and changes; unknown types say nothing. Facts about it: the notes on
transcript formats in docs/sources.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.clean import clean_line
from memgardend.core.words import Role
from memgardend.daemon.sources.claude_roles import role_of_prompt
from memgardend.daemon.sources.parts import (
    MalformedRecordError,
    Part,
    Record,
    hashed_id,
    id_in,
    numbered,
    time_ms,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memgardend.core.records import NewEvent
    from memgardend.daemon.sources.calls import Calls

TITLE_FIELDS = {
    "summary": "summary",
    "custom-title": "customTitle",
    "ai-title": "aiTitle",
    "agent-name": "agentName",
}
SPOKEN_TYPES = frozenset({"user", "assistant", "attachment", "system"})
"""Types of records that may hold events."""


def events_of(record: Record, scope: str, calls: Calls, *, aside: bool) -> list[NewEvent]:
    """The events of one record, in order. Tool calls are noted in `calls` for their results.

    `scope` tells apart equal records of several windows that carry neither id nor time. `aside`: the record
    belongs to a sub-agent, whose prompts no person typed. Raises MalformedRecordError.
    """
    native_id = native_id_of(record, scope)
    parts = _parts(record, calls, aside=aside)
    return numbered(parts, native_id, time_ms(record.get("timestamp")))


def native_id_of(record: Record, scope: str) -> str:
    """The record's own id; without one, a hash of what it says, the same wherever the line stands."""
    stamped = isinstance(record.get("timestamp"), str)
    return id_in(record, "uuid") or hashed_id(record, "" if stamped else scope)


def title_of(record: Record) -> str | None:
    """The title that a record gives its conversation."""
    title = record.get(TITLE_FIELDS.get(str(record.get("type")), ""))
    return clean_line(title) if isinstance(title, str) and title.strip() else None


def _parts(record: Record, calls: Calls, *, aside: bool) -> Iterable[Part]:
    match record.get("type"):
        case "user":
            return _user_parts(record, calls, aside=aside)
        case "assistant":
            return _assistant_parts(record, calls)
        case "attachment":
            return _queued_parts(record, aside=aside)
        case "system" if record.get("subtype") in ("compact_boundary", "local_command"):
            return [(Role.SYSTEM, _flat(record.get("content")), None)]
    return ()


def _user_parts(record: Record, calls: Calls, *, aside: bool) -> Iterator[Part]:
    prompts: list[tuple[Role, str]] = []
    for block in _blocks(record):
        if block.get("type") == "tool_result":
            yield calls.result(block.get("tool_use_id"), _flat(block.get("content")))
        elif text := _block_text(block):
            role = role_of_prompt(record, text, aside=aside)
            prompts.append((calls.noted(text) if role is Role.SYSTEM else role, text))
    if prompts:
        yield from _joined(prompts)


def _joined(prompts: list[tuple[Role, str]]) -> Iterator[Part]:
    """Blocks of one message are one turn; what the agent added to it stands apart."""
    for role in (Role.SYSTEM, Role.OWN, Role.SCRIPT, Role.HUMAN):
        texts = [text for other, text in prompts if other is role]
        if texts:
            yield role, "\n\n".join(texts), None


def _assistant_parts(record: Record, calls: Calls) -> Iterator[Part]:
    message = record.get("message")
    made_up = record.get("isApiErrorMessage") is True or (
        isinstance(message, dict) and message.get("model") == "<synthetic>"
    )
    for block in _blocks(record):
        match block.get("type"):
            case "text":
                yield Role.SYSTEM if made_up else Role.ASSISTANT, _block_text(block), None
            case "tool_use" | "server_tool_use":
                name = str(block.get("name") or "tool")
                yield calls.call(block.get("id"), name, block.get("input"))


def _queued_parts(record: Record, *, aside: bool) -> Iterator[Part]:
    """What a person typed while the agent was busy comes as an attachment."""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    prompt = attachment.get("prompt")
    if text := _flat(prompt):
        origin = attachment.get("origin", record.get("origin"))
        yield role_of_prompt({**record, "origin": origin}, text, aside=aside), text, None


def _blocks(record: Record) -> list[Record]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise MalformedRecordError("no message content")
    for block in content:
        if not isinstance(block, dict):
            raise MalformedRecordError("a content block that is no object")
    return content


def _block_text(block: Record) -> str:
    """The text of a block; a note in place of an image or a document; nothing for thinking."""
    match block.get("type"):
        case "text":
            text = block.get("text")
            return text if isinstance(text, str) else ""
        case "image" | "document" as kind:
            source = block.get("source")
            media = source.get("media_type") if isinstance(source, dict) else None
            return f"[{kind}: {media}]" if isinstance(media, str) else f"[{kind}]"
        case _:
            return ""


def _flat(content: object) -> str:
    """The text of a result, given as a string or as blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (_block_text(block) for block in content if isinstance(block, dict))
        return "\n".join(text for text in texts if text)
    return ""
