"""What a batch of mutations makes of the cards it touches: pure, for every store to use.

`core/ports/library.py` says what each mutation means. A store looks up cards, calls `write_batch`, and writes
what it returns in one transaction.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from memgardend.core.editorial.cards import DEFAULT_MOUNT, DREAM_SOURCE, is_active, read_card
from memgardend.core.editorial.mutation_reading import read_mutation
from memgardend.core.editorial.mutations import (
    Add,
    Archive,
    Delete,
    Mutation,
    MutationName,
    MutationStatus,
    Promote,
    Supersede,
    Update,
)
from memgardend.core.editorial.times import instant_ms
from memgardend.core.ports.library import MutationRejected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memgardend.core.editorial.cards import Card

    Find: TypeAlias = Callable[[str], Card | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChange:
    """One card before and after a batch; None: it was not there, or is no more."""

    before: Card | None
    after: Card | None
    operation: str  # the last mutation that touched it, or what a consolidation called it
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a batch comes to. `seeds` counts new cards by mount, those of consolidations left out."""

    changes: tuple[CardChange, ...]
    results: tuple[dict[str, Any], ...]
    seeds: Mapping[str, int]

    @property
    def moves_revision(self) -> bool:
        """Whether anything changed that a later reader could see."""
        return bool(self.changes or self.seeds)


def read_rows(rows: Iterable[Mapping[str, Any] | Mutation]) -> tuple[Mutation, ...]:
    """The mutations of a batch, typed or as mappings. Raises InvalidMutation or UnknownMutation."""
    return tuple(row if isinstance(row, Mutation) else read_mutation(row) for row in rows)


def write_batch(
    mutations: Iterable[Mutation],
    *,
    find: Find,
    replaced_by: Callable[[str], Iterable[str]],
    new_id: Callable[[], str],
    now: str,
) -> Written:
    """What the mutations make of the cards, one after the other. Raises MutationRejected: then of none.

    `find` gives a card by its id, `replaced_by` the ids of those whose `superseded_by` it is.
    """
    desk = _Desk(find, replaced_by, new_id, now)
    for mutation in mutations:
        desk.write(mutation)
    return desk.written()


class _Desk:
    """The cards that a batch has touched so far."""

    def __init__(
        self,
        find: Find,
        replaced_by: Callable[[str], Iterable[str]],
        new_id: Callable[[], str],
        now: str,
    ) -> None:
        self._find = find
        self._replaced_by = replaced_by
        self._new_id = new_id
        self._now = now
        self._before: dict[str, Card | None] = {}
        self._after: dict[str, Card | None] = {}
        self._why: dict[str, tuple[str, str]] = {}
        self._results: list[dict[str, Any]] = []
        self._seeds: Counter[str] = Counter()

    def write(self, mutation: Mutation) -> None:
        """Do one mutation."""
        status = str(MutationStatus.NO_OP)
        match mutation:
            case Add():
                card = self._new(mutation, mutation.name, mutation.rationale)
                row = {"id": card["id"], "status": str(MutationStatus.WRITTEN)}
            case Update():
                self._edit(mutation.name, mutation.record_id, mutation.changes, mutation.rationale)
                row = {"id": mutation.record_id, "status": str(MutationStatus.UPDATED)}
            case Supersede():
                row = self._supersede(mutation)
            case Archive():
                retired: Card = {"archived": True, "archive_reason": mutation.reason}
                self._edit(mutation.name, mutation.record_id, retired, mutation.reason)
                row = {"id": mutation.record_id, "status": str(MutationStatus.ARCHIVED)}
            case Delete():
                self._delete(mutation)
                row = {"id": mutation.record_id, "status": str(MutationStatus.DELETED)}
            case Promote():
                row = self._promote(mutation)
            case _:
                row = {"id": "", "status": status, "reason": mutation.reason}
        self._results.append(row)

    def written(self) -> Written:
        """All of it; a card that ends as it began is no change."""
        changes = tuple(
            CardChange(before=self._before[id_], after=after, operation=why[0], reason=why[1])
            for id_, after in self._after.items()
            if after != self._before[id_]
            for why in (self._why[id_],)
        )
        return Written(changes=changes, results=tuple(self._results), seeds=dict(self._seeds))

    def _supersede(self, mutation: Supersede) -> dict[str, Any]:
        operation = mutation.consolidation_op or str(mutation.name)
        for target in mutation.target_ids:  # before the new card is there: it cannot replace itself
            self._active(mutation.name, target)
        card = self._new(mutation, operation, mutation.rationale)
        retired: Card = {"archived": True, "superseded_by": card["id"]}
        for target in mutation.target_ids:
            self._edit(operation, target, retired, mutation.rationale)
        targets = list(mutation.target_ids)
        replaced = targets[0] if len(targets) == 1 else targets
        return {"id": card["id"], "status": str(MutationStatus.SUPERSEDED), "replaced": replaced}

    def _promote(self, mutation: Promote) -> dict[str, Any]:
        card = self._active(mutation.name, mutation.record_id)
        moved: Card = {"mount": mutation.to_mount}
        self._edit(mutation.name, mutation.record_id, moved, "")
        if card.get("mount", DEFAULT_MOUNT) != mutation.to_mount:
            self._count(card, mutation.to_mount)
        return {
            "id": mutation.record_id,
            "status": str(MutationStatus.PROMOTED),
            "mount": mutation.to_mount,
        }

    def _delete(self, mutation: Delete) -> None:
        id_ = mutation.record_id
        self._known(mutation.name, id_)
        for replaced in dict.fromkeys((*self._replaced_by(id_), *self._after)):
            card = self._now_of(replaced)
            if card is not None and card.get("superseded_by") == id_:
                kept = {name: value for name, value in card.items() if name != "superseded_by"}
                self._put(replaced, cast("Card", {**kept, "updated_at": self._now}), "delete", "")
        self._put(id_, None, mutation.name, "")

    def _new(self, mutation: Add | Supersede, operation: str, reason: str) -> Card:
        card = _whole(mutation.card, operation)
        if not is_active(card):
            raise MutationRejected(operation, MutationRejected.NOT_ACTIVE)
        id_ = card.get("id", "").strip() or self._new_id()
        if self._now_of(id_) is not None or self._before.get(id_) is not None:
            raise MutationRejected(operation, MutationRejected.ID_EXISTS, id_)
        for name in ("created_at", "updated_at"):
            if card.get(name) and instant_ms(card.get(name)) is None:
                raise MutationRejected(operation, MutationRejected.INVALID, id_)
        card["id"] = id_
        card["mount"] = mutation.mount or card.get("mount") or DEFAULT_MOUNT
        card["created_at"] = card.get("created_at") or self._now
        card["updated_at"] = card.get("updated_at") or self._now
        self._put(id_, card, operation, reason)
        self._count(card, card["mount"])
        return card

    def _edit(self, operation: str, id_: str, changes: Card, reason: str) -> None:
        card = self._active(operation, id_)
        changed = cast("Card", {**card, **_whole(changes, operation)})
        if operation == MutationName.UPDATE and not is_active(changed):
            raise MutationRejected(operation, MutationRejected.NOT_ACTIVE, id_)
        if changed != card:
            changed["updated_at"] = self._now
            self._put(id_, changed, operation, reason)

    def _count(self, card: Card, mount: str) -> None:
        if card.get("source") != DREAM_SOURCE:
            self._seeds[mount] += 1

    def _put(self, id_: str, card: Card | None, operation: str, reason: str) -> None:
        self._after[id_] = card
        self._why[id_] = (str(operation), reason)

    def _active(self, operation: str, id_: str) -> Card:
        card = self._known(operation, id_)
        if not is_active(card):
            raise MutationRejected(operation, MutationRejected.RETIRED, id_)
        return card

    def _known(self, operation: str, id_: str) -> Card:
        card = self._now_of(id_)
        if card is None:
            raise MutationRejected(operation, MutationRejected.NOT_FOUND, id_)
        return card

    def _now_of(self, id_: str) -> Card | None:
        if id_ not in self._before:
            self._before[id_] = self._find(id_)
        return self._after[id_] if id_ in self._after else self._before[id_]


def _whole(card: Card, operation: str) -> Card:
    """A copy of a card in the types of its fields."""
    return read_card(json.loads(plain_json(card, operation)))


def plain_json(value: object, operation: str) -> str:
    """JSON that is the same for the same value. Raises MutationRejected for what is no JSON or no UTF-8."""
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:  # no JSON, or half a surrogate pair
        raise MutationRejected(operation, MutationRejected.INVALID) from error
    return text
