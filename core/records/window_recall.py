"""What recall knows of one window, and what it notes there. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.words import Use

NO_WINDOW = ""
"""What stands for the window of a search that is made outside of any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRecall:
    """The state of a window; it may come before the window itself, as hooks fire before ingest.

    `project`: where it works, `anchor`: the project that a call has named last. `spoke_at`: when somebody first
    spoke in it, as far as it was read. `used`: when each memory was last injected, searched, accessed or written.
    `projects_asked`: when each panorama was last asked for.
    """

    window: str
    project: str | None = None
    spoke_at: int | None = None
    anchor: str | None = None
    anchored_at: int | None = None
    block_at: int | None = None  # when the first-turn block was given
    prompted_at: int | None = None  # when its last message came
    released_at: int | None = None  # the last compaction
    restored_at: int | None = None  # when what compaction took away was given back
    projects_asked: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[Use, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one recall notes of a window. Noting it twice, late, or in another order changes nothing.

    `at` is later than all that was known of the window; the flags say what happened then. `record`: what came of
    the question, content-free (`core/recall/record.py`).
    """

    window: str
    at: int
    used: Mapping[Use, tuple[str, ...]] = field(default_factory=dict)  # ids of memories
    anchor: str | None = None
    projects_asked: tuple[str, ...] = ()
    block: bool = False
    prompted: bool = False
    released: bool = False
    restored: bool = False
    record: Mapping[str, Any] | None = None
