"""What is one step away from a card: what it builds on, took the place of, or shares a thread with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import CardStatus, card_status, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

RELATED_CARDS = 6
"""So many are told at most, unless told otherwise."""
MAX_LINKS = 20
"""So many links of a kind count on one card, each of at most MAX_LINK_CHARS."""
MAX_LINK_CHARS = 160
SUMMARY_CHARS = 120


class Relation(StrEnum):
    """How a card is related to another, the closest first."""

    ANCHOR = "anchor"
    SUPERSEDES = "supersedes"
    THREAD = "thread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A card beside the one with `source_id`; its summary is one line, cut."""

    id: str
    summary: str
    source_id: str
    relation: Relation
    status: CardStatus


_ORDER = {relation: place for place, relation in enumerate(Relation)}
_LINKS = {Relation.ANCHOR: "anchor_memory_ids", Relation.SUPERSEDES: "supersedes"}


def related(
    sources: Sequence[Mapping[str, Any]],
    cards: Iterable[Mapping[str, Any]],
    *,
    cap: int = RELATED_CARDS,
) -> tuple[Related, ...]:
    """The cards beside these sources, each once: explicit links first, then shared threads, each by id.

    A link may lead to a superseded card, a thread only to an active one; nothing leads to archived or deleted
    ones, to blank summaries, or further than one step. Raises ValueError for a cap that is no count.
    """
    if not isinstance(cap, int) or isinstance(cap, bool) or cap < 0:
        raise ValueError("cap must be a whole number, 0 or more")
    known = {str(card["id"]): card for card in cards if card.get("id") and _summary(card)}
    beside = [one for source in sources for one in _beside(source, known)]
    own = {str(source.get("id")) for source in sources}
    closest_first = sorted(beside, key=lambda one: (_ORDER[one.relation], one.id))
    found: dict[str, Related] = {}
    for one in closest_first:
        if one.id not in own:
            found.setdefault(one.id, one)
    return tuple(found.values())[:cap]


def _beside(source: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> Iterator[Related]:
    yield from _linked(source, known)
    yield from _threaded(source, known)


def _linked(source: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> Iterator[Related]:
    for relation, field in _LINKS.items():
        for link in texts(source.get(field))[:MAX_LINKS]:
            card = known.get(link) if len(link) <= MAX_LINK_CHARS else None
            if card and card_status(card) in (CardStatus.ACTIVE, CardStatus.SUPERSEDED):
                yield _related(source, card, relation)


def _threaded(
    source: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]
) -> Iterator[Related]:
    threads = set(texts(source.get("threads")))
    for card in known.values():
        if card_status(card) is CardStatus.ACTIVE and threads.intersection(
            texts(card.get("threads"))
        ):
            yield _related(source, card, Relation.THREAD)


def _related(source: Mapping[str, Any], card: Mapping[str, Any], relation: Relation) -> Related:
    return Related(
        id=str(card["id"]),
        summary=_summary(card),
        source_id=str(source.get("id")),
        relation=relation,
        status=card_status(card),
    )


def _summary(card: Mapping[str, Any]) -> str:
    flat = " ".join(str(card.get("summary") or "").split())
    return flat if len(flat) <= SUMMARY_CHARS else flat[: SUMMARY_CHARS - 1] + "…"
