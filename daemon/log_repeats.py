"""What a lasting failure would log each minute for months is said once, and then once an hour with a count."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from memgardend.core.clock import HOUR_MS

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from memgardend.core.clock import Clock

    Entry = MutableMapping[str, Any]

REMEMBERED = 100
"""Of so many lines it is known when they were last said."""


@dataclass(slots=True)
class _Said:
    """When a line was written (epoch ms), and how often it came again since."""

    at: int
    again: int = 0


class Repeats:
    """Drops warnings and errors that say word for word what was said within the hour; for any thread.

    The next line tells by `repeated` how many were dropped.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._said: dict[str, _Said] = {}  # those said last stand last
        self._lock = threading.Lock()

    def __call__(self, _logger: object, _method: str, entry: Entry) -> Entry:
        if entry["level"] == "info":
            return entry
        line = json.dumps({**entry, "timestamp": None}, sort_keys=True)
        with self._lock:
            dropped = self._dropped(line, self._clock.now_ms())
        return {**entry, "repeated": dropped} if dropped else entry

    def _dropped(self, line: str, now: int) -> int:
        """How often the line was dropped before it may be written now. Raises DropEvent when it may not."""
        said = self._said.pop(line, None)
        if said is not None and said.at <= now < said.at + HOUR_MS:
            said.again += 1
            self._said[line] = said
            raise structlog.DropEvent
        self._said[line] = _Said(now)
        if len(self._said) > REMEMBERED:
            del self._said[next(iter(self._said))]
        return said.again if said is not None else 0
