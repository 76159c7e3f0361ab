"""Keep a lease alive while a model call runs, and notice when it was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import FencedError
from memgardend.jobs.start import BEAT_MS, LEASE_MS

if TYPE_CHECKING:
    from memgardend.core.records import Lease
    from memgardend.jobs.context import Garden


class Heartbeat:
    """Beats every 30 s of the lease's own time; the model call's `tick`."""

    def __init__(self, garden: Garden, lease: Lease) -> None:
        self._garden = garden
        self._lease = lease
        self._next_ms = garden.clock.now_ms() + BEAT_MS
        self._fenced: FencedError | None = None

    def tick(self) -> bool:
        """Beat when it is time. False: the lease is lost and the call must end."""
        now = self._garden.clock.now_ms()
        if self._fenced is None and (now >= self._next_ms or now < self._next_ms - 2 * BEAT_MS):
            try:
                self._garden.store.beat(self._lease, now, now + LEASE_MS)
            except FencedError as error:
                self._fenced = error
            self._next_ms = now + BEAT_MS
        return self._fenced is None

    def check(self) -> None:
        """Raise FencedError when a beat found the lease lost."""
        if self._fenced is not None:
            raise self._fenced
