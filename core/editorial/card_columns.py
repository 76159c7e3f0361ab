"""What a card says in the columns of our memories, one by one (DESIGN section 11)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import CardStatus, CardType, card_status, importance_of, texts
from memgardend.core.editorial.times import instant_ms
from memgardend.core.language import guess_locale
from memgardend.core.likeness import auto_keywords
from memgardend.core.scope import GLOBAL, GLOBAL_TEXT, UNSET, UNSET_TEXT, Scope
from memgardend.core.words import Layer, Status, Subcategory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

QUARTERS = 4
ORDINARY = 2
"""The importance, in quarters, of a card that gives none."""

_LAYERS = {
    "": Layer.FACT,
    CardType.FACT: Layer.FACT,
    CardType.EVENT: Layer.TOPIC,
    CardType.MOMENT: Layer.TOPIC,
    "rule": Layer.RULES,
}


def columns_of(card: Mapping[str, Any]) -> dict[str, Any]:
    """What a card says in the columns of a memory."""
    return {name: says(card) for name, says in SAYS.items()}


def shelf(card: Mapping[str, Any], scope: Scope) -> tuple[Layer, Subcategory | None]:
    """The layer of a card, and its subcategory there."""
    layer, subcategory = card.get("layer"), card.get("subcategory")
    type_ = card.get("type") or ""
    if type_ == CardType.QUOTE:
        found = Layer.PROJECT if scope.projects else Layer.USER
        place = Subcategory.QUOTES if scope.projects else None
    else:
        found, place = _LAYERS.get(type_, Layer.TOPIC), None
    if isinstance(layer, str) and layer in set(Layer):
        found, place = Layer(layer), place if layer == found else None
    if found is Layer.PROJECT and isinstance(subcategory, str) and subcategory in set(Subcategory):
        place = Subcategory(subcategory)
    return found, place


def _layer(card: Mapping[str, Any]) -> Layer:
    return shelf(card, _scope(card))[0]


def _scope(card: Mapping[str, Any]) -> Scope:
    """`global`, or a list of project ids; anything else is a field of the host's own."""
    value = card.get("scope")
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


def _goal(card: Mapping[str, Any]) -> str | None:
    goal = card.get("goal")
    return goal if isinstance(goal, str) and _layer(card) is Layer.TOPIC else None


def _cues(card: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(texts(card.get("retrieval_cues")))


def _keywords(card: Mapping[str, Any]) -> tuple[str, ...]:
    """The cues; for a card without, its own words, in the language that most of it is in."""
    cues = _cues(card)
    if cues:
        return cues
    text = f"{card.get('summary') or ''}\n{card.get('content') or ''}"
    writing = guess_locale((text,))
    return auto_keywords(text, "en" if writing.latin >= writing.han else "zh-Hans")


SAYS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "layer": _layer,
    "title": lambda card: card.get("summary"),
    "content": lambda card: card.get("content") or "",
    "keywords": _keywords,
    "keywords_auto": lambda card: not _cues(card),
    "importance": _quarters,
    "status": lambda card: Status.ACTIVE if _is_current(card) else Status.ARCHIVED,
    "scope": _scope,
    "bucket": lambda card: card.get("bucket"),
    "threads": lambda card: tuple(texts(card.get("threads"))),
    "origin": lambda card: card.get("source") or "",
    "subcategory": lambda card: shelf(card, _scope(card))[1],
    "goal": _goal,
    "corrected": lambda card: card.get("corrected") is True and _layer(card) is Layer.LESSON,
    "occurred_at": lambda card: instant_ms(card.get("occurred_at")),
    "created_at": lambda card: instant_ms(card.get("created_at")) or 0,
    "updated_at": lambda card: instant_ms(card.get("updated_at")) or 0,
    "superseded_by": lambda card: card.get("superseded_by") or None,
}
"""What a card says in each column, one by one: most cards are read without their keywords."""
