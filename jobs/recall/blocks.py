"""The first-turn block of a window: what is put into it, and the record of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.recall.block import (
    BLOCK_VERSION,
    CANDIDATES,
    LAYERS,
    RULES_IMPORTANCE,
    block,
    by_weight,
)
from memgardend.core.recall.frame import frame_chars
from memgardend.core.recall.leaving import LeftOut
from memgardend.core.recall.selection import Scored, choose
from memgardend.core.unheard import is_unheard
from memgardend.core.words import Layer
from memgardend.jobs.recall.records import elapsed_ms, record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.recall.block import Block
    from memgardend.core.recall.forms import Forms
    from memgardend.core.recall.requests import InjectionKind, RecallContext
    from memgardend.core.records import Memory


def made_block(
    context: RecallContext, forms: Forms, kind: InjectionKind, window: str, project: str | None
) -> tuple[Block | None, dict[str, Any]]:
    """What a window is told first, and the record of it; None where nothing is known, or nothing fits."""
    started_s = context.clock.monotonic()
    memories = by_weight([one for layer in LAYERS for one in _of_layer(context, layer, project)])
    ranked = [Scored(memory, float(memory.importance)) for memory in memories]
    chosen = choose(context.policy, ranked, "", len(ranked))
    room = context.settings.first_turn_chars - frame_chars(kind, window, context.key)
    live = context.store.live_projects()
    made = block([one.memory for one in chosen], live, forms, max(0, room))
    shown = made.ids if made else ()
    others = {one.id: LeftOut.OVER_CAP for one in memories if one.id not in shown}
    dur_ms = elapsed_ms(context, started_s)
    noted = record(
        context,
        kind,
        "",
        shown,
        others,
        candidates=len(memories),
        dur_ms=dur_ms,
        rules=BLOCK_VERSION,
    )
    return made, noted


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
