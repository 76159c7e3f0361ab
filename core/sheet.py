"""What one round is shown: which events and memories of the staged view, and how much of each fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from memgardend.core.cutting import CONTEXT_EVENT_CHARS, EVENT_MIN_CHARS, MEMORY_SHARE, by_turns
from memgardend.core.errors import ConfigError
from memgardend.core.excerpt import excerpt
from memgardend.core.plan import panorama_due, panorama_of
from memgardend.core.words import Layer, Role, RoundName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.display import Display
    from memgardend.core.excerpt import Part
    from memgardend.core.judgement import StagedView
    from memgardend.core.plan import Plan
    from memgardend.core.records import Event, Memory


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event of the plan with the parts that fit, and its text. `known`: context, no news."""

    handle: str
    event: Event
    known: bool
    parts: tuple[Part, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A memory as the earlier rounds left it, its text, and the heading that it stands under.

    `context`: shown to be known, not to be edited here.
    """

    handle: str
    memory: Memory
    context: bool
    group: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The events and memories of one prompt, in the order in which they stand there."""

    events: tuple[ShownEvent, ...] = ()
    memories: tuple[ShownMemory, ...] = ()
    left_out: bool = False  # memories of the round that did not fit


def lay_out(
    round_name: RoundName, plan: Plan, view: StagedView, display: Display, room_chars: int
) -> Sheet:
    """Fill the room: memories whole or not at all, then events, the longest squeezed until all fit.

    Raises ConfigError when the events of the plan do not fit the room any more.
    """
    planned = events_of_round(round_name, plan, view)
    events = _shown(planned, display)
    share = max(int(room_chars * MEMORY_SHARE), room_chars - _size(events))
    candidates = memories_of_round(round_name, plan, view)
    memories, used = _fitting(candidates, display, share)
    memories.sort(key=lambda shown: (shown.context, display.order(shown.memory)))
    left_out = len(memories) < len(candidates)
    if _size(events) > room_chars - used:
        events = _squeezed(planned, display, room_chars - used)
    return Sheet(events, tuple(memories), left_out)


def events_of_round(
    round_name: RoundName, plan: Plan, view: StagedView
) -> list[tuple[str, Event, bool]]:
    """Handle, event and `known` of the events a round sees.

    All for `atomic`; for `topic` what people said and what they were finally answered; none for `project`.
    """
    planned = [(p.handle, view.events[p.handle], p.prelude) for p in plan.events]
    if round_name is RoundName.ATOMIC:
        return planned
    return _turns_and_answers(planned) if round_name is RoundName.TOPIC else []


def memories_of_round(
    round_name: RoundName, plan: Plan, view: StagedView
) -> list[tuple[str, Memory, bool]]:
    """Handle, memory and `context` of what a round may edit, then of what the dream has changed so far."""
    if round_name is RoundName.PROJECT:
        panoramas = (panorama_of(plan, view, project) for project in panorama_due(plan, view))
        entries = {handle: memory for panorama in panoramas for handle, memory in panorama.items()}
        batch = by_turns(list(entries.items()), _lot(plan))
        return [(handle, memory, False) for handle, memory in batch]
    planned = {memory.handle for memory in plan.memories}
    changed = {change.after.id for change in view.changes}
    editable, context = [], []
    for handle, memory in view.memories.items():
        is_topic = memory.layer is Layer.TOPIC
        known = handle in planned or memory.id in changed
        if not known or handle in view.retired:
            continue
        if is_topic == (round_name is RoundName.TOPIC):
            editable.append((handle, memory, False))
        elif memory.id in changed:
            context.append((handle, memory, True))
    return [*editable, *context]


def _lot(plan: Plan) -> int:
    """A number drawn for the plan, the same each time: no rhythm of dreams lets some entries never come first."""
    return crc32(f"{plan.window} {plan.through_seq} {plan.seal}".encode())


def _turns_and_answers(
    planned: Sequence[tuple[str, Event, bool]],
) -> list[tuple[str, Event, bool]]:
    chosen: list[tuple[str, Event, bool]] = []
    answer: tuple[str, Event, bool] | None = None
    for item in planned:
        role = item[1].role
        if role in (Role.HUMAN, Role.SCRIPT):
            chosen += [answer, item] if answer else [item]
            answer = None
        elif role is Role.ASSISTANT:
            answer = item
    return [*chosen, answer] if answer else chosen


def _fitting(
    candidates: Iterable[tuple[str, Memory, bool]], display: Display, room_chars: int
) -> tuple[list[ShownMemory], int]:
    """Those that fit, in order of importance to the round, and the characters they take."""
    chosen, groups, used = [], set(), 0
    for handle, memory, context in candidates:
        group, text = display.group(memory), display.memory(handle, memory)
        cost = len(text) + 1
        cost += 0 if (context, group) in groups else len(group) + 1
        if used + cost <= room_chars:
            chosen.append(ShownMemory(handle, memory, context, group, text))
            groups.add((context, group))
            used += cost
    return chosen, used


def _squeezed(
    events: Sequence[tuple[str, Event, bool]], display: Display, room_chars: int
) -> tuple[ShownEvent, ...]:
    """The events with every longer one squeezed to the same length, the greatest at which all fit."""
    fits, too_long = EVENT_MIN_CHARS, max(len(event.text) for _, event, _ in events)
    if _size(_shown(events, display, fits)) > room_chars:
        raise ConfigError(
            "the planned events no longer fit a prompt: the limit or the prompt texts have changed",
            hint="raise model.max_prompt_chars in memgarden.yaml",
        )
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if _size(_shown(events, display, middle)) <= room_chars:
            fits = middle
        else:
            too_long = middle
    return _shown(events, display, fits)


def _size(events: Iterable[ShownEvent]) -> int:
    return sum(len(shown.text) + 1 for shown in events)


def _shown(
    events: Iterable[tuple[str, Event, bool]], display: Display, keep_chars: int | None = None
) -> tuple[ShownEvent, ...]:
    shown = []
    for handle, event, known in events:
        limits = [keep_chars] if keep_chars is not None else []
        limits += [CONTEXT_EVENT_CHARS] if known else []
        parts = excerpt(event, min(limits, default=None))
        text = display.event(handle, event, parts, known=known)
        shown.append(ShownEvent(handle, event, known, parts, text))
    return tuple(shown)
