"""Batches of several files on their way into the store in one transaction: most conversations are short."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.ports import Store
    from memgardend.core.records import IngestBatch, IngestResult

    Done = Callable[[IngestResult], None]

AT_ONCE = 500
"""So many files are remembered, or windows written, in one transaction."""


@dataclass
class Gathering:
    """What was read and is not yet written, in the order in which it was read. `limit_bytes`: no more is kept.

    Nothing of it counts before it is written; what an error leaves unwritten is read again the next time.
    """

    store: Store
    limit_bytes: int
    _gathered: list[tuple[IngestBatch, Done]] = field(default_factory=list)
    _windows: set[str] = field(default_factory=set)
    _bytes: int = 0

    @property
    def ends_old(self) -> bool:
        """True when the last batch registers a window that was old at adoption."""
        return bool(self._gathered) and self._gathered[-1][0].old

    def holds(self, window_id: str) -> bool:
        """Whether there is something of this window."""
        return window_id in self._windows

    def add(self, batch: IngestBatch, size_bytes: int, done: Done) -> None:
        """Keep a batch until it is written; `done` is then told what became of it. Raises what `write` raises."""
        self._gathered.append((batch, done))
        self._windows.add(batch.window.id)
        self._bytes += size_bytes
        if self._bytes >= self.limit_bytes or len(self._gathered) >= AT_ONCE:
            self.write()

    def write(self) -> None:
        """Write all there is, in one transaction. Raises what the store raises."""
        gathered, self._gathered, self._bytes = self._gathered, [], 0
        self._windows.clear()
        if gathered:
            results = self.store.ingest_together([batch for batch, _ in gathered])
            for (_, done), result in zip(gathered, results, strict=True):
                done(result)
