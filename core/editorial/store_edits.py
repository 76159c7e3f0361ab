"""From what a batch makes of cards to edits of our own store, to be decided inside its transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgardend.core.checks.form import MAX_REASON_CHARS
from memgardend.core.editorial.applying import write_batch
from memgardend.core.editorial.card_mapping import card_of, edited_memory, new_memory
from memgardend.core.editorial.ledgers import ledger_mount, next_ledger
from memgardend.core.mask import mask
from memgardend.core.records import Edits, MemoryEdit
from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memgardend.core.editorial.applying import CardChange, Written
    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.ports import GardenView

PREFIX = "library."
SEEDS, LEDGER = f"{PREFIX}seeds:", f"{PREFIX}ledger:"
"""Where the small state of a garden keeps, by mount, how many seeds it had, and its ledger."""


def edits_of_batch(
    view: GardenView,
    batch: Iterable[Mutation],
    *,
    new_id: Callable[[], str],
    now: str,
    ledger: Mapping[str, Any] | None = None,
) -> Edits:
    """What a batch comes to in the tables of our store. Raises MutationRejected: then to nothing."""
    written = write_batch(
        batch,
        find=lambda id_: None if (m := view.memory(id_)) is None else card_of(m),
        replaced_by=view.replaced_by,
        new_id=new_id,
        now=now,
    )
    moved = written.moves_revision or ledger is not None
    revision = str(view.revision + moved)
    edits = tuple(_edit(view, change) for change in written.changes)
    state = _seeds(view, written)
    if ledger is not None:
        stored = next_ledger(
            ledger, written, active_ids=_active(view, edits), revision=revision, now=now
        )
        state[LEDGER + ledger_mount(ledger)] = to_json(stored)
    result = to_json({"results": written.results, "revision": revision})
    return Edits(edits=edits, result=result, moved=moved, state=state)


def to_json(value: object) -> str:
    """One line, readable in any script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _seeds(view: GardenView, written: Written) -> dict[str, str]:
    return {
        SEEDS + mount: str(int(view.state(SEEDS + mount) or 0) + count)
        for mount, count in written.seeds.items()
    }


def _edit(view: GardenView, change: CardChange) -> MemoryEdit:
    memory = None if change.before is None else view.memory(change.before["id"])
    after = change.after
    if after is None:
        edited = None
    elif memory is None or change.before is None:
        edited = new_memory(after)
    else:
        edited = edited_memory(memory, change.before, after)
    return MemoryEdit(
        before=memory,
        after=edited,
        operation=change.operation,
        reason=mask(change.reason)[:MAX_REASON_CHARS] or None,
    )


def _active(view: GardenView, edits: Iterable[MemoryEdit]) -> frozenset[str]:
    """The ids that are active once these edits are written."""
    active = set(view.active_ids())
    for edit in edits:
        if edit.before is not None:
            active.discard(edit.before.id)
        if edit.after is not None and edit.after.status is Status.ACTIVE:
            active.add(edit.after.id)
    return frozenset(active)
