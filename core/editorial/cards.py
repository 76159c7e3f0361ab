"""A card: a memory seen through the library's shapes. At run time a plain JSON mapping."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any, TypedDict, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_SUMMARY_CHARS = 2000
MAX_LABEL_CHARS = 80
"""Longest bucket or thread."""
MAX_THREADS = 8
MAX_CUES = 5
MAX_CUE_CHARS = 120
IMPORTANCE_LEVELS = 5
"""`importance_level` n of 1 to 5 means n/5."""
DREAM_SOURCE = "memory_dream"
"""The reserved origin of cards that a dream wrote: they never make the next dream due."""
DEFAULT_MOUNT = "agent-private"


class CardType(StrEnum):
    """What a captured card tells."""

    EVENT = "event"
    FACT = "fact"
    QUOTE = "quote"
    MOMENT = "moment"


class CardStatus(StrEnum):
    """The life of a card. Only an active one is ever recalled, searched, indexed or dreamed about."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    DELETED = "deleted"
    UNKNOWN = "unknown"


class Actor(TypedDict, total=False):
    """Who wrote a card; always taken from the trusted scope, never from a model."""

    user_id: str
    agent_id: str
    session_id: str


class Card(TypedDict, total=False):
    """The fields of a card (a host may add its own, and they are kept).

    `summary` is the one line that people and logs may see, `content` the full account; `importance` and
    `pulse` run from 0 to 1; `occurred_at` is a date or a UTC instant; times are ISO 8601.
    """

    id: str
    summary: str
    content: str
    bucket: str
    threads: list[str]
    retrieval_cues: list[str]
    type: str
    importance: float
    pulse: float
    occurred_at: str
    role: str
    roles: list[str]
    is_sensitive: bool
    source: str
    source_material_kind: str
    source_actor: Actor
    mount: str
    created_at: str
    updated_at: str
    archived: bool
    archive_reason: str
    superseded_by: str
    deleted: bool
    status: str
    anchor_memory_ids: list[str]
    supersedes: list[str]
    search_text: str  # what is matched instead of the fields above; never shown


_TEXT_NAMES = """
id summary content bucket type occurred_at role source source_material_kind mount created_at updated_at
archive_reason superseded_by status search_text
"""
_TEXTS = frozenset(_TEXT_NAMES.split())
_LISTS = frozenset({"threads", "retrieval_cues", "roles", "anchor_memory_ids", "supersedes"})
_FLAGS = frozenset({"is_sensitive", "archived", "deleted"})
_UNITS = frozenset({"importance", "pulse"})


def read_card(raw: Mapping[str, Any]) -> Card:
    """A card out of what a store or a host holds: known fields in their types, foreign ones untouched.

    What cannot be of its type is left out; a number where a text belongs becomes its text.
    """
    read = ((name, _read(name, value)) for name, value in raw.items())
    return cast("Card", {name: value for name, value in read if value is not None})


def card_status(raw: Mapping[str, Any]) -> CardStatus:
    """Where a card stands; a word that nobody knows is `unknown`, and so is no candidate for anything."""
    status = raw.get("status") or raw.get("lifecycle") or ""
    word = status.strip().lower() if isinstance(status, str) else "?"
    if raw.get("deleted") or word == CardStatus.DELETED:
        return CardStatus.DELETED
    if word == CardStatus.SUPERSEDED or raw.get("superseded_by"):
        return CardStatus.SUPERSEDED
    if raw.get("archived") or word == CardStatus.ARCHIVED:
        return CardStatus.ARCHIVED
    return CardStatus.ACTIVE if word in ("", CardStatus.ACTIVE) else CardStatus.UNKNOWN


def is_active(raw: Mapping[str, Any]) -> bool:
    """True for a card that may be recalled, searched, indexed or dreamed about."""
    return card_status(raw) is CardStatus.ACTIVE


def unit(value: object) -> float:
    """A number from 0 to 1, also one written as text; it is clamped, and what is no number is 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return 0.0
    return min(1.0, max(0.0, number)) if isfinite(number) else 0.0


def importance_of(raw: Mapping[str, Any]) -> float:
    """The weight of a card, 0 to 1: `importance_level` n of 1 to 5 wins and means n/5."""
    level = raw.get("importance_level")
    if isinstance(level, int) and not isinstance(level, bool) and 1 <= level <= IMPORTANCE_LEVELS:
        return level / IMPORTANCE_LEVELS
    return unit(raw.get("importance"))


def search_text(card: Mapping[str, Any]) -> str:
    """What of a card is searched: its own `search_text`, else what it says, each line once."""
    own = card.get("search_text")
    if isinstance(own, str) and own.strip():
        return own
    fields = (card.get(name) for name in ("summary", "content", "bucket"))
    parts = [part for part in fields if isinstance(part, str)]
    parts += texts(card.get("threads")) + texts(card.get("retrieval_cues"))
    lines = (line.strip() for part in parts for line in part.splitlines())
    return "\n".join(dict.fromkeys(line for line in lines if line))


def cues(value: object) -> list[str]:
    """Search hints out of what a model wrote: texts only, on one line, each once, few and short."""
    return folded(value, limit=MAX_CUES, chars=MAX_CUE_CHARS)


def folded(value: object, *, limit: int, chars: int) -> list[str]:
    """Up to `limit` different texts of a list, on one line each and cut at `chars` characters."""
    lines = (" ".join(text.split())[:chars].rstrip() for text in texts(value))
    return list(dict.fromkeys(line for line in lines if line))[:limit]


def texts(value: object) -> list[str]:
    """The texts of a list; a lone text counts as a list of one, anything else as none."""
    items: Iterable[object] = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, str)]


def _read(name: str, value: object) -> object:
    if name in _TEXTS:
        return _text(value)
    if name in _LISTS:
        return texts(value)
    if name in _UNITS:
        return unit(value)
    if name in _FLAGS:
        return value if isinstance(value, bool) else None
    return value


def _text(value: object) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None
