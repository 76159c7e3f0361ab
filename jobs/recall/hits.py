"""Hits: the few memories that a message calls up by their keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.impacts import Surface
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Within
from memgardend.core.ranking import RANKING_VERSION, Manner
from memgardend.core.recall.leaving import LeftOut
from memgardend.core.recall.question import question_of, questions_of
from memgardend.core.recall.requests import InjectionKind
from memgardend.core.recall.selection import choose
from memgardend.core.recall.window import seen, written
from memgardend.core.words import Layer
from memgardend.jobs.recall.context import project_of, scored
from memgardend.jobs.recall.reasons import why_not
from memgardend.jobs.recall.records import elapsed_ms, record

if TYPE_CHECKING:
    from memgardend.core.recall.requests import RecallContext, Turn
    from memgardend.core.records import Memory
    from memgardend.core.records.window_recall import WindowRecall

HIT_LAYERS = (Layer.FACT, Layer.LESSON, Layer.RULES, Layer.TOPIC)
CANDIDATES = 20
"""A policy chooses among so many."""


def called_up(
    context: RecallContext, turn: Turn, state: WindowRecall
) -> tuple[list[Memory], dict[str, Any]]:
    """What the message calls up, and the record of it: filtered first, then weighed, then cut."""
    started_s, limit = context.clock.monotonic(), context.settings.hit_top_k
    project = project_of(turn, state)
    known = dict.fromkeys(written(state), LeftOut.OWN_WINDOW)
    known |= dict.fromkeys(seen(state), LeftOut.SEEN)
    within = Within(
        layers=HIT_LAYERS,
        projects=() if project is None else (project,),
        without=frozenset(known),
    )
    manner = Manner(surface=Surface.CUES, now=turn.at)
    pool = max(limit, CANDIDATES)
    question, found = _found(context, turn.text, within, pool, manner)
    among = found if context.policy else found[:limit]  # ours takes the first: no other is read
    ranked = scored(context, among)
    chosen = [one.memory for one in choose(context.policy, ranked, question, limit)]
    dur_ms = elapsed_ms(context, started_s)
    ids = [memory.id for memory in chosen]
    others = why_not(
        context,
        question,
        within,
        manner,
        answers=[memory for _, memory in found],
        recalled=ids,
        kept_out=known,
        projects=(project,),
        is_cut=len(found) >= pool,
    )
    noted = record(
        context,
        InjectionKind.HITS,
        turn.text,
        ids,
        others,
        rules=RANKING_VERSION,
        candidates=len(found),
        cap=limit,
        dur_ms=dur_ms,
    )
    return chosen, noted


def _found(
    context: RecallContext, text: str, within: Within, pool: int, manner: Manner
) -> tuple[str, list[tuple[float, str]]]:
    """What of a message calls something up, and that; else all of it, and nothing."""
    store, locale = context.store, context.settings.locale
    for question in questions_of(text):
        if found := nearest(question, store, locale, within, pool, manner):
            return question, found
    return question_of(text), []
