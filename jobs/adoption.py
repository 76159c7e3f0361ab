"""Windows that were old at adoption: registered without events, and copies of them are no news.

A fork or a resumed session copies the turns of its original into its own file. Originals that have events are
found by the store. An old original has none, so its file is read once more: only originals in the same folder
that mention one of the copy's first ids, and only for turns from before the horizon.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from memgardend.core.words import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memgardend.core.ports import Source, SourceFile, Store
    from memgardend.core.records import Cursor, NewEvent, Window

_FIRST_IDS = 8


def after_baseline(store: Store, window: Window, events: Sequence[NewEvent]) -> list[NewEvent]:
    """What an old window owes when its file is read again from the start: nothing from before its baseline."""
    first = next(iter(store.events(window.id, 0, 1)), None)
    if first is not None:
        return [event for event in events if event.at is None or event.at >= first.at]
    last_at = window.last_event_at or 0
    return [event for event in events if event.at is None or event.at > last_at]


def as_replays(events: Sequence[NewEvent], copied: frozenset[str]) -> list[NewEvent]:
    """The events, those with a copied id as replays."""
    return [
        replace(event, role=Role.REPLAY) if event.native_id in copied else event for event in events
    ]


class OldOriginals:
    """The old windows of one source, whose files tell what is a copy of theirs."""

    def __init__(
        self,
        store: Store,
        source: Source,
        horizon: int,
        files: Mapping[str, SourceFile],
        cursors: Mapping[str, Cursor],
        chunk_bytes: int,
    ) -> None:
        self._store = store
        self._source = source
        self._horizon = horizon
        self._files = files
        self._cursors = cursors
        self._chunk_bytes = chunk_bytes

    def copied_ids(self, path: str, events: Sequence[NewEvent]) -> frozenset[str]:
        """Ids of these events, from before the horizon, that an old window beside this file also has.

        Raises OSError.
        """
        ids = [event.native_id for event in events if event.native_id and self._is_early(event)]
        if not ids:
            return frozenset()
        wanted, found = frozenset(ids), set[str]()
        for original in self._beside(path):
            if self._source.holds_any(original, ids[:_FIRST_IDS]):
                found |= wanted.intersection(self._ids_in(original))
        return frozenset(found)

    def _is_early(self, event: NewEvent) -> bool:
        return event.at is not None and event.at < self._horizon

    def _beside(self, path: str) -> Iterator[SourceFile]:
        folder = PurePath(path).parent
        for cursor in self._cursors.values():
            if cursor.window is None or cursor.path == path or cursor.path not in self._files:
                continue
            if PurePath(cursor.path).parent != folder:
                continue
            window = self._store.window(cursor.window)
            if window is not None and window.baseline is not None:
                yield self._files[cursor.path]

    def _ids_in(self, file: SourceFile) -> Iterable[str]:
        offset, more = 0, True
        while more:
            chunk = self._source.read(file, offset, self._chunk_bytes)
            if chunk is None:
                return
            yield from (event.native_id for event in chunk.events if event.native_id)
            offset, more = chunk.offset, chunk.more
