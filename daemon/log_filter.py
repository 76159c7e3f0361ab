"""Which events of the log a person asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Any

from memgardend.core.times import parse_time

if TYPE_CHECKING:
    from memgardend.core.ports import Store

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Events of one workspace and of the daemon as a whole; of one dream or window where that is named."""

    store: Store
    workspace: str
    since: int | None = None
    dream: str | None = None
    window: str | None = None
    _windows: dict[str, str | None] = field(default_factory=dict)  # of each dream seen

    def __call__(self, entry: Entry) -> bool:
        """True when this event is to be shown."""
        at = instant_of(entry)
        if self.since is not None and (at is None or at < self.since):
            return False
        if self.dream is not None and entry.get("dream") != self.dream:
            return False
        if self.window is not None and self.window not in (
            entry.get("window"),
            self._window_of(entry),
        ):
            return False
        return self._is_ours(entry)

    def _is_ours(self, entry: Entry) -> bool:
        if entry.get("workspace") is not None:
            return bool(entry["workspace"] == self.workspace)
        return entry.get("dream") is None or self._window_of(entry) is not None

    def _window_of(self, entry: Entry) -> str | None:
        """The window of an event's dream, where this workspace knows the dream."""
        dream_id = entry.get("dream")
        if not isinstance(dream_id, str):
            return None
        if dream_id not in self._windows:
            dream = self.store.dream(dream_id)
            self._windows[dream_id] = None if dream is None else dream.window
        return self._windows[dream_id]


def instant_of(entry: Entry) -> int | None:
    """When it happened, in epoch ms; None for what was not written by us."""
    try:
        return parse_time(str(entry.get("timestamp")), UTC)
    except ValueError:
        return None
