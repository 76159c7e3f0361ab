"""The cards that a model is shown before it judges: which, and one line for each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.cards import importance_of, is_active, search_text, texts
from memgardend.core.mask import mask
from memgardend.core.ranking import bm25
from memgardend.core.tokens import query_tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.results import CaptureRequest

INDEX_LIMIT = 60
RELEVANT_SHARE = 0.75
"""Of the seats in an index, those for the nearest cards; the others are for the weightiest (45 + 15 of 60)."""


def pick_index(
    cards: Sequence[Mapping[str, Any]], text: str, locale: str, *, limit: int = INDEX_LIMIT
) -> list[Mapping[str, Any]]:
    """Up to `limit` active cards, those nearest to the text first: all if they fit.

    Else three quarters of the seats go to the nearest by BM25, and what remains to the most important.
    """
    active = [card for card in cards if is_active(card) and _text(card, "id")]
    ranked = rank_cards(active, text, locale)
    if len(active) <= limit:
        return [card for _, card in ranked]
    near = [card for score, card in ranked[: round(limit * RELEVANT_SHARE)] if score > 0]
    seated = {card["id"] for card in near}
    others = [card for _, card in ranked if card["id"] not in seated]
    others.sort(key=importance_of, reverse=True)
    return near + others[: limit - len(near)]


def names_in_use(cards: Sequence[Mapping[str, Any]], field: str) -> list[str]:
    """The buckets or threads of active cards, the most used first."""
    names = (name.strip() for card in cards if is_active(card) for name in texts(card.get(field)))
    return [name for name, _ in Counter(name for name in names if name).most_common()]


def rank_cards(
    cards: Sequence[Mapping[str, Any]], text: str, locale: str
) -> list[tuple[float, Mapping[str, Any]]]:
    """All cards with their BM25 scores against a text, the nearest first, then by id."""
    documents = [tokenize(search_text(card), locale) for card in cards]
    scores = bm25(query_tokens(text, locale), documents)
    pairs = zip(scores, cards, strict=True)
    return sorted(pairs, key=lambda pair: (-pair[0], _text(pair[1], "id")))


def render_index(
    cards: Sequence[Mapping[str, Any]], *, budget_chars: int, summary_chars: int
) -> tuple[str, int]:
    """One line a card, `- id: [bucket] summary`, as many as fit; and how many those are."""
    lines: list[str] = []
    left = budget_chars
    for card in cards:
        bucket = clean_line(_text(card, "bucket"))
        summary = clean_line(mask(_text(card, "summary") or _text(card, "content")))
        label = f"[{bucket}] " if bucket else ""
        line = f"- {clean_line(_text(card, 'id'))}: {label}{_clip(summary, summary_chars)}"
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join(lines), len(lines)


def shown_index(request: CaptureRequest) -> tuple[str, frozenset[str] | None]:
    """The existing cards, one a line and the nearest first, and the ids that may be targets: None is any.

    What the host rendered itself is shown as it is.
    """
    existing = request.existing_cards
    if existing is None:
        return request.cards, None
    if request.cards.strip():
        return request.cards, frozenset(card["id"] for card in existing if is_active(card))
    picked = pick_index(existing, request.window, request.locale, limit=request.index_cards_limit)
    text, count = render_index(
        picked, budget_chars=request.index_budget_chars, summary_chars=request.index_summary_chars
    )
    return text, frozenset(card["id"] for card in picked[:count])


def _clip(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: max(0, chars - 1)] + "…"


def _text(card: Mapping[str, Any], name: str) -> str:
    value = card.get(name)
    return value if isinstance(value, str) else ""
