"""A look back at a long stretch of work as soon as it ends: one capture, and its cards are memories."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from memgardend.core.clock import DAY_MS, MINUTE_MS
from memgardend.core.editorial.looking_back import Stretch, acceptable, landed
from memgardend.core.editorial.store_edits import edits_of_batch
from memgardend.core.errors import FencedError, ModelUnavailableError, StoppedError
from memgardend.core.ports.library import MutationRejected
from memgardend.core.records import EditRequest
from memgardend.core.reflection import turn_to_reflect
from memgardend.core.times import rfc3339
from memgardend.core.words import WindowKind
from memgardend.jobs.questions import HeldError, shut_gate
from memgardend.jobs.reflection_question import ORIGIN, question, shown_memories
from memgardend.jobs.start import LEASE_MS, judge_window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.ports import GardenView
    from memgardend.core.records import Edits, Window
    from memgardend.core.reflection import FinishedTurn
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)

REFLECT_KEY = "reflect:"
KEYS_KEPT_MS = 90 * DAY_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A turn to look back on. `after`: the last event that is looked back on, or dreamed, already."""

    window: Window
    turn: FinishedTurn
    after: int
    mark: str | None  # the window's mark as it was read


def reflect(garden: Garden, tick: Callable[[], bool] = lambda: True) -> int:
    """Look back on every turn that deserves it; how many were.

    A gate that shuts, or a model that does not work, ends it for now.
    """
    done = 0
    for window_id in reflectable(garden):
        if shut_gate(garden, manual=False) is not None:
            break
        due = due_turn(garden, window_id)
        if due is None:
            continue
        try:
            done += look_back(garden, due, tick)
        except FencedError as error:
            log.warning("reflection_fenced", window=window_id, error=str(error))
        except (HeldError, ModelUnavailableError, StoppedError) as error:
            log.warning("reflection_postponed", window=window_id, error=str(error))
            break
    return done


def reflectable(garden: Garden) -> Sequence[str]:
    """Windows with speech that no dream has read."""
    return garden.store.windows_with_news() if garden.config.reflect.enabled else ()


def due_turn(garden: Garden, window_id: str) -> Due | None:
    """The turn of a window that is to be looked back on now, if there is one.

    A window that a dream may read now, or is reading, is left to it. Reads only.
    """
    facts = garden.store.window_facts(window_id)[0]
    window = facts.window
    if window.kind is not WindowKind.MAIN or facts.open_dream is not None:
        return None
    if judge_window(garden, facts).may:
        return None
    text = garden.store.state(REFLECT_KEY + window_id)
    mark = json.loads(text) if text else {}
    now = garden.clock.now_ms()
    if (mark.get("until") or 0) > now:
        return None
    after = max(mark.get("through", 0), window.dreamed_seq)
    turn = turn_to_reflect(
        garden.store.events(window_id, after),
        tool_steps=garden.config.reflect.tool_steps,
        now=now,
    )
    return None if turn is None else Due(window=window, turn=turn, after=after, mark=text)


def look_back(garden: Garden, due: Due, tick: Callable[[], bool] = lambda: True) -> bool:
    """Ask the model once, and store what it found. False where another process was faster.

    Raises HeldError, ModelUnavailableError and StoppedError: then the turn stays to be looked back on.
    """
    claimed = _claim(garden, due)
    if claimed is None:
        return False
    stretch = Stretch(
        due.window.id,
        due.window.project,
        due.turn.ended_at,
        garden.store.events(due.window.id, due.after, due.turn.last_seq),
    )
    memories = shown_memories(garden, due.window, stretch.events)
    session, questioner = question(garden, due.window, due.turn, stretch, memories)
    try:
        questioner.drive(session, tick)
    except (HeldError, ModelUnavailableError, StoppedError):
        garden.store.set_state(REFLECT_KEY + due.window.id, claimed, due.mark)
        raise
    result = session.result
    known = {one.id: one for one in memories}
    kept = acceptable(result.mutations if result else (), stretch, known)
    stored = _store(garden, due, claimed, stretch, kept)
    log.info(
        "reflection_ended",
        window=due.window.id,
        steps=due.turn.steps,
        through_seq=due.turn.last_seq,
        cards=stored,
        unproven=len(result.mutations if result else ()) - len(kept),
        error=str(result.error) if result and result.error else None,
    )
    return True


def _claim(garden: Garden, due: Due) -> str | None:
    """Take the turn for as long as one judgement may take; None where somebody else has it."""
    now = garden.clock.now_ms()
    asks_ms = 2 * int(garden.model_settings.timeout_minutes * MINUTE_MS)
    claim = json.dumps(
        {
            "through": due.after,
            "turn": due.turn.first_seq,
            "run": garden.ids.new(),
            "until": now + asks_ms + LEASE_MS,
        }
    )
    taken = garden.store.set_state(REFLECT_KEY + due.window.id, due.mark, claim)
    return claim if taken else None


def _store(
    garden: Garden, due: Due, claimed: str, stretch: Stretch, mutations: Sequence[Mutation]
) -> int:
    """Write the cards and that the turn is done, in one transaction; how many cards. Raises FencedError."""
    now, key = garden.clock.now_ms(), REFLECT_KEY + due.window.id
    done = json.dumps({"through": due.turn.last_seq})

    def decide(view: GardenView) -> Edits:
        if view.state(key) != claimed:
            raise FencedError(f"another process looks back on {due.window.id}")
        edits = edits_of_batch(view, mutations, new_id=garden.ids.new, now=rfc3339(now))
        edits = landed(edits, stretch)
        return replace(edits, state={**edits.state, key: done})

    request = EditRequest(
        actor=ORIGIN,
        at=now,
        key=f"{key}:{due.turn.first_seq}",
        digest=hashlib.sha256(f"{key}:{due.turn.last_seq}".encode()).hexdigest(),
        window=due.window.id,
        forget_before=now - KEYS_KEPT_MS,
    )
    try:
        garden.store.edit(request, decide)
    except MutationRejected as error:  # a card was retired meanwhile: the dream will see to it
        log.warning("reflection_refused", window=due.window.id, reason=error.reason)
        garden.store.set_state(key, claimed, done)
        return 0
    return len(mutations)
