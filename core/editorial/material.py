"""A stretch that is to be judged, turn by turn: out of plain text, of messages, or of a window's events."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean
from memgardend.core.editorial.naming import speaker_label
from memgardend.core.errors import UsageError
from memgardend.core.mask import mask
from memgardend.core.pasted import pasted_spans
from memgardend.core.times import local, parse_time
from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from memgardend.core.editorial.wording.locale_words import LocaleWords
    from memgardend.core.records import Event, Span

PERSON = ("user", "human", "person", "me", "i", "you", "用户", "我", "你")
ASSISTANT = ("assistant", "ai", "bot", "model", "chatgpt", "claude", "gemini", "助手", "机器人")
"""What exports of conversations call the two who talk, before a colon at the head of a line."""

_LABEL = r"(?m)^[ \t]*(?:\[[^\]\n]{{1,40}}\][ \t]*)?[#*]{{0,4}}[ \t]*(?:{})[ \t]*\*{{0,2}}[ \t]*[:：]\*{{0,2}}"
_ROLES = {
    **dict.fromkeys(("user", "human", "person"), Role.HUMAN),
    **dict.fromkeys(("assistant", "model", "ai"), Role.ASSISTANT),
}


class MaterialError(UsageError):
    """What was to be judged is no text, or no list of messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """What one of the two said, or a tool did. `at`: None when nobody knows; epoch milliseconds, UTC."""

    role: Role
    text: str
    at: int | None = None
    pasted: tuple[Span, ...] = ()
    tool: str | None = None


def turns_of_text(text: str, *, person: str = "", assistant: str = "") -> tuple[SpokenTurn, ...]:
    """The turns of a text whose lines may begin with a speaker; what nobody is named for, the person wrote."""
    names = {name: Role.HUMAN for name in (*PERSON, person.strip()) if name}
    names |= {name: Role.ASSISTANT for name in (*ASSISTANT, assistant.strip()) if name}
    either = "|".join(f"(?P<n{n}>{re.escape(name)})" for n, name in enumerate(names))
    found = list(re.finditer(_LABEL.format(either), text, re.IGNORECASE))
    roles = list(names.values())
    starts = [
        (0, Role.HUMAN),
        *((one.end(), roles[int((one.lastgroup or "n0")[1:])]) for one in found),
    ]
    ends = [*(one.start() for one in found), len(text)]
    return tuple(
        _turn(role, text[start:end])
        for (start, role), end in zip(starts, ends, strict=True)
        if text[start:end].strip()
    )


def turns_of_messages(text: str) -> tuple[SpokenTurn, ...] | None:
    """The turns of JSON lines, each `{role, text or content, at?}`; None when the text is no such thing.

    Raises MaterialError, with the line, where some lines are messages and one is none.
    """
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines or _message(lines[0][1]) is None:
        return None
    turns = []
    for number, line in lines:
        turn = _message(line)
        if turn is None:
            raise MaterialError(
                f"line {number} is no message: each line is one JSON object",
                hint='{"role": "user", "text": "…"}',
            )
        turns.append(turn)
    return tuple(turns)


def turns_of_events(events: Iterable[Event]) -> tuple[SpokenTurn, ...]:
    """What was said and done in a window: replays, our own text and what an edit replaced are left out."""
    heard = {Role.HUMAN, Role.SCRIPT, Role.ASSISTANT, Role.TOOL}
    return tuple(
        SpokenTurn(role=one.role, text=one.text, at=one.at, pasted=one.pasted, tool=one.tool)
        for one in events
        if one.role in heard and not one.replaced
    )


def rendered(
    turns: Sequence[SpokenTurn],
    *,
    words: LocaleWords,
    zone: tzinfo = UTC,
    user_name: str = "",
    ai_name: str = "",
) -> str:
    """The turns as a model reads them, one below the other, each with who spoke and when."""
    return "\n\n".join(_line(one, words, zone, user_name, ai_name) for one in turns)


def _line(turn: SpokenTurn, words: LocaleWords, zone: tzinfo, user_name: str, ai_name: str) -> str:
    when = "" if turn.at is None else f"[{local(turn.at, zone):%Y-%m-%d %H:%M}] "
    who = speaker_label(turn.role, words=words, user_name=user_name, ai_name=ai_name)
    if turn.role is Role.TOOL:
        who = f"({turn.tool or Role.TOOL})"
    return f"{when}{who}: {turn.text}"


def _turn(role: Role, text: str) -> SpokenTurn:
    said = mask(text.strip())
    return SpokenTurn(role=role, text=said, pasted=pasted_spans(said))


def _message(line: str) -> SpokenTurn | None:
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    text = said.get("text", said.get("content"))
    role = _ROLES.get(str(said.get("role", "user")).casefold(), Role.TOOL)
    if not isinstance(text, str):
        return None
    text = mask(clean(text))
    return SpokenTurn(role=role, text=text, at=_instant(said.get("at")), pasted=pasted_spans(text))


def _instant(value: object) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        return parse_time(value, UTC)
    except ValueError:
        return None
