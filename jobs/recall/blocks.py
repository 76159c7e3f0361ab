"""The first-turn block of a window: what is put into it, and the message that it becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.recall.block import CANDIDATES, LAYERS, RULES_IMPORTANCE, block, by_weight
from memgardend.core.recall.frame import frame_chars, framed
from memgardend.core.recall.requests import Injection, InjectionKind
from memgardend.core.recall.selection import Scored, choose
from memgardend.core.unheard import is_unheard
from memgardend.core.words import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.recall.block import Block
    from memgardend.core.recall.forms import Forms
    from memgardend.core.recall.requests import RecallContext
    from memgardend.core.records import Memory


def made_block(
    context: RecallContext, forms: Forms, kind: InjectionKind, window: str, project: str | None
) -> Block | None:
    """What a window is told first; None where nothing is known, or nothing fits."""
    memories = by_weight([one for layer in LAYERS for one in _of_layer(context, layer, project)])
    ranked = [Scored(memory, float(memory.importance)) for memory in memories]
    chosen = choose(context.policy, ranked, "", len(ranked))
    room = context.settings.first_turn_chars - frame_chars(kind, window, context.key)
    return block([one.memory for one in chosen], context.store.live_projects(), forms, max(0, room))


def injection(
    context: RecallContext,
    kind: InjectionKind,
    window: str,
    parts: Iterable[str],
    ids: Iterable[str],
) -> Injection:
    """A message of ours, signed."""
    return Injection(kind=kind, text=framed(kind, window, context.key, parts), ids=tuple(ids))


def _of_layer(context: RecallContext, layer: Layer, project: str | None) -> Iterable[Memory]:
    """Of rules only what holds everywhere, and matters; of nothing what the person was not heard to say."""
    rules = layer is Layer.RULES
    found = context.store.weightiest(
        layer,
        project=None if rules else project,
        importance=RULES_IMPORTANCE if rules else 1,
        limit=CANDIDATES,
    )
    return (memory for memory in found if not is_unheard(memory))
