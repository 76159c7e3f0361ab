"""When a turn deserves a look back: it is finished, and much was done in it without the memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memgardend.core.records import Event

SETTLED_MS = 2 * MINUTE_MS
"""An agent speaks between its steps, too: what it said last ends a turn only once it is quiet for so long."""
_ASKING = frozenset({Role.HUMAN, Role.SCRIPT})
_CANCELLED = re.compile(
    r"\binterrupted\b|\babort(?:ed)?\b|turn_aborted|\bcancell?ed\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """From what was asked to the last answer; `steps` is its longest run of steps without the memory."""

    first_seq: int
    last_seq: int
    ended_at: int  # epoch ms
    steps: int


def turn_to_reflect(
    events: Sequence[Event], *, tool_steps: int, now: int, settled_ms: int = SETTLED_MS
) -> FinishedTurn | None:
    """The last finished turn of these events with at least so many steps in a row, if there is one.

    A turn ends with an answer: one that stops at a tool was cancelled, or goes on. One that used the memory
    last has just looked back.
    """
    turns = list(_turns(events))
    found = None
    for number, turn in enumerate(turns):
        last_of_all = number == len(turns) - 1
        if last_of_all and turn[-1].at > now - settled_ms:
            continue
        if _is_finished(turn) and not _memory_was_last(turn):
            steps = longest_run(turn)
            if steps >= tool_steps:
                found = FinishedTurn(turn[0].seq, turn[-1].seq, turn[-1].at, steps)
    return found


def longest_run(turn: Iterable[Event]) -> int:
    """The most steps in a row that are none of the memory's; each of several at once counts.

    Agents write a call and its result as two events: the call holds its input as a JSON object, and what
    follows of the same tool is the result. A result without a call, as programs push it, is a step by itself.
    """
    longest = steps = 0
    called: list[str] = []
    for event in turn:
        if _used_memory(event):
            steps = 0
        if event.role is not Role.TOOL:
            continue
        name = event.tool or ""
        if event.text.lstrip().startswith("{"):
            called.append(name)
            steps += 1
        elif not name and called:
            called.pop(0)
        elif name in called:
            called.remove(name)
        else:
            steps += 1
        longest = max(longest, steps)
    return longest


def _turns(events: Iterable[Event]) -> Iterator[list[Event]]:
    turn: list[Event] = []
    for event in events:
        if event.replaced or event.role is Role.REPLAY:
            continue
        if event.role is Role.OWN and not _used_memory(event):
            continue
        if event.role in _ASKING and any(one.role not in _ASKING for one in turn):
            yield turn
            turn = []
        if turn or event.role in _ASKING:
            turn.append(event)
    if turn:
        yield turn


def _is_finished(turn: Sequence[Event]) -> bool:
    for event in reversed(turn):
        if event.role is Role.SYSTEM:
            if _CANCELLED.search(event.text):
                return False
            continue
        return event.role is Role.ASSISTANT
    return False


def _memory_was_last(turn: Sequence[Event]) -> bool:
    tools = [event for event in turn if event.role is Role.TOOL or _used_memory(event)]
    return bool(tools) and _used_memory(tools[-1])


def _used_memory(event: Event) -> bool:
    """True for a call of our tools, or of our command in a shell, and for what they answered."""
    return event.role is Role.OWN and event.tool is not None
