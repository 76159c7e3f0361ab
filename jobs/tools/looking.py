"""Read one memory whole, and find what is like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.likeness import contradicts, is_near_duplicate, jaccard
from memgardend.core.nearest import nearest
from memgardend.core.ports.index import Within
from memgardend.core.ranking import Manner
from memgardend.core.recall.window import seen, written
from memgardend.core.tools.values import Entry, Resemblance, Similar
from memgardend.core.words import Status, Use
from memgardend.jobs.look.find import find_memory, gone
from memgardend.jobs.recall import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Memory
    from memgardend.jobs.tools.context import ToolContext

_LOOKED_AT = 4
"""So many times as many as are asked for are compared: ranking weighs rare words, likeness counts all."""


def read(context: ToolContext, text: str) -> Entry:
    """A memory by its id, or the only start of one; the window has then read it.

    Raises UsageError where there is none, or several.
    """
    entry = entry_of(context, text)
    if context.window:
        ids = (entry.memory.id,)
        mark(context.recall, context.window, ids, Use.ACCESSED, context.garden.clock.now_ms())
    return entry


def find_similar(context: ToolContext, text: str, k: int) -> tuple[Similar, ...]:
    """The active memories that are most like this one, the most alike first. Nothing is left out.

    The window has then found them. Raises UsageError for an unknown id.
    """
    garden, store = context.garden, context.garden.store
    locale = garden.config.locale
    target = entry_of(context, text).memory
    store.keep_index(locale)
    within = Within(statuses=(Status.ACTIVE,), everywhere=True, without=frozenset({target.id}))
    found = nearest(target.content, store, locale, within, k * _LOOKED_AT, Manner(floor=False))
    order = {memory_id: place for place, (_, memory_id) in enumerate(found)}
    rows = [
        (jaccard(target.content, one.content, locale), one) for one in store.memories(ids=order)
    ]
    rows.sort(key=lambda row: (-row[0], order[row[1].id]))
    return _marked(context, target, rows[:k])


def entry_of(context: ToolContext, text: str) -> Entry:
    """A memory as `read` gives it, and nothing is noted."""
    store = context.garden.store
    memory_id = find_memory(store, text)
    memory = store.memory(memory_id)
    if memory is None:
        raise gone(memory_id)
    return Entry(memory=memory, evidence=tuple(store.evidence([memory_id])))


def _marked(
    context: ToolContext, target: Memory, rows: Sequence[tuple[float, Memory]]
) -> tuple[Similar, ...]:
    """What the window knows of each, as it was before; then all count as found."""
    before: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    if context.window:
        state = context.recall.store.window_recall(context.window)
        before, own = seen(state), frozenset(written(state))
        ids = tuple(one.id for _, one in rows)
        mark(context.recall, context.window, ids, Use.SEARCHED, context.garden.clock.now_ms())
    locale = context.garden.config.locale
    return tuple(
        Similar(
            memory=one,
            likeness=round(likeness, 3),
            resemblance=_resemblance(target.content, one.content, locale),
            seen=one.id in before,
            written=one.id in own,
        )
        for likeness, one in rows
    )


def _resemblance(a: str, b: str, locale: str) -> Resemblance:
    if a == b or is_near_duplicate(a, b, locale):
        return Resemblance.SAME
    return Resemblance.CONTRARY if contradicts(a, b, locale) else Resemblance.NEAR
