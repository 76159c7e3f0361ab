"""The ledger of a mount as a store keeps it: which version of each card a consolidation has reviewed."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import DEFAULT_MOUNT, DREAM_SOURCE
from memgardend.core.editorial.seeds import card_version

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memgardend.core.editorial.applying import Written

LEDGER_SCHEMA = 2


def next_ledger(
    state: Mapping[str, Any],
    written: Written,
    *,
    active_ids: Collection[str],
    revision: str,
    now: str,
) -> dict[str, Any]:
    """The ledger to store: consolidated cards of this batch are reviewed, what is not active is forgotten.

    `active_ids` are those after the batch.
    """
    made = (change.after for change in written.changes if change.before is None and change.after)
    reviewed = {
        **(state.get("reviewed_versions") or {}),
        **{card["id"]: card_version(card) for card in made if card.get("source") == DREAM_SOURCE},
    }
    return {
        **deepcopy(dict(state)),
        "mount": ledger_mount(state),
        "reviewed_versions": {id_: reviewed[id_] for id_ in reviewed if id_ in active_ids},
        "schema_version": LEDGER_SCHEMA,
        "revision": revision,
        "updated_at": now,
    }


def ledger_mount(state: Mapping[str, Any]) -> str:
    """The mount whose ledger this is."""
    return str(state.get("mount") or DEFAULT_MOUNT)
