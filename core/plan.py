"""The plan of a dream: which events and memories it is shown, frozen before the first call (DESIGN 5.3)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from memgardend.core.cutting import Room, choose_memories, context_of, cut, is_news
from memgardend.core.judgement import StagedView
from memgardend.core.words import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.records import Event, Memory, Window

PANORAMA_ENTRIES = 40
PANORAMA_CHARS = 8_000
"""A panorama over either of these is condensed by the project round (DESIGN 5.4)."""
PANORAMA_LAYERS = frozenset({Layer.PROJECT, Layer.FACT, Layer.LESSON})
"""What the project round may condense; topics and rules of a project are not its matter."""


@dataclass(frozen=True, slots=True)
class PlannedMemory:
    """A memory that the dream is shown, as it was at the plan. `handle` is its name in prompts (`m3`)."""

    handle: str
    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event that the dream is shown (`e12`). `prelude`: context only, dreamed before or elsewhere."""

    handle: str
    seq: int
    prelude: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one dream covers: the events with from_seq < seq <= through_seq, and what is shown with them.

    `seal` is the time (ms) after which the dream knows nothing. `continued`: more of the window stays due.
    `continues`: the dream before was cut where this one starts. `first_memory`: of those that did not fit, the
    one that the window's next dream begins with. `refreshes` counts how often memories that changed meanwhile
    were read again.
    """

    window: str
    from_seq: int
    through_seq: int
    seal: int
    locale: str
    events: tuple[PlannedEvent, ...] = ()
    memories: tuple[PlannedMemory, ...] = ()
    panoramas: tuple[tuple[str, tuple[PlannedMemory, ...]], ...] = ()
    continued: bool = False
    continues: bool = False
    first_memory: str | None = None
    refreshes: int = 0

    @property
    def all_memories(self) -> tuple[PlannedMemory, ...]:
        """Every memory with a handle, those of the panoramas included, each once."""
        panoramas = (memory for _, shown in self.panoramas for memory in shown)
        return tuple(dict.fromkeys((*self.memories, *panoramas)))

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read what `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            **{
                **data,
                "events": tuple(PlannedEvent(**event) for event in data["events"]),
                "memories": _memories(data["memories"]),
                "panoramas": tuple((name, _memories(shown)) for name, shown in data["panoramas"]),
            }
        )

    def refreshed(self, revisions: Mapping[str, int]) -> Plan:
        """The same plan with the revisions that these memory ids have now."""

        def fresh(memories: tuple[PlannedMemory, ...]) -> tuple[PlannedMemory, ...]:
            return tuple(replace(m, revision=revisions.get(m.id, m.revision)) for m in memories)

        return replace(
            self,
            memories=fresh(self.memories),
            panoramas=tuple((project, fresh(shown)) for project, shown in self.panoramas),
            refreshes=self.refreshes + 1,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLimits:
    """How much a prompt may hold. `guide_chars`: its length without events and memories (prompt.frame_chars)."""

    max_prompt_chars: int
    guide_chars: int
    related_limit: int
    rules_review_ms: int  # 0: rules never stay out


def make_plan(
    window: Window,
    events: Sequence[Event],
    prelude: Sequence[Event],
    touched: Sequence[Memory],
    related: Sequence[Memory],
    panoramas: Mapping[str, Sequence[Memory]],
    limits: PlanLimits,
    now: int,
    locale: str,
    *,
    due_through: int | None = None,
    before: Plan | None = None,
) -> Plan:
    """Choose what a dream of the window is shown.

    `events` are those after the watermark, by seq, at least one; `prelude` the last ones before it; `before` is
    the plan of the window's last dream. News is
    what was said or done here and not corrected later: our own text and replaced events are covered, never
    shown; replays are context. The plan ends before the first news that no longer fits; the first always
    does, shown head and tail if it must. Raises ConfigError when the limit leaves no room for that.
    """
    if not events:
        raise ValueError("a plan needs at least one event")
    room = Room(limits.max_prompt_chars, limits.guide_chars)
    news = [event for event in events if is_news(event)]
    due = [event for event in news if due_through is None or event.seq <= due_through] or news[:1]
    context = context_of(prelude, events, room)
    memories, first_memory = choose_memories(
        touched,
        related[: limits.related_limit],
        room.for_memories(due, context),
        reviewed_after=now - limits.rules_review_ms if limits.rules_review_ms else None,
        first=before.first_memory if before else None,
    )
    shown = cut(due, room.for_events(memories, context))
    continued = len(shown) < len(news)
    through = shown[-1].seq if continued else events[-1].seq
    planned = _plan_events(shown, [event for event in context if event.seq <= through])
    shelves = {
        project: [memory for memory in panoramas[project] if memory.layer in PANORAMA_LAYERS]
        for project in sorted(panoramas)
    }
    planned_memories = _plan_memories(
        [*memories, *(m for shelf in shelves.values() for m in shelf)]
    )
    return Plan(
        window=window.id,
        from_seq=window.dreamed_seq,
        through_seq=through,
        seal=max(event.at for event in shown or events),
        locale=locale,
        events=planned,
        memories=tuple(planned_memories[memory.id] for memory in memories),
        panoramas=tuple(
            (project, tuple(planned_memories[memory.id] for memory in shelf))
            for project, shelf in shelves.items()
        ),
        continued=continued,
        continues=before is not None
        and before.continued
        and before.through_seq == window.dreamed_seq,
        first_memory=first_memory,
    )


def view_of(plan: Plan, events: Iterable[Event], memories: Iterable[Memory]) -> StagedView:
    """The view that the first round starts from: what the handles of the plan stand for.

    Raises KeyError when an event or memory of the plan is not among those given.
    """
    by_seq = {event.seq: event for event in events}
    by_id = {memory.id: memory for memory in memories}
    return StagedView(
        memories={planned.handle: by_id[planned.id] for planned in plan.all_memories},
        events={planned.handle: by_seq[planned.seq] for planned in plan.events},
        changes=(),
        retired=frozenset(),
    )


def panorama_of(plan: Plan, view: StagedView, project: str) -> dict[str, Memory]:
    """The active entries of a project's panorama as the earlier rounds left them, by handle."""
    planned = {memory.id for name, shown in plan.panoramas if name == project for memory in shown}
    changed = {change.after.id for change in view.changes}
    return {
        handle: memory
        for handle, memory in view.memories.items()
        if memory.status is Status.ACTIVE
        and handle not in view.retired
        and (memory.id in planned or (memory.id in changed and _belongs(memory, project)))
    }


def panorama_due(plan: Plan, view: StagedView) -> tuple[str, ...]:
    """The projects whose panorama this dream has changed and that is too long (DESIGN 5.4)."""
    return tuple(
        project
        for project, _ in plan.panoramas
        if any(
            _belongs(memory, project)
            for change in view.changes
            for memory in (change.before, change.after)
            if memory is not None
        )
        and _is_long(panorama_of(plan, view, project).values())
    )


def _is_long(entries: Iterable[Memory]) -> bool:
    sizes = [len(memory.content) for memory in entries]
    return len(sizes) > PANORAMA_ENTRIES or sum(sizes) > PANORAMA_CHARS


def _belongs(memory: Memory, project: str) -> bool:
    return memory.layer in PANORAMA_LAYERS and project in memory.scope.projects


def _plan_events(news: Sequence[Event], context: Sequence[Event]) -> tuple[PlannedEvent, ...]:
    marked = sorted([(e.seq, False) for e in news] + [(e.seq, True) for e in context])
    return tuple(PlannedEvent(f"e{n}", seq, old) for n, (seq, old) in enumerate(marked, start=1))


def _plan_memories(memories: Iterable[Memory]) -> dict[str, PlannedMemory]:
    """By id: each memory once, with the next handle."""
    once = {memory.id: memory for memory in memories}
    return {
        memory.id: PlannedMemory(f"m{number}", memory.id, memory.revision)
        for number, memory in enumerate(once.values(), start=1)
    }


def _memories(items: Iterable[dict[str, Any]]) -> tuple[PlannedMemory, ...]:
    return tuple(PlannedMemory(**item) for item in items)
