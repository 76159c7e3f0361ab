"""A card as one of our memories and back, nothing lost either way (DESIGN section 11).

What the columns of a memory can say is said there: summary = title, cues = keywords, source = origin, importance
in quarters. What they cannot is kept in the memory's `card`, as JSON: fields of their own, the exact form of what
a column rounds, and null for what the card did not have. Where a dream has changed a column since, it counts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.card_columns import QUARTERS, SAYS, columns_of, shelf
from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL, GLOBAL_TEXT
from memgardend.core.times import rfc3339
from memgardend.core.words import Status

if TYPE_CHECKING:
    from memgardend.core.editorial.cards import Card

STAND_IN_CHARS = 120
"""How much of the first line stands in for the summary of a memory without a title."""

_COLUMNS = {
    "summary": "title",
    "content": "content",
    "retrieval_cues": "keywords",
    "importance": "importance",
    "importance_level": "importance",
    "scope": "scope",
    "layer": "layer",
    "subcategory": "subcategory",
    "goal": "goal",
    "corrected": "corrected",
    "bucket": "bucket",
    "threads": "threads",
    "source": "origin",
    "occurred_at": "occurred_at",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "archived": "status",
    "archive_reason": "status",
    "superseded_by": "superseded_by",
}
"""The fields of a card that a column of our memories says too."""


def card_of(memory: Memory) -> Card:
    """The memory as a card."""
    kept: dict[str, Any] = json.loads(memory.card) if memory.card else {}
    plain = _plain_card(memory, str(kept.get("type") or ""))
    card = {**plain, **kept}
    for name in kept.keys() & _COLUMNS.keys():
        column = _COLUMNS[name]
        if SAYS[column]({**plain, **kept}) != _column(memory, column):
            card[name] = plain.get(name)
    return cast("Card", {name: value for name, value in card.items() if value is not None})


def new_memory(card: Card) -> Memory:
    """A new, active card as a memory; it knows what it says as of its creation."""
    columns = columns_of(card)
    made = Memory(
        **columns,
        id=card["id"],
        status_at=columns["updated_at"],
        as_of=columns["created_at"],
    )
    return _with_rest(made, card)


def edited_memory(memory: Memory, before: Card, after: Card) -> Memory:
    """The memory after its card has changed: only the columns that say something else now are touched."""
    old, new = columns_of(before), columns_of(after)
    changed = {name: value for name, value in new.items() if old[name] != value}
    now = changed.pop("updated_at", memory.updated_at)
    if "status" in changed:
        changed["status_at"] = now
    else:
        changed["updated_at"] = now
    if changed.keys() & {"title", "content"}:
        changed["as_of"] = max(memory.as_of, now)
    return _with_rest(replace(memory, **changed, revision=memory.revision + 1), after)


def _plain_card(memory: Memory, type_: str) -> dict[str, Any]:
    """What the columns alone say, of a card of this type."""
    layer, subcategory = shelf({"type": type_}, memory.scope)
    title = memory.title
    if title is None:
        title = memory.content.strip().partition("\n")[0][:STAND_IN_CHARS]
    said = {
        "id": memory.id,
        "summary": title,
        "content": memory.content,
        "retrieval_cues": list(memory.keywords) if not memory.keywords_auto else None,
        "importance": memory.importance / QUARTERS,
        "scope": list(memory.scope.projects) or (GLOBAL_TEXT if memory.scope == GLOBAL else None),
        "layer": str(memory.layer) if memory.layer is not layer else None,
        "subcategory": str(memory.subcategory or "") if memory.subcategory != subcategory else None,
        "goal": memory.goal,
        "corrected": memory.corrected or None,
        "bucket": memory.bucket,
        "threads": list(memory.threads) or None,
        "source": memory.origin or None,
        "mount": DEFAULT_MOUNT,
        "occurred_at": None if memory.occurred_at is None else rfc3339(memory.occurred_at),
        "created_at": rfc3339(memory.created_at),
        "updated_at": rfc3339(_column(memory, "updated_at")),
        "archived": memory.status is not Status.ACTIVE or None,
        "archive_reason": str(memory.status) if memory.status is Status.STALE else None,
        "superseded_by": memory.superseded_by,
    }
    return {name: value for name, value in said.items() if value not in (None, [])}


def _with_rest(memory: Memory, card: Card) -> Memory:
    """The memory with whatever of its card the columns do not say."""
    plain = _plain_card(memory, card.get("type", ""))
    rest: dict[str, Any] = {
        name: value for name, value in card.items() if name not in plain or plain[name] != value
    }
    rest |= {name: None for name in plain if name not in card}
    text = json.dumps(rest, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return replace(memory, card=text if rest else None)


def _column(memory: Memory, name: str) -> Any:
    """A column as cards know it: a card that is retired is changed, a memory only ends."""
    if name == "updated_at":
        return max(memory.updated_at, memory.status_at)
    if name == "status":
        return Status.ACTIVE if memory.status is Status.ACTIVE else Status.ARCHIVED
    return getattr(memory, name)
