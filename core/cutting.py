"""How much of a window fits one prompt: which events are news, which are context, where the cut falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from memgardend.core.errors import ConfigError
from memgardend.core.mask import mask
from memgardend.core.words import Layer, Role, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Event, Memory

T = TypeVar("T")

EVENT_OVERHEAD_CHARS = 240
"""The header of an event, and where it breaks off, at most."""
PASTED_OVERHEAD_CHARS = 160
"""The marks around a pasted span, at most."""
MEMORY_OVERHEAD_CHARS = 480
"""What a memory's line says besides its texts, with the heading of its group, at most."""
MEMORY_SHARE = 0.4
CONTEXT_SHARE = 0.1
"""Parts of the room that memories and context may take from events that would need it themselves."""
CONTEXT_EVENTS = 12
CONTEXT_EVENT_CHARS = 600
"""Context is the last few turns, each broken off early."""
EVENT_MIN_CHARS = 200
"""An event is never squeezed further than this."""
ROOM_MIN_CHARS = 3_000
"""Below this the halves that are left for events no longer hold one."""


def is_news(event: Event) -> bool:
    """True for what a dream must be shown: neither our own text, nor a replay, nor corrected later."""
    return event.role not in (Role.OWN, Role.REPLAY) and not event.replaced


def event_chars(event: Event, limit_chars: int | None = None) -> int:
    """How much room an event takes in a prompt, at most."""
    text = len(mask(event.text)) if limit_chars is None else min(len(event.text), limit_chars)
    return text + EVENT_OVERHEAD_CHARS + PASTED_OVERHEAD_CHARS * len(event.pasted)


def memory_chars(memory: Memory) -> int:
    """How much room a memory takes in a prompt, at most."""
    texts = (memory.content, memory.title or "", memory.goal or "", *memory.keywords)
    return MEMORY_OVERHEAD_CHARS + sum(len(mask(text)) + 2 for text in texts)


@dataclass(frozen=True, slots=True)
class Room:
    """The characters of a prompt and who gets them: events first, so that every dream makes progress.

    Raises ConfigError when the guide leaves less than ROOM_MIN_CHARS.
    """

    max_prompt_chars: int
    guide_chars: int

    def __post_init__(self) -> None:
        if self.total < ROOM_MIN_CHARS:
            least = self.guide_chars + ROOM_MIN_CHARS
            raise ConfigError(
                f"model.max_prompt_chars is {self.max_prompt_chars}: these prompts need {least}",
                hint=f"set model.max_prompt_chars to {least} or more in memgarden.yaml",
            )

    @property
    def total(self) -> int:
        """What events, context and memories share."""
        return self.max_prompt_chars - self.guide_chars

    @property
    def for_context(self) -> int:
        return int(self.total * CONTEXT_SHARE)

    def for_memories(self, news: Sequence[Event], context: Sequence[Event]) -> int:
        """A bounded share, or all that the events leave."""
        share, left = int(self.total * MEMORY_SHARE), self.total - _context_chars(context)
        for event in news:
            left -= event_chars(event)
            if left <= share:  # a backlog may be long: look no further
                return share
        return max(share, left)

    def for_events(self, memories: Sequence[Memory], context: Sequence[Event]) -> int:
        """What memories and context leave."""
        return self.total - _context_chars(context) - sum(map(memory_chars, memories))


def cut(news: Sequence[Event], room_chars: int) -> list[Event]:
    """The first events that fit together; always at least the first."""
    used = 0
    for count, event in enumerate(news):
        used += event_chars(event)
        if used > room_chars and count:
            return list(news[:count])
    return list(news)


def context_of(prelude: Sequence[Event], events: Sequence[Event], room: Room) -> list[Event]:
    """The last turns that are no news here: dreamed before the watermark, or replayed from elsewhere."""
    known = [event for event in prelude if event.role is not Role.OWN and not event.replaced]
    known += [event for event in events if event.role is Role.REPLAY and not event.replaced]
    left, first = room.for_context, len(known)
    while first > max(0, len(known) - CONTEXT_EVENTS):
        left -= event_chars(known[first - 1], CONTEXT_EVENT_CHARS)
        if left < 0:
            break
        first -= 1
    return known[first:]


def choose_memories(
    touched: Sequence[Memory],
    related: Sequence[Memory],
    room_chars: int,
    *,
    reviewed_after: int | None,
    first: str | None,
) -> tuple[list[Memory], str | None]:
    """The memories to show, whole or not at all: touched active ones, related ones, touched finished ones.

    Rules not updated since `reviewed_after` stay out. A memory that does not fit makes way for the next. The
    touched ones begin with the one whose id is `first`; also returns the `first` of the next dream, so that in
    successive dreams each of them is either shown or comes first, with the whole room for itself.
    """

    def stays_out(memory: Memory) -> bool:
        return (
            memory.layer is Layer.RULES
            and reviewed_after is not None
            and memory.updated_at < reviewed_after
        )

    active = [one for one in touched if one.status is Status.ACTIVE and not stays_out(one)]
    places = {memory.id: place for place, memory in enumerate(active)}
    active = by_turns(active, places.get(first or "", 0))
    ordered = (
        *active,
        *(one for one in related if one.status is Status.ACTIVE and not stays_out(one)),
        *(one for one in touched if one.status is not Status.ACTIVE and not stays_out(one)),
    )
    chosen: dict[str, Memory] = {}
    for memory in ordered:
        if memory.id not in chosen and (chars := memory_chars(memory)) <= room_chars:
            chosen[memory.id] = memory
            room_chars -= chars
    waiting = (memory.id for memory in active[1:] if memory.id not in chosen)
    return list(chosen.values()), next(waiting, None)


def by_turns(items: Sequence[T], turn: int) -> list[T]:
    """The items in their order, from another one on at each turn: batches of what never fits together."""
    first = turn % len(items) if items else 0
    return [*items[first:], *items[:first]]


def _context_chars(context: Sequence[Event]) -> int:
    return sum(event_chars(event, CONTEXT_EVENT_CHARS) for event in context)
