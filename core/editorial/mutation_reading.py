"""Mutations out of JSON mappings: each is one of the seven, with all that it needs and nothing unknown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.cards import texts
from memgardend.core.editorial.mutations import (
    FORBIDDEN_CHANGES,
    VERDICT_FIELDS,
    Add,
    Archive,
    Delete,
    InvalidMutation,
    Mutation,
    MutationName,
    NoOp,
    Promote,
    Supersede,
    UnknownMutation,
    Update,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memgardend.core.editorial.cards import Card


@dataclass(frozen=True, slots=True)
class _Raw:
    """A mapping that is read field by field, so that what nobody read is found."""

    row: Mapping[str, Any]
    known: set[str] = field(
        default_factory=lambda: {"op", "mount", "idempotency_key", "expected_revision"}
    )

    def text(self, *names: str, required: bool = False) -> str:
        """The first text among fields that mean the same."""
        self.known.update(names)
        for name in names:
            value = self.row.get(name)
            if value is not None and not isinstance(value, str):
                raise InvalidMutation(f"`{name}` must be a text")
            if value and value.strip():
                return value
        if required:
            raise InvalidMutation(f"{self.row['op']} needs `{names[0]}`")
        return ""

    def card(self, name: str) -> Card:
        """A mapping that is not empty, without the verdict that brought it."""
        self.known.add(name)
        value = self.row.get(name)
        if not isinstance(value, dict) or not value:
            raise InvalidMutation(f"{self.row['op']} needs `{name}`: a mapping that is not empty")
        return cast("Card", {key: one for key, one in value.items() if key not in VERDICT_FIELDS})


def read_mutation(row: object) -> Mutation:
    """The operation that a mapping means.

    Raises UnknownMutation for a name nobody knows, InvalidMutation for missing, wrong or unknown fields.
    """
    if not isinstance(row, dict):
        raise InvalidMutation("a mutation is a mapping with `op`")
    name = row.get("op")
    if not isinstance(name, str) or name not in _READERS:
        raise UnknownMutation(
            f"no such mutation: {name!r}", hint=f"known: {', '.join(MutationName)}"
        )
    raw = _Raw(row)
    mutation = _READERS[name](raw)
    unknown = sorted(str(key) for key in row.keys() - raw.known)
    if unknown:
        raise InvalidMutation(f"{name} has unknown fields: {', '.join(unknown)}")
    return mutation


def read_batch(rows: Iterable[object]) -> tuple[Mutation, ...]:
    """All mutations of a batch, or the error of the first that is none."""
    return tuple(read_mutation(row) for row in rows)


def _add(raw: _Raw) -> Add:
    return Add(card=raw.card("card"), mount=raw.text("mount"), rationale=raw.text("rationale"))


def _update(raw: _Raw) -> Update:
    changes = raw.card("changes")
    forbidden = sorted(changes.keys() & FORBIDDEN_CHANGES)
    if forbidden:
        raise InvalidMutation(f"an update must not change: {', '.join(forbidden)}")
    return Update(
        record_id=raw.text("record_id", "target_id", required=True),
        changes=changes,
        mount=raw.text("mount"),
        rationale=raw.text("rationale"),
    )


def _supersede(raw: _Raw) -> Supersede:
    one = raw.text("target_id")
    raw.known.add("target_ids")
    named = texts(raw.row.get("target_ids"))
    targets = tuple(dict.fromkeys(target for target in (one, *named) if target.strip()))
    if not targets:
        raise InvalidMutation("supersede needs `target_id` or `target_ids`")
    return Supersede(
        card=raw.card("card"),
        target_ids=targets,
        mount=raw.text("mount"),
        rationale=raw.text("rationale"),
        consolidation_op=raw.text("consolidation_op"),
    )


def _archive(raw: _Raw) -> Archive:
    return Archive(
        record_id=raw.text("record_id", "target_id", required=True),
        reason=raw.text("reason"),
        mount=raw.text("mount"),
    )


def _delete(raw: _Raw) -> Delete:
    return Delete(
        record_id=raw.text("record_id", "target_id", required=True),
        requested_by=raw.text("requested_by", required=True),
        mount=raw.text("mount"),
    )


def _promote(raw: _Raw) -> Promote:
    return Promote(
        record_id=raw.text("record_id", "target_id", required=True),
        to_mount=raw.text("to_mount", required=True),
        mount=raw.text("mount"),
    )


def _no_op(raw: _Raw) -> NoOp:
    return NoOp(reason=raw.text("reason"), mount=raw.text("mount"))


_READERS: dict[str, Callable[[_Raw], Mutation]] = {
    MutationName.ADD: _add,
    MutationName.UPDATE: _update,
    MutationName.SUPERSEDE: _supersede,
    MutationName.ARCHIVE: _archive,
    MutationName.DELETE: _delete,
    MutationName.PROMOTE: _promote,
    MutationName.NO_OP: _no_op,
}
