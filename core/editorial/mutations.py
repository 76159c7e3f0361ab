"""The seven operations that the library hands to a store, as typed values and as JSON mappings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from memgardend.core.errors import MemgardendError

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def mutation_to_dict(mutation: Mutation) -> dict[str, Any]:
    """The mapping that `read_mutation` (mutation_reading.py) reads back; what is empty is left out."""
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
