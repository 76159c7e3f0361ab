"""Whether a garden has gathered enough that is new to be consolidated, from its cards alone.

Seeds are the cards that no consolidation wrote, so a consolidation never makes the next one due. When, how
often and after which failures one runs is for the host to say; here is no clock, no content and no I/O.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.cards import DEFAULT_MOUNT, DREAM_SOURCE, is_active
from memgardend.core.editorial.results import MaintenanceCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MIN_NEW_CARDS = 10
"""New seeds from which on a consolidation is due."""

_HEX = 32
_READ_BY_REVIEW = (
    "summary",
    "content",
    "bucket",
    "threads",
    "occurred_at",
    "retrieval_cues",
    "importance",
    "pulse",
    "source",
    "supersedes",
)
"""What a review judges a card by; reading a card, or stamping it, changes none of these."""


class DueReason(StrEnum):
    """Why a consolidation is due or not: the first four by counting seeds, the last two card by card."""

    NO_MEMORY_CARDS = "no_memory_cards"
    ALREADY_DREAMED = "already_dreamed"
    NOT_ENOUGH_NEW_CARDS = "not_enough_new_cards"
    DUE = "due"
    PENDING_CARDS = "pending_cards"
    ALREADY_REVIEWED = "already_reviewed"


@dataclass(frozen=True, slots=True)
class SeedSnapshot:
    """How much there is to consolidate: all cards, those of them that are seeds, and the seeds' signature."""

    card_count: int
    seed_count: int
    signature: str


@dataclass(frozen=True, slots=True)
class MaintenanceLedger:
    """What the last consolidation had seen: its seeds, and the version of each card that it reviewed."""

    signature: str = ""
    seed_card_count: int = 0
    reviewed_versions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> MaintenanceLedger:
        """Read what a store kept; an empty state is that of a garden that was never consolidated."""
        return cls(
            signature=str(state.get("signature") or ""),
            seed_card_count=int(state.get("seed_card_count") or 0),
            reviewed_versions=dict(state.get("reviewed_versions") or {}),
        )

    def to_state(self) -> dict[str, Any]:
        """The form in which a store keeps it."""
        return {
            "signature": self.signature,
            "seed_card_count": self.seed_card_count,
            "reviewed_versions": dict(self.reviewed_versions),
        }


_SIGNED = ("id", "source", "created_at", "occurred_at")


def seed_snapshot(
    cards: Iterable[Mapping[str, Any]], *, consolidated_source: str = DREAM_SOURCE
) -> SeedSnapshot:
    """Count and sign the seeds among these cards; retired ones stay seeds, so that counts only grow.

    The signature is the first 32 hex digits of SHA-256 over `id|source|created_at|occurred_at` of the seeds,
    by id: neither order, content, reads nor consolidated cards move it.
    """
    everything = list(cards)
    seeds = sorted(
        (card for card in everything if card.get("source") != consolidated_source),
        key=lambda card: _text(card.get("id")),
    )
    lines = ("|".join(map(_text, map(card.get, _SIGNED))) for card in seeds)
    return SeedSnapshot(len(everything), len(seeds), _digest("\n".join(lines))[:_HEX])


def needs_dream(
    snapshot: SeedSnapshot, ledger: MaintenanceLedger, min_new_cards: int = MIN_NEW_CARDS
) -> MaintenanceCheck:
    """Judge by the number of new seeds whether a consolidation is due since the one in the ledger."""
    new_cards = max(0, snapshot.seed_count - ledger.seed_card_count)
    if snapshot.card_count <= 0:
        reason = DueReason.NO_MEMORY_CARDS
    elif snapshot.signature == ledger.signature:
        reason = DueReason.ALREADY_DREAMED
    elif new_cards < min_new_cards:
        reason = DueReason.NOT_ENOUGH_NEW_CARDS
    else:
        reason = DueReason.DUE
    return MaintenanceCheck(
        needed=reason is DueReason.DUE, reason=reason, trace={"new_cards": new_cards}
    )


def dream_idempotency_key(
    snapshot: SeedSnapshot, ledger: MaintenanceLedger, extras: Mapping[str, Any] | None = None
) -> str:
    """The key under which this consolidation is written at most once: `dream:` and 32 hex digits.

    The same seeds after the same ledger have the same key; `extras` are whatever else the host tells apart.
    """
    told = [ledger.signature, snapshot.signature, snapshot.seed_count, dict(extras or {})]
    return f"dream:{_digest(json.dumps(told, sort_keys=True, ensure_ascii=False))[:_HEX]}"


def card_version(card: Mapping[str, Any]) -> str:
    """The SHA-256 of what a review judges a card by: it moves with an edit, not with a read."""
    read = [card.get(name) for name in _READ_BY_REVIEW]
    return _digest(json.dumps(read, sort_keys=True, ensure_ascii=False))


def needs_review(
    cards: Iterable[Mapping[str, Any]], ledger: MaintenanceLedger, min_pending: int = 1
) -> MaintenanceCheck:
    """Judge card by card: due when at least `min_pending` cards were never reviewed as they are now."""
    pending = len(pending_cards(cards, ledger.reviewed_versions))
    needed = pending >= max(1, min_pending)
    return MaintenanceCheck(
        needed=needed,
        reason=DueReason.PENDING_CARDS if needed else DueReason.ALREADY_REVIEWED,
        trace={"pending": pending},
    )


def pending_cards(
    cards: Iterable[Mapping[str, Any]],
    reviewed_versions: Mapping[str, str],
    *,
    consolidated_source: str = DREAM_SOURCE,
) -> list[Mapping[str, Any]]:
    """The active cards that are new or changed since their review, the oldest first, then by id.

    What a consolidation wrote is never new, whether or not its store noted it as reviewed; edited it may be.
    """

    def is_pending(card: Mapping[str, Any]) -> bool:
        seen = reviewed_versions.get(card["id"])
        if seen is None:
            return card.get("source") != consolidated_source
        return seen != card_version(card)

    return sorted(
        filter(is_pending, reviewable(cards)),
        key=lambda card: (_text(card.get("created_at")), card["id"]),
    )


def of_mount(cards: Iterable[Mapping[str, Any]], mount: str) -> list[Mapping[str, Any]]:
    """The cards of one mount; a card that names none is in `agent-private`."""
    return [card for card in cards if (card.get("mount") or DEFAULT_MOUNT) == mount]


def reviewable(cards: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The active cards that have an id and say something."""
    return [card for card in cards if is_active(card) and _is_readable(card)]


def _is_readable(card: Mapping[str, Any]) -> bool:
    said = (card.get(name) for name in ("summary", "content"))
    return _is_told(card.get("id")) and any(map(_is_told, said))


def _is_told(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
