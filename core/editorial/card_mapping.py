"""A card as one of our memories and back, nothing lost either way (DESIGN section 11).

What the columns of a memory can say is said there: summary = title, cues = keywords, source = origin, importance
in quarters. What they cannot is kept in the memory's `card`, as JSON: fields of their own, the exact form of what
a column rounds, and null for what the card did not have. Where a dream has changed a column since, it counts.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.cards import (
    DEFAULT_MOUNT,
    CardStatus,
    CardType,
    card_status,
    importance_of,
    texts,
)
from memgardend.core.editorial.times_of_cards import instant_ms
from memgardend.core.language import guess_locale
from memgardend.core.likeness import auto_keywords
from memgardend.core.records import Memory
from memgardend.core.scope import GLOBAL, GLOBAL_TEXT, UNSET, UNSET_TEXT, Scope
from memgardend.core.times import rfc3339
from memgardend.core.words import Layer, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.cards import Card

QUARTERS = 4
ORDINARY = 2
"""The importance, in quarters, of a card that gives none."""
STAND_IN_CHARS = 120
"""How much of the first line stands in for the summary of a memory without a title."""

_LAYERS = {
    "": Layer.FACT,
    CardType.FACT: Layer.FACT,
    CardType.EVENT: Layer.TOPIC,
    CardType.MOMENT: Layer.TOPIC,
    "rule": Layer.RULES,
}
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
    says = columns_of(card)
    for name, column in _COLUMNS.items():
        if name in kept and says[column] != _column(memory, column):
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


def columns_of(card: Mapping[str, Any]) -> dict[str, Any]:
    """What a card says in the columns of a memory."""
    scope = _scope(card.get("scope"))
    layer, subcategory = _shelf(card, scope)
    goal, corrected = card.get("goal"), card.get("corrected")
    content = card.get("content") or ""
    cues = tuple(texts(card.get("retrieval_cues")))
    return {
        "layer": layer,
        "title": card.get("summary"),
        "content": content,
        "keywords": cues or _keywords(f"{card.get('summary') or ''}\n{content}"),
        "keywords_auto": not cues,
        "importance": _quarters(card),
        "status": Status.ACTIVE if _is_current(card) else Status.ARCHIVED,
        "scope": scope,
        "bucket": card.get("bucket"),
        "threads": tuple(texts(card.get("threads"))),
        "origin": card.get("source") or "",
        "subcategory": subcategory,
        "goal": goal if layer is Layer.TOPIC and isinstance(goal, str) else None,
        "corrected": corrected is True and layer is Layer.LESSON,
        "occurred_at": instant_ms(card.get("occurred_at")),
        "created_at": instant_ms(card.get("created_at")) or 0,
        "updated_at": instant_ms(card.get("updated_at")) or 0,
        "superseded_by": card.get("superseded_by") or None,
    }


def _plain_card(memory: Memory, type_: str) -> dict[str, Any]:
    """What the columns alone say, of a card of this type."""
    layer, subcategory = _shelf({"type": type_}, memory.scope)
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
        name: value
        for name, value in card.items()
        if name not in plain or plain[name] != value or type(plain[name]) is not type(value)
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


def _shelf(card: Mapping[str, Any], scope: Scope) -> tuple[Layer, Subcategory | None]:
    """The layer of a card, and its shelf there."""
    layer, subcategory = card.get("layer"), card.get("subcategory")
    type_ = card.get("type") or ""
    if type_ == CardType.QUOTE:
        given = Layer.PROJECT if scope.projects else Layer.USER
        shelf = Subcategory.QUOTES if scope.projects else None
    else:
        given, shelf = _LAYERS.get(type_, Layer.TOPIC), None
    if isinstance(layer, str) and layer in set(Layer):
        given, shelf = Layer(layer), shelf if layer == given else None
    if given is Layer.PROJECT and isinstance(subcategory, str) and subcategory in set(Subcategory):
        shelf = Subcategory(subcategory)
    return given, shelf


def _scope(value: object) -> Scope:
    """`global`, or a list of project ids; anything else is a field of the host's own."""
    if value == GLOBAL_TEXT:
        return GLOBAL
    if isinstance(value, list) and all(_is_project(one) for one in value):
        return Scope.of(*value)
    return UNSET


def _is_project(value: object) -> bool:
    return (
        isinstance(value, str)
        and bool(value)
        and "," not in value
        and value not in (GLOBAL_TEXT, UNSET_TEXT)
    )


def _is_current(card: Mapping[str, Any]) -> bool:
    return card_status(card) not in (CardStatus.ARCHIVED, CardStatus.SUPERSEDED)


def _quarters(card: Mapping[str, Any]) -> int:
    """The nearest quarter, halves upwards, and at least one."""
    if card.get("importance") is None and card.get("importance_level") is None:
        return ORDINARY
    return min(QUARTERS, max(1, math.floor(importance_of(card) * QUARTERS + 0.5)))


def _keywords(text: str) -> tuple[str, ...]:
    """Keywords for a card without cues, in the language that most of it is in."""
    writing = guess_locale((text,))
    return auto_keywords(text, "en" if writing.latin >= writing.han else "zh-Hans")
