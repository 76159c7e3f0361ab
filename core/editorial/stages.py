"""The stages that come with the library: by role, by recency, by nearness to what is asked."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import search_text, texts
from memgardend.core.editorial.selection import Pick, Rejection
from memgardend.core.editorial.times import instant_ms
from memgardend.core.ranking import (
    MIN_COVERAGE,
    SMALL_GARDEN,
    STRONG_TERMS,
    bm25,
    inverse_frequency,
)
from memgardend.core.tokens import cjk_characters, query_tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Cards = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class RoleStage:
    """Cards of one role, those that happened last first; the query is not asked."""

    role: str
    limit: int = 3
    name: str = ""

    def __post_init__(self) -> None:
        _require_limit(self.limit)
        object.__setattr__(self, "name", self.name or f"role:{self.role}")

    def pick(
        self, cards: Cards, query: str, seats: int
    ) -> tuple[Sequence[Pick], Mapping[str, str]]:
        """The newest cards whose `role` or `roles` name it."""
        mine = [card for card in cards if self.role in texts(card.get("role")) + _roles(card)]
        return _newest(mine, "occurred_at", self.name, min(self.limit, seats))


@dataclass(frozen=True, slots=True)
class RecentStage:
    """The cards that were written last; the query is not asked."""

    limit: int = 2
    name: str = "recent"

    def __post_init__(self) -> None:
        _require_limit(self.limit)

    def pick(
        self, cards: Cards, query: str, seats: int
    ) -> tuple[Sequence[Pick], Mapping[str, str]]:
        """The cards with the newest `created_at`."""
        return _newest(cards, "created_at", self.name, min(self.limit, seats))


@dataclass(frozen=True, slots=True)
class RelevanceStage:
    """The cards nearest to the query by BM25.

    Weak matches are left out, unless `any_score`: then any shared word is enough. `locale` chooses the words
    that say nothing; the English ones are left out of Chinese texts too.
    """

    limit: int = 3
    any_score: bool = False
    locale: str = "en"
    name: str = "relevance"

    def __post_init__(self) -> None:
        _require_limit(self.limit)

    def pick(
        self, cards: Cards, query: str, seats: int
    ) -> tuple[Sequence[Pick], Mapping[str, str]]:
        """The best matches; among equals the one that happened last, then by id."""
        split = tokenize if tokenize(query, self.locale) else _characters
        documents = [split(search_text(card), self.locale) for card in cards]
        terms = query_tokens(query, self.locale)
        measure = _Measure(terms, documents)
        matches: list[tuple[Pick, tuple[float, float, str]]] = []
        rejected: dict[str, str] = {}
        for card, document, score in zip(cards, documents, bm25(terms, documents), strict=True):
            coverage = measure.coverage(document)
            if score <= 0:
                rejected[str(card["id"])] = Rejection.NO_MATCH
            elif not self.any_score and coverage < MIN_COVERAGE and score < measure.strong:
                rejected[str(card["id"])] = Rejection.BELOW_GATE
            else:
                pick = Pick(
                    card_id=str(card["id"]),
                    stage=self.name,
                    score=score,
                    reason="query",
                    confidence=coverage,
                )
                matches.append((pick, (-score, -_instant(card, "occurred_at"), pick.card_id)))
        return _seated(matches, min(self.limit, seats), rejected)


class _Measure:
    """How much each word of a query weighs among these documents."""

    def __init__(self, terms: Sequence[str], documents: Sequence[Sequence[str]]) -> None:
        counted = max(len(documents), SMALL_GARDEN)
        found = Counter(term for document in documents for term in set(document))
        self._weights = {term: inverse_frequency(counted, found[term]) for term in terms}
        self.strong = STRONG_TERMS * inverse_frequency(counted, 0)

    def coverage(self, document: Sequence[str]) -> float:
        """The part of the query's weight that a document has, 0 to 1."""
        known = set(document)
        whole = sum(self._weights.values())
        return sum(w for term, w in self._weights.items() if term in known) / whole if whole else 0


def _newest(
    cards: Cards, field: str, stage: str, seats: int
) -> tuple[Sequence[Pick], Mapping[str, str]]:
    matches = [
        (
            Pick(card_id=str(card["id"]), stage=stage, reason=field),
            (0.0, -_instant(card, field), str(card["id"])),
        )
        for card in cards
    ]
    return _seated(matches, seats, {})


def _seated(
    matches: list[tuple[Pick, tuple[float, float, str]]], seats: int, rejected: Mapping[str, str]
) -> tuple[Sequence[Pick], Mapping[str, str]]:
    """The first by their order, as many as there are seats; the others are over the cap."""
    ordered = [pick for pick, _ in sorted(matches, key=lambda match: match[1])]
    over = {pick.card_id: Rejection.OVER_CAP for pick in ordered[max(0, seats) :]}
    return ordered[: max(0, seats)], {**rejected, **over}


def _instant(card: Mapping[str, Any], field: str) -> float:
    at = instant_ms(card.get(field))
    return -math.inf if at is None else at


def _roles(card: Mapping[str, Any]) -> list[str]:
    return texts(card.get("roles"))


def _characters(text: str, locale: str) -> list[str]:
    return cjk_characters(text)


def _require_limit(limit: int) -> None:
    if limit < 0:
        raise ValueError("limit must not be negative")
