"""The one selection policy of first turn, hits and search, and how another is asked in its place.

A policy gets cards that are filtered already, in our order and with our `score`, and answers with ids: it can
neither change nor invent a memory (`core/editorial/selection.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.editorial.selection import SelectionPolicy
    from memgardend.core.records import Memory

_QUARTERS = 4  # importance 1 to 4 is 0.25 to 1 on a card


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory and how well it answers."""

    memory: Memory
    score: float


def choose(
    policy: SelectionPolicy | None, ranked: Sequence[Scored], query: str, limit: int
) -> list[Scored]:
    """What the policy (None: ours) chooses of these, in its order. Raises ConfigError for one that fails."""
    if policy is None:
        return _ours(ranked, limit)
    by_id = {one.memory.id: one for one in ranked}
    try:
        result = policy.select([card(one) for one in ranked], query, limit=limit)
        chosen = dict.fromkeys(one for one in result.card_ids if one in by_id)
    except (Exception, SystemExit) as error:  # a person's own code may raise anything
        from memgardend.core.errors import ConfigError  # not needed by what goes well

        raise ConfigError(
            f"recall.policy failed: {type(error).__name__}: {error}",
            hint="memgardend config explain recall.policy",
        ) from error
    return [by_id[one] for one in chosen][:limit]


def _ours(ranked: Sequence[Scored], limit: int) -> list[Scored]:
    """Those with the best scores, without what is worth nothing; among equals in the order given."""
    worth = (one for one in ranked if one.score > 0)
    return sorted(worth, key=lambda one: -one.score)[:limit]


def card(scored: Scored) -> dict[str, Any]:
    """A memory as a card of the library, with its layer, when it was known, and our score."""
    memory = scored.memory
    return {
        "id": memory.id,
        "score": scored.score,
        "layer": str(memory.layer),
        "status": "active",
        "summary": memory.title or memory.content.partition("\n")[0],
        "content": memory.content,
        "goal": memory.goal,
        "retrieval_cues": list(memory.keywords),
        "importance": memory.importance / _QUARTERS,
        "scope": memory.scope.text(),
        "as_of": rfc3339(memory.as_of),
        "created_at": rfc3339(memory.created_at),
        "updated_at": rfc3339(memory.updated_at),
        **_occurred(memory),
    }


def _occurred(memory: Memory) -> dict[str, str]:
    return {} if memory.occurred_at is None else {"occurred_at": rfc3339(memory.occurred_at)}
