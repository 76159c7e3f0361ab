"""What recall knows of one window, and what it notes there. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.words import Use


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRecall:
    """The state of a window; it may come before the window itself, as hooks fire before ingest.

    `anchor`: the project that calls have set, else that of the window. `seen`: shown, searched or read since the
    last compaction. `written`: by this window, the newest last.
    """

    window: str
    anchor: str | None = None
    projects_asked: tuple[str, ...] = ()  # the newest last
    block_at: int | None = None  # when the first-turn block was given
    prompted_at: int | None = None  # when its last message came
    released_at: int | None = None  # the last compaction
    restored_at: int | None = None  # when what compaction took away was last given back
    last_at: int = 0  # newest of all that is noted
    seen: frozenset[str] = frozenset()
    written: tuple[str, ...] = ()

    @property
    def reinject_pending(self) -> bool:
        """Whether the window was compacted and has not got back what it knew."""
        return self.released_at is not None and self.released_at > (self.restored_at or -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one recall notes of a window. Noting them twice, or in another order, changes nothing."""

    window: str
    at: int  # later than anything noted of the window before
    used: Mapping[Use, tuple[str, ...]] = field(default_factory=dict)  # ids of memories
    anchor: str | None = None
    project_asked: str | None = None
    block: bool = False
    prompted: bool = False
    released: bool = False
    restored: bool = False
