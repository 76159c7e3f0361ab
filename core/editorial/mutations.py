"""The seven operations that the library hands to a store, as typed values and as JSON mappings."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, cast

from memgardend.core.editorial.cards import texts
from memgardend.core.errors import MemgardendError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memgardend.core.editorial.cards import Card


class MutationName(StrEnum):
    """What a store may be asked to do."""

    ADD = "add"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    ARCHIVE = "archive"
    DELETE = "delete"
    PROMOTE = "promote"
    NO_OP = "no_op"


class MutationStatus(StrEnum):
    """What a store answers for each."""

    WRITTEN = "written"
    UPDATED = "updated"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    DELETED = "deleted"
    PROMOTED = "promoted"
    NO_OP = "no_op"


class Capability(StrEnum):
    """What a batch may need; the flag of a store is `supports_` and the word."""

    SUPERSEDE = "supersede"
    ATOMIC_BATCH = "atomic_batch"
    HARD_DELETE = "hard_delete"


class InvalidMutation(MemgardendError, ValueError):  # noqa: N818 - the library's name for it
    """A mutation lacks a field, or holds what it must not."""

    exit_code = 2


class UnknownMutation(InvalidMutation):
    """There is no operation of this name."""


_FORBIDDEN = """
id owner tenant archived superseded_by created_at updated_at deleted source source_actor
source_material_kind mount
"""
FORBIDDEN_CHANGES = frozenset(_FORBIDDEN.split())
"""Fields that an update must not touch: identity, life and origin of a card have operations of their own."""

VERDICT_FIELDS = frozenset({"action", "target_id", "target_ids"})
"""What a captured card carries beside its own fields; no part of the card that is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Write a new card; an id that exists is refused."""

    name: ClassVar[MutationName] = MutationName.ADD
    card: Card
    mount: str = ""
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Change fields of a card in place."""

    name: ClassVar[MutationName] = MutationName.UPDATE
    record_id: str
    changes: Card
    mount: str = ""
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Write a new card that takes the place of others, which are kept and point at it."""

    name: ClassVar[MutationName] = MutationName.SUPERSEDE
    card: Card
    target_ids: tuple[str, ...]
    mount: str = ""
    rationale: str = ""
    consolidation_op: str = ""  # merge, thicken or supersede, where a dream proposed it


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Take a card out of use and keep it."""

    name: ClassVar[MutationName] = MutationName.ARCHIVE
    record_id: str
    reason: str = ""
    mount: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Remove a card for good, because somebody asked for it."""

    name: ClassVar[MutationName] = MutationName.DELETE
    record_id: str
    requested_by: str
    mount: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote:
    """Change who may see a card, and nothing else."""

    name: ClassVar[MutationName] = MutationName.PROMOTE
    record_id: str
    to_mount: str
    mount: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOp:
    """Change nothing and leave a receipt."""

    name: ClassVar[MutationName] = MutationName.NO_OP
    reason: str = ""
    mount: str = ""


Mutation = Add | Update | Supersede | Archive | Delete | Promote | NoOp


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


def mutation_to_dict(mutation: Mutation) -> dict[str, Any]:
    """The mapping that `read_mutation` reads back; what is empty is left out."""
    row: dict[str, Any] = {"op": str(mutation.name)}
    for one in fields(mutation):
        value = getattr(mutation, one.name)
        if value:
            row[one.name] = list(value) if isinstance(value, tuple) else value
    return row


def needed_capabilities(mutations: Sequence[Mutation]) -> frozenset[Capability]:
    """What a store must be able to do to take this batch."""
    needed = {
        capability
        for kind, capability in (
            (Supersede, Capability.SUPERSEDE),
            (Delete, Capability.HARD_DELETE),
        )
        if any(isinstance(one, kind) for one in mutations)
    }
    return frozenset(needed | ({Capability.ATOMIC_BATCH} if len(mutations) > 1 else set()))


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
