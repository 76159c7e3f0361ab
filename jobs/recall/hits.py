"""Hits: the few memories that a message calls up by their keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.impacts import Surface
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Within
from memgardend.core.ranking import Manner
from memgardend.core.recall.question import question_of
from memgardend.core.recall.selection import choose
from memgardend.core.recall.window import seen, written
from memgardend.core.words import Layer
from memgardend.jobs.recall.context import project_of, scored

if TYPE_CHECKING:
    from memgardend.core.recall.requests import RecallContext, Turn
    from memgardend.core.records import Memory
    from memgardend.core.records.window_recall import WindowRecall

HIT_LAYERS = (Layer.FACT, Layer.LESSON, Layer.RULES, Layer.TOPIC)
CANDIDATES = 20
"""A policy chooses among so many."""


def called_up(context: RecallContext, turn: Turn, state: WindowRecall) -> list[Memory]:
    """What the message calls up: filtered first, then weighed, then cut."""
    store, locale, limit = context.store, context.settings.locale, context.settings.hit_top_k
    question = question_of(turn.text)
    if not limit:
        return []
    project = project_of(turn, state)
    within = Within(
        layers=HIT_LAYERS,
        projects=() if project is None else (project,),
        without=seen(state) | frozenset(written(state)),
    )
    manner = Manner(surface=Surface.CUES, now=turn.at)
    found = nearest(question, store, locale, within, max(limit, CANDIDATES), manner)
    ranked = scored(context, found)
    return [one.memory for one in choose(context.policy, ranked, question, limit)]
