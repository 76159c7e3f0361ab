"""Mutations as a scope may write them: none reaches into a closed mount, and nobody signs for others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.cards import DEFAULT_MOUNT, Card
from memgardend.core.editorial.mutations import Add, NoOp, Promote, Supersede
from memgardend.core.editorial.results import ErrorWord, Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.mutations import Mutation
    from memgardend.core.editorial.scope import Scope


def targets_of(mutations: Iterable[Mutation]) -> tuple[str, ...]:
    """The ids of cards that the mutations change, each once."""
    ids: list[str] = []
    for one in mutations:
        if isinstance(one, Supersede):
            ids += one.target_ids
        elif not isinstance(one, Add | NoOp):
            ids.append(one.record_id)
    return tuple(dict.fromkeys(ids))


def isolate(
    mutations: Sequence[Mutation], cards: Iterable[Mapping[str, Any]], scope: Scope
) -> tuple[Mutation, ...] | Failure:
    """The mutations, each in a mount that is open, new cards signed by the scope's actor.

    `cards` are the targets, of whatever mount. One in a closed mount is as good as missing; one in another open
    mount than the mutation names is a mismatch. Raises MountPermissionError for a mount that is named and closed.
    """
    mounts = {str(card.get("id")): str(card.get("mount") or DEFAULT_MOUNT) for card in cards}
    isolated: list[Mutation] = []
    for mutation in mutations:
        one = _isolated(mutation, mounts, scope)
        if isinstance(one, Failure):
            return one
        isolated.append(one)
    return tuple(isolated)


def _isolated(mutation: Mutation, mounts: dict[str, str], scope: Scope) -> Mutation | Failure:
    if isinstance(mutation, NoOp):
        return mutation
    if isinstance(mutation, Add | Supersede):
        return _new(mutation, mounts, scope)
    named = scope.check(mutation.mount) if mutation.mount else ""
    if isinstance(mutation, Promote):
        mutation = replace(mutation, to_mount=scope.check(mutation.to_mount))
    failure = _unreachable(mutation.record_id, named, mounts, scope)
    if failure:
        return failure
    if isinstance(mutation, Promote):
        mounts[mutation.record_id] = mutation.to_mount
    return mutation


def _new(mutation: Add | Supersede, mounts: dict[str, str], scope: Scope) -> Mutation | Failure:
    mount = scope.check(mutation.mount or str(mutation.card.get("mount") or ""))
    for target in mutation.target_ids if isinstance(mutation, Supersede) else ():
        failure = _unreachable(target, mount, mounts, scope)
        if failure:
            return failure
    unsigned = {key: value for key, value in mutation.card.items() if key != "source_actor"}
    card = cast("Card", unsigned | {"mount": mount})
    if scope.actor:
        card["source_actor"] = scope.actor
    if card.get("id"):
        mounts.setdefault(card["id"], mount)  # one that exists is for the store to refuse
    return replace(mutation, card=card, mount=mount)


def _unreachable(
    record_id: str, named: str, mounts: Mapping[str, str], scope: Scope
) -> Failure | None:
    mount = mounts.get(record_id)
    if mount is None or mount not in scope.mounts:
        return Failure(ErrorWord.RECORD_NOT_FOUND)
    if named and mount != named:
        return Failure(ErrorWord.TARGET_MOUNT_MISMATCH)
    return None
