"""Whole cards for a model or a person, as fragments of their JSON: nothing is cut off unsaid."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import is_active

if TYPE_CHECKING:
    from collections.abc import Mapping

FRAGMENT_CHARS = 5_000
MAX_FRAGMENT_CHARS = 20_000
FORMAT = "json_fragment"
RECORD_CHANGED = "record_changed"

_HIDDEN = frozenset({"search_text"})
_HASH_CHARS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A stretch of a card's JSON; all stretches in order are the whole of it. `next_cursor` is "" at the end."""

    record_id: str
    text: str
    offset: int
    total_chars: int
    next_cursor: str
    format: str = FORMAT


def read_fragment(
    card: Mapping[str, Any] | None, *, cursor: str = "", limit: int = FRAGMENT_CHARS
) -> Fragment | None:
    """The fragment at a cursor, from the start without one; None for no card, or one that is retired.

    What is only searched is left out. Raises ValueError for a limit that is not 1 to 20 000, a cursor that is
    none, and `record_changed` for one of another version of the card.
    """
    if not 1 <= limit <= MAX_FRAGMENT_CHARS:
        raise ValueError(f"limit must be 1 to {MAX_FRAGMENT_CHARS}")
    if card is None or not is_active(card):
        return None
    shown = {name: value for name, value in card.items() if name not in _HIDDEN}
    text = json.dumps(shown, ensure_ascii=False, sort_keys=True)
    version = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARS]
    offset = _offset(cursor, version, len(text)) if cursor else 0
    end = min(len(text), offset + limit)
    return Fragment(
        record_id=str(card["id"]),
        text=text[offset:end],
        offset=offset,
        total_chars=len(text),
        next_cursor=f"{version}.{end}" if end < len(text) else "",
    )


def _offset(cursor: str, version: str, total: int) -> int:
    known, dot, place = cursor.partition(".")
    if not dot or not place.isdecimal():
        raise ValueError("not a cursor of a fragment")
    if known != version:
        raise ValueError(RECORD_CHANGED)
    if int(place) >= total:
        raise ValueError("not a cursor of a fragment")
    return int(place)
