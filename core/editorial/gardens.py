"""Gardens of cards: whose they are, the one key that tenant and owner make, and what a load shows."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import CardStatus, card_status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_HALF = re.compile(r"[\ud800-\udfff]")


def owner_of(tenant: str, owner: str | None) -> str:
    """The owner that is meant; a tenant without one owns its cards itself.

    Raises ValueError for a blank name, and for one that is no text.
    """
    named = tenant if owner is None else owner
    if not tenant.strip() or not named.strip():
        raise ValueError("a garden needs a tenant and an owner: neither may be blank")
    if any(_HALF.search(name) for name in (tenant, named)):
        raise ValueError("half a surrogate pair is no part of a name")
    return named


def garden_key(tenant: str, owner: str | None) -> str:
    """A key that no other pair has: the tenant where it owns its cards itself, else `tenant/owner`."""
    named = owner_of(tenant, owner)
    return _part(tenant) if named == tenant else f"{_part(tenant)}/{_part(named)}"


def asked_for(
    cards: Iterable[Mapping[str, Any]],
    *,
    include_archived: bool,
    include_superseded: bool,
    ids: Iterable[str] | None,
) -> list[dict[str, Any]]:
    """Copies of the active cards, of the retired ones that are asked for, and of `ids` alone where given."""
    shown = {CardStatus.ACTIVE}
    shown |= {CardStatus.ARCHIVED} if include_archived else set()
    shown |= {CardStatus.SUPERSEDED} if include_superseded else set()
    wanted = None if ids is None else set(ids)
    return [
        deepcopy(dict(card))
        for card in cards
        if card_status(card) in shown and (wanted is None or card.get("id") in wanted)
    ]


def _part(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")
