"""What one round is shown: which events and memories of the staged view, and how much of each fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.clock import MINUTE_MS
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
    """An event of the plan with the parts that fit. `known`: context, no news."""

    handle: str
    event: Event
    known: bool
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A memory as the earlier rounds left it. `context`: shown to be known, not to be edited here."""

    handle: str
    memory: Memory
    context: bool = False


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
    events = events_of_round(round_name, plan, view)
    needed = _size(events, display, None)
    share = max(int(room_chars * MEMORY_SHARE), room_chars - needed)
    candidates = memories_of_round(round_name, plan, view)
    memories, used = _fitting(candidates, display, share)
    keep = _keep_chars(events, display, room_chars - used)
    memories.sort(key=lambda shown: (shown.context, display.order(shown.memory)))
    left_out = len(memories) < len(candidates)
    return Sheet(tuple(_shown(events, keep)), tuple(memories), left_out)


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


def memories_of_round(round_name: RoundName, plan: Plan, view: StagedView) -> list[ShownMemory]:
    """The memories a round may edit, then those that the dream has changed so far, as context."""
    if round_name is RoundName.PROJECT:
        panoramas = (panorama_of(plan, view, project) for project in panorama_due(plan, view))
        entries = {handle: memory for panorama in panoramas for handle, memory in panorama.items()}
        batch = by_turns(list(entries.items()), plan.seal // MINUTE_MS)
        return [ShownMemory(handle, memory) for handle, memory in batch]
    planned = {memory.handle for memory in plan.memories}
    changed = {change.after.id for change in view.changes}
    shown = []
    for handle, memory in view.memories.items():
        is_topic = memory.layer is Layer.TOPIC
        known = handle in planned or memory.id in changed
        if not known or handle in view.retired:
            continue
        if is_topic == (round_name is RoundName.TOPIC):
            shown.append(ShownMemory(handle, memory))
        elif memory.id in changed:
            shown.append(ShownMemory(handle, memory, context=True))
    return sorted(shown, key=lambda item: item.context)


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
    candidates: Iterable[ShownMemory], display: Display, room_chars: int
) -> tuple[list[ShownMemory], int]:
    """Those that fit, in order of importance to the round, and the characters they take."""
    chosen, groups, used = [], set(), 0
    for shown in candidates:
        group = (shown.context, display.group(shown.memory))
        cost = len(display.memory(shown.handle, shown.memory)) + 1
        cost += 0 if group in groups else len(group[1]) + 1
        if used + cost <= room_chars:
            chosen.append(shown)
            groups.add(group)
            used += cost
    return chosen, used


def _keep_chars(
    events: Sequence[tuple[str, Event, bool]], display: Display, room_chars: int
) -> int | None:
    """The greatest length to which every longer event must be squeezed; None: all fit whole."""
    if _size(events, display, None) <= room_chars:
        return None
    fits, too_long = EVENT_MIN_CHARS, max(len(event.text) for _, event, _ in events)
    if _size(events, display, fits) > room_chars:
        raise ConfigError(
            "the planned events no longer fit a prompt: the limit or the prompt texts have changed",
            hint="raise model.max_prompt_chars in memgarden.yaml",
        )
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if _size(events, display, middle) <= room_chars:
            fits = middle
        else:
            too_long = middle
    return fits


def _size(events: Sequence[tuple[str, Event, bool]], display: Display, keep: int | None) -> int:
    return sum(
        len(display.event(shown.handle, shown.event, shown.parts, known=shown.known)) + 1
        for shown in _shown(events, keep)
    )


def _shown(
    events: Iterable[tuple[str, Event, bool]], keep_chars: int | None
) -> Iterable[ShownEvent]:
    for handle, event, known in events:
        limits = [keep_chars] if keep_chars is not None else []
        limits += [CONTEXT_EVENT_CHARS] if known else []
        yield ShownEvent(handle, event, known, excerpt(event, min(limits, default=None)))
