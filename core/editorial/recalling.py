"""Cards for a turn of conversation, and cards that answer a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import DEFAULT_MOUNT, is_active, search_text
from memgardend.core.editorial.selection import Chain
from memgardend.core.editorial.stages import RecentStage, RelevanceStage, RoleStage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.selection import Pick, SelectionPolicy

CONTEXT_CARDS = 8
"""Cards that a turn gets at most, unless told otherwise."""
SEARCH_CARDS = 20
"""Hits of a search at most, unless told otherwise."""
DEFAULT_SELECTION = Chain((RoleStage("turning_point", 3), RecentStage(2), RelevanceStage(3)))
"""Three turning points, two recent cards, three that fit what is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBlock:
    """One card as an agent is shown it: its summary, never its content."""

    record_ref: str
    text: str
    mount: str
    stage: str  # which part of the selection chose it
    type: str = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextResult:
    """The cards that come to mind, in order. `trace` holds counts and words, never content."""

    record_ids: tuple[str, ...] = ()
    blocks: tuple[ContextBlock, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The summaries, one a line, as a prompt may hold them."""
        return "\n".join(f"- {block.text}" for block in self.blocks)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One card that answers; `coverage` is the part of the question's weight that it has, 0 to 1."""

    id: str
    summary: str
    score: float
    coverage: float


def context_of(
    cards: Iterable[Mapping[str, Any]], query: str, *, policy: SelectionPolicy, limit: int
) -> ContextResult:
    """What a policy chooses for this turn among the active cards. Raises ValueError for a negative limit."""
    known = {str(card["id"]): card for card in cards if is_active(card) and card.get("id")}
    found = policy.select(list(known.values()), query, limit=limit)
    picks = [pick for pick in found.picks if pick.card_id in known][:limit]  # a host's may invent
    return ContextResult(
        record_ids=tuple(pick.card_id for pick in picks),
        blocks=tuple(_block(known[pick.card_id], pick) for pick in picks),
        trace={"candidates": len(known), "selected": len(picks), **found.diagnostics},
    )


class SearchLimitExceeded(ValueError):  # noqa: N818 - the library's name for it
    """More cards, or more text, than a host lets one search read."""


def search_cards(
    cards: Sequence[Mapping[str, Any]],
    query: str,
    *,
    limit: int,
    locale: str = "en",
    max_cards: int | None = None,
    max_text_bytes: int | None = None,
) -> tuple[SearchHit, ...]:
    """The active cards that answer, the best first; none where none does: a search is never padded.

    Raises SearchLimitExceeded for more cards, or more searched text (in UTF-8), than a host allows; for a blank
    query, too.
    """
    if max_cards is not None and len(cards) > max_cards:
        raise SearchLimitExceeded(f"{len(cards)} cards are more than {max_cards}")
    if max_text_bytes is not None:
        size = sum(len(search_text(card).encode(errors="surrogatepass")) for card in cards)
        if size > max_text_bytes:
            raise SearchLimitExceeded(f"{size} bytes of text are more than {max_text_bytes}")
    known = {str(card["id"]): card for card in cards if is_active(card) and card.get("id")}
    stage = RelevanceStage(limit=limit, locale=locale)
    picks, _ = stage.pick(list(known.values()), query, limit)
    return tuple(
        SearchHit(
            id=pick.card_id,
            summary=_summary(known[pick.card_id]),
            score=pick.score,
            coverage=pick.confidence,
        )
        for pick in picks
    )


def _block(card: Mapping[str, Any], pick: Pick) -> ContextBlock:
    return ContextBlock(
        record_ref=pick.card_id,
        text=_summary(card),
        mount=str(card.get("mount") or DEFAULT_MOUNT),
        stage=pick.stage,
    )


def _summary(card: Mapping[str, Any]) -> str:
    return str(card.get("summary") or "")
