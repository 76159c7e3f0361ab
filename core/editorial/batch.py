"""Which cards one consolidation looks at: the oldest backlog, with what belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import search_text, texts
from memgardend.core.editorial.index import rank_cards
from memgardend.core.editorial.seeds import pending_cards, reviewable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


def choose_batch(
    cards: Iterable[Mapping[str, Any]],
    reviewed_versions: Mapping[str, str],
    locale: str,
    limit: int,
) -> list[Mapping[str, Any]]:
    """Up to `limit` cards to look at together; none when no card waits for its review.

    At least half of them are the oldest pending cards. Then come the cards that share a
    thread with these, by id, then those whose words are nearest to theirs, then more pending cards.
    """
    active = reviewable(cards)
    pending = pending_cards(active, reviewed_versions)
    primary = pending[: (limit + 1) // 2]
    wanted = [*primary, *_in_threads(primary, active), *_near(primary, active, locale), *pending]
    return list({card["id"]: card for card in wanted}.values())[:limit]


def _in_threads(
    primary: Sequence[Mapping[str, Any]], active: Sequence[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    threads = {thread for card in primary for thread in texts(card.get("threads"))}
    for card in sorted(active, key=lambda card: card["id"]):
        if threads.intersection(texts(card.get("threads"))):
            yield card


def _near(
    primary: Sequence[Mapping[str, Any]], active: Sequence[Mapping[str, Any]], locale: str
) -> list[Mapping[str, Any]]:
    """The others that share words with these; ranked too, these would drown all else in words of their own."""
    text = "\n".join(map(search_text, primary))
    taken = {card["id"] for card in primary}
    others = [card for card in active if card["id"] not in taken]
    return [card for score, card in rank_cards(others, text, locale) if score > 0]
