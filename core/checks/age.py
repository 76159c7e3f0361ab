"""Age: what a conversation said earlier never beats what is known from later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.judgement import Refused
from memgardend.core.words import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.records import Memory


def check_age(known_at: int, targets: Iterable[Memory]) -> Refused | None:
    """Refuse a change whose evidence is older (epoch ms) than the newest evidence of its target."""
    if any(known_at < target.as_of for target in targets):
        return Refused(
            Refusal.NEWER_KNOWN, "the memory knows of something later than this evidence; leave it"
        )
    return None
