"""What becomes of an event before it is stored: cleaned, known as ours or not, masked, clipped."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from memgardend.core.clean import clean, clean_line
from memgardend.core.clip import clip_masked, clip_spans
from memgardend.core.marker import Extent, own_parts
from memgardend.core.mask import mask
from memgardend.core.pasted import pasted_spans
from memgardend.core.records import NewEvent
from memgardend.core.words import SPEECH_ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memgardend.core.marker import OwnPart
    from memgardend.core.records import Span, Window

LIMIT_CHARS = {
    Role.HUMAN: 32_000,
    Role.SCRIPT: 32_000,
    Role.OWN: 32_000,
    Role.ASSISTANT: 8_000,
    Role.TOOL: 2_000,
    Role.SYSTEM: 2_000,
    Role.REPLAY: 8_000,
}
"""How much of an event is stored (DESIGN section 8)."""

TITLE_CHARS = 200
_TITLE_READ_CHARS = 2_000  # no longer title is looked at, so that masking stays cheap

_OWN_TOOLS = ("memory_", "memgardend")
_LEFT_OUT = {
    Extent.WHOLE: "\n> [a prompt of memgardend, left out]\n",
    Extent.BEGINNING: "\n> [the rest is of memgardend, left out]\n",
    Extent.MENTION: "[memgardend-own]",
}
"""What stands for text of ours in a turn of a person; on lines of its own it counts as pasted."""
_RECALLED = "\n> [recalled by memgardend, left out]\n"

_PROMPT_ROLES = frozenset({Role.HUMAN, Role.SCRIPT, Role.OWN})


def take_in(event: NewEvent, key: bytes) -> NewEvent:
    """The event as it is stored. Pasted spans count in the stored text.

    A person who quotes text of ours keeps their own words; any other text with a marker of ours is ours.
    """
    text = clean(event.text)
    parts = own_parts(text, key)
    role = Role.OWN if _is_ours(event, text, parts) else event.role
    stored, pasted = _stored(text if role is Role.OWN or not parts else _quoting(text, parts), role)
    native_id = clean_line(event.native_id) if event.native_id else None
    tool = clean_line(event.tool) if event.tool else None
    before = (event.role, event.text, event.pasted, event.native_id, event.tool)
    if role is not Role.OWN and not parts and (role, stored, pasted, native_id, tool) == before:
        return event  # as most are: to make another takes as long as to look at this one
    return NewEvent(
        native_id=native_id,
        at=event.at,
        role=role,
        asked_by_us=event.asked_by_us or (bool(parts) and any(map(_asks, parts))),
        recalled=event.recalled or (role is Role.OWN and _prompts_nobody(parts)),
        text=stored,
        pasted=pasted,
        tool=tool,
    )


def take_in_window(window: Window) -> Window:
    """The window with its title masked, clean and of a length that can be shown."""
    title = mask(clean_line(window.title[:_TITLE_READ_CHARS])) if window.title else ""
    return replace(window, title=title[:TITLE_CHARS] or None)


def begins_as_own(events: Iterable[NewEvent]) -> bool:
    """True for a conversation whose first prompt is ours: a run of our own model command.

    What is recalled into a conversation of somebody else prompts nobody.
    """
    prompts = (event for event in events if event.role in _PROMPT_ROLES and not event.recalled)
    first = next(prompts, None)
    return first is not None and (first.role is Role.OWN or first.asked_by_us)


def _stored(text: str, role: Role) -> tuple[str, tuple[Span, ...]]:
    """Masked and clipped. Only in speech does it matter what is pasted: nothing else proves what it would."""
    limit = LIMIT_CHARS[role]
    if role not in SPEECH_ROLES:
        return clip_masked(text, limit), ()
    masked = mask(text)
    return clip_spans(masked, limit, pasted_spans(masked))


def _is_ours(event: NewEvent, text: str, parts: Sequence[OwnPart]) -> bool:
    """Text with a part of ours; a person who quotes one among words of their own still speaks."""
    if event.role is not Role.HUMAN:
        return bool(parts) or _is_own_tool(event.tool)
    return bool(parts) and not "".join(_around(text, parts)).strip()


def _asks(part: OwnPart) -> bool:
    return part.extent is Extent.WHOLE and not part.recalled


def _prompts_nobody(parts: Sequence[OwnPart]) -> bool:
    """What was recalled, and what our tools and commands have answered, which carries no marker."""
    return all(part.recalled for part in parts)


def _quoting(text: str, parts: Sequence[OwnPart]) -> str:
    """The text with a note in place of each part of ours."""
    notes = [_RECALLED if part.recalled else _LEFT_OUT[part.extent] for part in parts]
    return "".join(chain.from_iterable(zip_longest(_around(text, parts), notes, fillvalue="")))


def _around(text: str, parts: Sequence[OwnPart]) -> Iterator[str]:
    """What stands before, between and after the parts."""
    at = 0
    for part in parts:
        yield text[at : part.start]
        at = part.end
    yield text[at:]


def _is_own_tool(tool: str | None) -> bool:
    """Our tools, called plainly or through MCP (`mcp__<server>__memory_search`), and our command by its name."""
    return tool is not None and tool.rpartition("__")[2].startswith(_OWN_TOOLS)
