"""Gather what a dream will see, freeze it in a plan, and load it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.config.prompting import prompt_settings
from memgardend.core.clock import DAY_MS
from memgardend.core.cutting import EVENT_OVERHEAD_CHARS, is_news
from memgardend.core.gate_rules import waited_too_long
from memgardend.core.least import require_room
from memgardend.core.nearest import nearest
from memgardend.core.pauses import last_pause
from memgardend.core.plan import Plan, PlanLimits, make_plan, view_of
from memgardend.core.ports.index import Within
from memgardend.core.prompt import frame_chars
from memgardend.core.ranking import Manner
from memgardend.core.words import SPEECH_ROLES, DreamState, Layer, Role, RoundName, Status
from memgardend.jobs.shared import gate_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Event, Memory, Window
    from memgardend.core.staging import StagedView
    from memgardend.jobs.asking import Run
    from memgardend.jobs.context import Garden
    from memgardend.jobs.start import Started

log = structlog.get_logger(__name__)

ROUND_ORDER = {name: place for place, name in enumerate(RoundName)}

PAGE_EVENTS = 200
"""How many events are read at once; a prompt of the usual size holds fewer."""

PAUSE_WITHIN_EVENTS = 20 * PAGE_EVENTS
"""How far back a pause is looked for. What had none for so long is no conversation with breaks."""

PRELUDE_TURNS = 6
"""How many already dreamed turns a prompt repeats for context."""


def require_prompts(garden: Garden) -> None:
    """Return when every slot of the prompts has a text, and they leave room for a conversation.

    Raises ConfigError, with a way out, otherwise.
    """
    require_room(garden.slot, prompt_settings(garden.config))


def plan_dream(garden: Garden, started: Started) -> Plan:
    """The frozen plan if an answer rests on it, else a new one over all that is due now."""
    dream, lease = started.dream, started.lease
    garden.store.keep_index(garden.config.locale)
    garden.store.fold_marks()  # the window's own are among what it is shown
    rounds = garden.store.rounds(dream.id)
    if dream.plan and any(one.answer is not None for one in rounds):
        return Plan.from_json(dream.plan)
    plan = draft_plan(garden, started)
    garden.store.save_plan(
        lease, plan.to_json(), plan.seal, plan.from_seq, plan.through_seq, tuple(RoundName)
    )
    garden.failpoints.hit("plan.after")
    log.info(
        "dream_planned",
        from_seq=plan.from_seq,
        through_seq=plan.through_seq,
        events=len(plan.events),
        memories=len(plan.memories),
        continued=plan.continued,
    )
    return plan


def draft_plan(garden: Garden, started: Started) -> Plan:
    """What a dream of this window would be shown now. Reads only."""
    window, store = started.facts.window, garden.store
    events = _first_due(garden, window)
    touched_ids = frozenset(store.window_memory_ids(window.id))
    touched = [one for one in store.memories(ids=touched_ids) if one.status != Status.ARCHIVED]
    related = related_to(garden, window, _human_text(events), touched_ids)
    return make_plan(
        window,
        events,
        store.events_before(window.id, window.dreamed_seq, PRELUDE_TURNS),
        touched,
        related,
        _panoramas(store, window, [*touched, *related]),
        PlanLimits(
            max_prompt_chars=garden.model_settings.max_prompt_chars,
            guide_chars=frame_chars(
                garden.slot, window, store.projects(), prompt_settings(garden.config)
            ),
            related_limit=garden.config.dream.related_limit,
            rules_review_ms=garden.config.dream.rules_review_days * DAY_MS,
        ),
        garden.clock.now_ms(),
        garden.config.locale,
        due_through=_due_through(garden, started, events),
        before=_plan_before(garden, window),
    )


def _first_due(garden: Garden, window: Window) -> Sequence[Event]:
    """The events after the watermark; of a long conversation hardly more than surely fill a prompt."""
    found: list[Event] = []
    left, after = garden.model_settings.max_prompt_chars, window.dreamed_seq
    while left >= 0 and after < window.last_seq:
        page = garden.store.events(window.id, after, after + PAGE_EVENTS)
        found += page
        left -= sum(EVENT_OVERHEAD_CHARS + len(one.text) for one in page if is_news(one))
        after += PAGE_EVENTS
    return found


def _due_through(garden: Garden, started: Started, due: Sequence[Event]) -> int | None:
    """The last pause of a window that dreams because of `max_wait_hours` alone; None: there is nothing to cut."""
    news = (one for one in due if is_news(one))
    spoken = next((one.seq for one in news if one.role in SPEECH_ROLES), None)
    if spoken is None or not _never_quiet(garden, started):
        return None
    return last_pause(_news_newest_first(garden, started.facts.window), spoken)


def _news_newest_first(garden: Garden, window: Window) -> Iterator[Event]:
    """The end of what is due, read page by page as far as it is wanted."""
    through = window.last_seq
    lowest = max(window.dreamed_seq, through - PAUSE_WITHIN_EVENTS)
    while through > lowest:
        after = max(lowest, through - PAGE_EVENTS)
        yield from (
            one for one in reversed(garden.store.events(window.id, after, through)) if is_news(one)
        )
        through = after


def load_view(garden: Garden, plan: Plan) -> StagedView:
    """The planned memories and events as they are in the store now."""
    memories = garden.store.memories(ids={one.id for one in plan.all_memories})
    first = min((event.seq for event in plan.events), default=plan.from_seq + 1)
    events = garden.store.events(plan.window, first - 1, plan.through_seq)
    return view_of(plan, events, memories)


def refresh_plan(run: Run, changed: set[str]) -> Plan:
    """Ask the rounds from the first that showed a changed memory again, under fresh revisions."""
    store = run.garden.store
    ids = {one.id for one in run.plan.all_memories}
    plan = run.plan.refreshed({one.id: one.revision for one in store.memories(ids=ids)})
    first = _first_round(run.plan, store.memories(ids=changed))
    names = tuple(name for name in RoundName if ROUND_ORDER[name] >= ROUND_ORDER[first])
    store.reset_rounds(run.started.lease, names, plan.to_json())
    log.warning("rounds_reset", rounds=[str(name) for name in names], memories=sorted(changed))
    return plan


def _first_round(plan: Plan, changed: Sequence[Memory]) -> RoundName:
    """The first round whose prompt held one of these memories, or could have matched it."""
    shown = {one.id for one in plan.memories}
    shelves = {one.id for one in plan.all_memories} - shown

    def first(memory: Memory) -> RoundName:
        if memory.id in shelves:
            return RoundName.PROJECT
        return RoundName.TOPIC if memory.layer is Layer.TOPIC else RoundName.ATOMIC

    return min((first(one) for one in changed), key=ROUND_ORDER.__getitem__)


def _never_quiet(garden: Garden, started: Started) -> bool:
    """True when `max_wait_hours` lets a window dream that is still active: only up to its last pause."""
    if started.dream.manual:
        return False
    return waited_too_long(started.facts, garden.clock.now_ms(), gate_settings(garden.config))


def _plan_before(garden: Garden, window: Window) -> Plan | None:
    """The plan of the last dream of the window that was done."""
    done = garden.store.dreams(1, window=window.id, states=(DreamState.APPLIED, DreamState.EMPTY))
    return next((Plan.from_json(one.plan) for one in done if one.plan), None)


def _human_text(events: Sequence[Event]) -> str:
    return "\n".join(one.text for one in events if one.role == Role.HUMAN and not one.replaced)


def related_to(garden: Garden, window: Window, text: str, without: frozenset[str]) -> list[Memory]:
    """The active memories in the window's scope that rank nearest to a text, the nearest first."""
    within = Within(projects=(window.project,) if window.project else (), without=without)
    found = nearest(
        text,
        garden.store,
        garden.config.locale,
        within,
        garden.config.dream.related_limit,
        Manner(floor=False),
    )
    by_id = {one.id: one for one in garden.store.memories(ids=[memory for _, memory in found])}
    return [by_id[memory] for _, memory in found if memory in by_id]


def _panoramas(store: Store, window: Window, shown: Sequence[Memory]) -> dict[str, list[Memory]]:
    """All active memories of each concrete project in sight."""
    projects = {project for one in shown for project in one.scope.projects}
    projects |= {window.project} if window.project else set()
    active = store.memories(statuses=(Status.ACTIVE,), projects=projects) if projects else ()
    return {
        project: [one for one in active if project in one.scope.projects]
        for project in sorted(projects)
    }
