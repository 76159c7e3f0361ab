"""Fuses: a dream that forgets too much is not believed without a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.words import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memgardend.core.records import MemoryChange

MIN_ARCHIVES = 10
"""Fewer archives without successor never blow a fuse."""
MAX_DREAM_SHARE = 0.25
"""Share of the active memories that one dream may archive without successor."""
MAX_WEEK_SHARE = 0.40
"""The same for all dreams of seven days."""


def is_loss(change: MemoryChange) -> bool:
    """True for an archive without successor."""
    before, after = change.before, change.after
    return (
        before is not None
        and before.status is not Status.ARCHIVED
        and after.status is Status.ARCHIVED
        and after.superseded_by is None
    )


def blown(
    changes: Iterable[MemoryChange], active_count: int, archived_last_7_days: int
) -> str | None:
    """Why these changes of one dream (all its rounds) lose too much, or None.

    `active_count` is the number of active memories before the dream; `archived_last_7_days` counts earlier
    dreams only.
    """
    lost = sum(map(is_loss, changes))
    week = lost + archived_last_7_days
    if lost >= MIN_ARCHIVES and lost > MAX_DREAM_SHARE * active_count:
        return (
            f"this dream would archive {lost} of {active_count} active memories without successor"
        )
    if lost and week >= MIN_ARCHIVES and week > MAX_WEEK_SHARE * active_count:
        return f"dreams would have archived {week} memories without successor in seven days"
    return None
