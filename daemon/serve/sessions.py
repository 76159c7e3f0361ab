"""Judgements that wait for a reply of the caller's model: for a while, and not without limit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.daemon.serve.errors import ServeError, WireError

if TYPE_CHECKING:
    from memgardend.core.clock import Clock

IDLE_SECONDS = 15 * 60
"""How long a session waits for a reply."""
CAPACITY = 1024
"""Sessions that may wait at once."""


@dataclass(slots=True)
class _Waiting:
    lane: str
    session: Any
    touched: float


class Sessions:
    """What waits, by id. They live in this process: whoever starts it anew begins them anew."""

    def __init__(
        self, clock: Clock, *, capacity: int = CAPACITY, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._clock = clock
        self._capacity = capacity
        self._idle_seconds = idle_seconds
        self._waiting: dict[str, _Waiting] = {}

    def __len__(self) -> int:
        """How many wait."""
        self._forget_idle()
        return len(self._waiting)

    def add(self, lane: str, session: Any) -> str:
        """The id under which a session waits. Raises ServeError where too many do."""
        if len(self) >= self._capacity:
            raise ServeError(WireError.SESSION_CAPACITY)
        session_id = f"{lane}-{uuid.uuid4()}"
        self._waiting[session_id] = _Waiting(lane, session, self._clock.boottime())
        return session_id

    def get(self, lane: str, session_id: str) -> Any:
        """A session of this lane. Raises ServeError for one that is not there."""
        self._forget_idle()
        waiting = self._waiting.get(session_id)
        if waiting is None or waiting.lane != lane:
            raise ServeError(WireError.UNKNOWN_SESSION, field="session_id")
        waiting.touched = self._clock.boottime()
        return waiting.session

    def end(self, lane: str, session_id: str) -> None:
        """Forget one. Raises ServeError for one that is not there."""
        self.get(lane, session_id)
        del self._waiting[session_id]

    def _forget_idle(self) -> None:
        oldest = self._clock.boottime() - self._idle_seconds
        late = [name for name, one in self._waiting.items() if one.touched < oldest]
        for name in late:
            del self._waiting[name]
