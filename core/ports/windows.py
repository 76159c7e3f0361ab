"""The store port: windows, events and cursors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import (
        Cursor,
        Event,
        IngestBatch,
        IngestResult,
        Window,
        WindowFacts,
    )


class WindowStore(Protocol):
    """Windows, events and cursors of one garden."""

    def window(self, window_id: str) -> Window | None: ...
    def window_facts(
        self, window_id: str | None = None, *, aside: bool = False, with_news: bool = False
    ) -> Sequence[WindowFacts]:
        """All main windows (with `aside` also sub-agent and own ones), newest activity first; or one.

        `with_news`: only those with speech after the watermark.
        """
        ...

    def windows_with_news(
        self, quiet_since: int | None = None, beyond: int | None = None
    ) -> Sequence[str]:
        """Ids of main windows, neither skipped nor archived, with speech after the watermark; the one that
        has waited longest first. With `quiet_since` only those whose last activity is not later than that,
        or later than `beyond`: a time that cannot be true. The cost follows the result, not the store.
        """
        ...

    def find_windows(self, prefix: str) -> Sequence[str]:
        """Ids that start with the text, or whose native id does, in their order. No wildcards."""
        ...

    def ingest(self, batch: IngestBatch) -> IngestResult:
        """Write one batch in one transaction.

        Assigns `seq` from last_seq + 1; clamps `at` to received_at; an event whose native id is known in this
        window with the same text is a duplicate, with another text an edit (`replaces`); whose native id is
        known in another window of the source, with the same text, becomes role `replay`. Raises `rev` when
        anything was accepted. New speech cancels an open failed or quarantined dream of the window.
        """
        ...

    def ingest_together(self, batches: Sequence[IngestBatch]) -> Sequence[IngestResult]:
        """As `ingest` for each in turn, all in one transaction; one that is stale spoils no other."""
        ...

    def ingest_backlog(self, batch: IngestBatch) -> IngestResult:
        """Give a window that was old at adoption its earlier events, numbered so that the last has seq 0.

        Sets baseline and watermark to the lowest number - 1, so that they are due. `stale`: the window was not
        old, has its backlog already, or has a dream; nothing was written. Events known by their ids stay.
        """
        ...

    def events(self, window_id: str, after: int = 0, through: int | None = None) -> Sequence[Event]:
        """Events with after < seq <= through, by seq, `replaced` filled in."""
        ...

    def events_before(self, window_id: str, through: int, limit: int) -> Sequence[Event]:
        """The last `limit` speech events with seq <= through, by seq: the prelude of a prompt."""
        ...

    def forget(self, events_before: int, answers_before: int) -> tuple[int, int]:
        """Forget the text of events, and the answers of models, of dreams that ended before; how many of each.

        Each event leaves a mark: read again, or copied to another window, it is still known. Idempotent.
        """
        ...

    def cursor(self, source: str, path: str) -> Cursor | None: ...
    def cursors(self, source: str) -> Sequence[Cursor]: ...
    def save_cursor(self, cursor: Cursor, expected_offset: int | None) -> bool:
        """Compare-and-set without a window: for files that are not ours or hold nothing yet."""
        ...

    def save_cursors(self, moves: Sequence[tuple[Cursor, int | None]]) -> int:
        """As `save_cursor`, many in one transaction: each cursor with its expected offset; how many moved."""
        ...

    def set_skip(self, window_id: str, skip: bool) -> bool:
        """True when it changed. Raises rev."""
        ...

    def set_archived(self, window_id: str, archived: bool) -> bool: ...
    def adopted_at(self, source: str) -> int | None: ...
    def adopt(self, source: str, now: int) -> int:
        """Note the first ingest of a source, once; the instant that holds."""
        ...
