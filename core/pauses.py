"""Where a conversation that never goes quiet may be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Event


def last_pause(events: Sequence[Event]) -> int:
    """The `seq` of the last event before the last pause. Raises ValueError without events."""
    raise NotImplementedError
