"""The selection socket: which cards come to mind this time. A host may replace all of it.

A policy is asked at the top, before any card is looked up, and gets cards that the host has filtered: it knows
no lifecycle and no permissions. It answers with ids and evidence, never with cards, so that it can neither change
nor invent one. `Chain` makes a policy of stages.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One card that comes to mind: by which stage and why (words, never content).

    `score` orders the picks of one stage and means nothing between stages. `confidence` is 0 to 1: how much of
    what was asked the card covers, 1 where the stage asks nothing.
    """

    card_id: str
    stage: str
    score: float = 0.0
    reason: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionResult:
    """The picks, the most important first; why each other card that was looked at is not among them; counts."""

    picks: tuple[Pick, ...] = ()
    rejected: Mapping[str, str] = field(default_factory=dict)  # card id -> a word
    diagnostics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The ids of the picks, in order."""
        return tuple(pick.card_id for pick in self.picks)


class SelectionPolicy(Protocol):
    """Chooses the cards for one turn."""

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        """Up to `limit` of these cards."""
        ...


class Stage(Protocol):
    """One view of what matters; a chain asks several."""

    @property
    def name(self) -> str:
        """What picks and diagnostics call it."""
        ...

    def pick(
        self, cards: Sequence[Mapping[str, Any]], query: str, seats: int
    ) -> tuple[Sequence[Pick], Mapping[str, str]]:
        """Up to `seats` of these cards, the best first, and why it left out others: a word for each id."""
        ...


class Rejection(StrEnum):
    """Why a card was left out, as diagnostics and records say it."""

    NO_MATCH = "no_match"
    BELOW_GATE = "below_gate"
    OVER_CAP = "over_cap"


@dataclass(frozen=True, slots=True)
class Chain:
    """Asks stages in turn: each sees the cards that no earlier one has taken, and the whole keeps to the limit.

    A stage that names a card nobody gave it is not believed: the id is left out and counted. Of the reasons to
    leave out a card, that of the last stage to give one is kept.
    """

    stages: tuple[Stage, ...]

    def select(
        self, cards: Sequence[Mapping[str, Any]], query: str, *, limit: int
    ) -> SelectionResult:
        """Up to `limit` picks. Raises ValueError for a negative limit."""
        if limit < 0:
            raise ValueError("limit must not be negative")
        left = {str(card["id"]): card for card in cards if card.get("id")}
        picks: list[Pick] = []
        by_stage: Counter[str] = Counter()
        rejected: dict[str, str] = {}
        unknown = 0
        for stage in self.stages:
            seats = limit - len(picks)
            found, left_out = stage.pick(list(left.values()), query, seats)
            believed = [
                one for one in {one.card_id: one for one in found}.values() if one.card_id in left
            ]
            rejected.update(left_out)
            rejected.update({one.card_id: Rejection.OVER_CAP for one in believed[seats:]})
            unknown += len(found) - len(believed)
            picks += believed[:seats]
            by_stage[stage.name] += len(believed[:seats])
            for pick in believed[:seats]:
                del left[pick.card_id]
        diagnostics = {
            "candidates": len(cards),
            "selected": len(picks),
            "by_stage": dict(by_stage),
            "unknown_ids": unknown,
        }
        why = {id_: str(reason) for id_, reason in rejected.items() if id_ in left}
        return SelectionResult(picks=tuple(picks), rejected=why, diagnostics=diagnostics)
