"""Cards as pages to look through: one line each, in an order that does not move while one looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import DEFAULT_MOUNT, is_active, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PAGE_ITEMS = 100
MAX_PAGE_ITEMS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseItem:
    """What a list shows of a card: never its content."""

    record_ref: str
    display_text: str
    mount: str
    occurred_at: str = ""
    updated_at: str = ""
    provider: str = ""  # the origin of the card
    group_label: str = ""  # its bucket
    tags: tuple[str, ...] = ()  # its threads


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some items; `next_cursor` is the last id of the page, "" at the end; `total` counts all pages."""

    items: tuple[BrowseItem, ...]
    next_cursor: str
    total: int


def browse(
    cards: Iterable[Mapping[str, Any]], *, limit: int = PAGE_ITEMS, cursor: str = ""
) -> Page:
    """The active cards after the cursor, by id.

    What is deleted meanwhile is no longer there, and nothing else is left out: a cursor is a place, not a card.
    Raises ValueError for a limit that is not 1 to 1000.
    """
    if not 1 <= limit <= MAX_PAGE_ITEMS:
        raise ValueError(f"limit must be 1 to {MAX_PAGE_ITEMS}")
    active = sorted((card for card in cards if is_active(card)), key=lambda card: str(card["id"]))
    rest = [card for card in active if str(card["id"]) > cursor]
    shown = rest[:limit]
    return Page(
        items=tuple(map(_item, shown)),
        next_cursor=str(shown[-1]["id"]) if len(rest) > limit else "",
        total=len(active),
    )


def _item(card: Mapping[str, Any]) -> BrowseItem:
    return BrowseItem(
        record_ref=str(card["id"]),
        display_text=card.get("summary", ""),
        mount=card.get("mount", DEFAULT_MOUNT),
        occurred_at=card.get("occurred_at", ""),
        updated_at=card.get("updated_at", ""),
        provider=card.get("source", ""),
        group_label=card.get("bucket", ""),
        tags=tuple(texts(card.get("threads"))),
    )
