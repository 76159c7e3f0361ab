"""Rounds: which layers each round edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.words import Layer, OperationName, Refusal, RoundName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memgardend.core.records import Memory

EDITS: Mapping[RoundName, frozenset[Layer]] = {
    RoundName.ATOMIC: frozenset(Layer) - {Layer.TOPIC},
    RoundName.TOPIC: frozenset({Layer.TOPIC}),
    RoundName.PROJECT: frozenset({Layer.PROJECT}),
}
"""Layers in which a round writes (DESIGN 5.4)."""

_CONDENSES = frozenset({Layer.PROJECT, Layer.FACT, Layer.LESSON})
_TAKES_AWAY = frozenset({OperationName.ARCHIVE, OperationName.SUPERSEDE, OperationName.MERGE})


def check_round(
    name: RoundName, op: OperationName, layer: Layer | None, targets: Iterable[Memory]
) -> Refused | None:
    """Refuse what belongs to another round; `layer` is the layer that the operation writes to.

    The project round may also archive, replace or merge facts and lessons of concrete projects: it condenses.
    """
    edits = EDITS[name]
    wrong = [layer] if layer and layer not in edits else []
    for target in targets:
        condensed = (
            name is RoundName.PROJECT
            and op in _TAKES_AWAY
            and target.layer in _CONDENSES
            and target.scope.projects
        )
        if target.layer not in edits and not condensed:
            wrong.append(target.layer)
    if not wrong:
        return None
    return Refused(
        Refusal.WRONG_ROUND, f"the {name} round edits {', '.join(sorted(edits))}, not {wrong[0]}"
    )
