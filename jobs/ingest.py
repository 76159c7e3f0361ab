"""Ingest: what agents left on disk becomes windows and events, one small transaction at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from memgardend.core.intake import take_in
from memgardend.jobs.adoption import OldOriginals, after_baseline, as_replays
from memgardend.jobs.cursors import (
    Moved,
    cursor_after,
    cursor_at,
    holds_what_was_read,
    is_unchanged,
)
from memgardend.jobs.gathering import Gathering
from memgardend.jobs.ingest_report import FileProblem, IngestReport
from memgardend.jobs.passing import Passing, never_read
from memgardend.jobs.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Chunk, Source, SourceFile, Store
    from memgardend.core.records import Cursor, IngestResult, NewEvent, Window
    from memgardend.jobs.writing import ResolveProject

    Route = Callable[[Window], bool]


_GATHERED_CHUNKS = 8
"""Of so much as so many chunks is kept what will be stored, mostly a fifth, until it is written together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """`max_age_ms`: how long before adoption a window may have been quiet without being old.

    `wanted` tells by its path whether a file is read this time; the others wait.
    """

    max_age_ms: int
    wanted: Callable[[str], bool] = lambda path: True
    chunk_bytes: int = 4 << 20  # read at once


def ingest(
    store: Store,
    sources: Sequence[Source],
    *,
    route: Route,
    clock: Clock,
    settings: IngestSettings,
    key: bytes,
    resolve_project: ResolveProject,
) -> IngestReport:
    """Read every source's new lines into the store.

    `route` says whether a window that the store does not know belongs here; `key` verifies our own markers.
    A file that cannot be read is reported and stops no other. Raises what the store raises.
    """
    report = IngestReport()
    writer = Writer(store, clock, resolve_project)
    for source in sources:
        _Reader(writer, source, route, settings, key, report).run()
    return report


@dataclass
class _Reader:
    """One source on its way into one store."""

    writer: Writer
    source: Source
    route: Route
    settings: IngestSettings
    key: bytes
    report: IngestReport
    horizon: int = 0  # what went quiet before it is old
    cursors: dict[str, Cursor] = field(default_factory=dict)
    passing: Passing = field(init=False)
    gathering: Gathering = field(init=False)
    originals: OldOriginals = field(init=False)

    @property
    def store(self) -> Store:
        return self.writer.store

    def run(self) -> None:
        """Files in the order of their last change, so that originals come before their copies."""
        adopted_at = self.store.adopt(self.source.kind, self.writer.clock.now_ms())
        self.horizon = adopted_at - self.settings.max_age_ms
        self.cursors = {cursor.path: cursor for cursor in self.store.cursors(self.source.kind)}
        files = self._list_files()
        chunk_bytes = self.settings.chunk_bytes
        self.passing = Passing(self.store, self.source, chunk_bytes)
        self.gathering = Gathering(self.store, _GATHERED_CHUNKS * chunk_bytes)
        self.originals = OldOriginals(
            self.store, self.source, self.horizon, files, self.cursors, chunk_bytes
        )
        wanted = (file for file in files.values() if self.settings.wanted(file.path))
        for file in sorted(wanted, key=lambda file: (file.mtime_ns, file.path)):
            try:
                self._take(file)
            except OSError as error:
                self._note_problem(file.path, error)
            except UnicodeEncodeError:
                name = file.path.encode(errors="replace").decode()
                self.report.problems.append(FileProblem(name, "its name is not UTF-8"))
        self.gathering.write()
        self.passing.save()

    def _list_files(self) -> dict[str, SourceFile]:
        """All that can be listed and read; what cannot is reported, unless it was read before."""
        files: dict[str, SourceFile] = {}
        try:
            files.update((file.path, file) for file in self.source.files())
        except OSError as error:
            self._note_problem(str(error.filename), error)
        packed = never_read(files.values(), self.cursors)
        self.report.compressed += sum(self.settings.wanted(file.path) for file in packed)
        return {path: file for path, file in files.items() if not file.compressed}

    def _note_problem(self, path: str, error: OSError) -> None:
        reason = error.strerror or type(error).__name__
        self.report.problems.append(FileProblem(path, reason))

    def _take(self, file: SourceFile) -> None:
        cursor = self.cursors.get(file.path)
        if cursor is not None and is_unchanged(cursor, file):
            return
        file.path.encode()  # here, so that a name that is not UTF-8 spoils nothing that waits with it
        self.report.files += 1
        if cursor is not None and cursor.window is not None:
            self._read(file, cursor)
            return
        window = self.source.peek(file)
        known = self._known(window.id) if window is not None else None
        if window is None or (known is None and not self.route(window)):
            nobodys = window is None or window.cwd is None
            self.report.unreadable += self.passing.add(file, cursor, nobodys=nobodys)
            if window is not None and window.first_event_at is not None:
                self.report.homeless += window.cwd is None
        elif known is None and self._is_old(window):
            self._register_old(file, cursor, window)
        else:
            self._read(file, cursor)

    def _known(self, window_id: str) -> Window | None:
        """The window with all that was read of it."""
        if self.gathering.holds(window_id):
            self.gathering.write()
        return self.store.window(window_id)

    def _is_old(self, window: Window) -> bool:
        return window.last_event_at is not None and window.last_event_at < self.horizon

    def _register_old(self, file: SourceFile, cursor: Cursor | None, window: Window) -> None:
        at_end = cursor_at(self.source, file, self.source.end(file), window.id)
        expected = cursor.offset if cursor else None
        batch = self.writer.batch(window, None, cursor=at_end, expected_offset=expected, old=True)
        self.gathering.add(batch, 0, partial(self._note_old, cursor=at_end))

    def _note_old(self, result: IngestResult, *, cursor: Cursor | None) -> None:
        if not result.stale:
            if cursor is not None:
                self.cursors[cursor.path] = cursor
            self.report.old += 1
            self.report.new_windows += 1

    def _read(self, file: SourceFile, cursor: Cursor | None) -> None:
        """Chunk by chunk from where the cursor stands; from the start when the file is not what was read."""
        if self.gathering.ends_old:
            self.gathering.write()  # it may hold copies of theirs
        expected = cursor.offset if cursor else None
        if cursor is not None and not (
            cursor.window and holds_what_was_read(cursor, file, self.source)
        ):
            cursor = None
        again, title = cursor is None, None
        while True:
            offset = cursor.offset if cursor else 0
            chunk = self.source.read(file, offset, self.settings.chunk_bytes)
            kept = self.cursors.get(file.path)
            ours = kept is not None and kept.window is not None
            silent = chunk is None or not (ours or chunk.aside or self._speaks(chunk))
            if chunk is None or (silent and not chunk.more):
                self.report.unreadable += self.passing.add(file, kept, nobodys=True)
                return
            cursor = cursor_after(self.source, file, cursor, chunk)
            title = chunk.window.title or title  # it may stand before the first turn
            if not silent:
                chunk = replace(chunk, window=replace(chunk.window, title=title))
                moved = Moved(cursor, expected, chunk.offset - offset)
                self._take_chunk(file, chunk, moved, again=again)
            if not chunk.more:
                return
            if not silent:
                self.gathering.write()
                if self.cursors.get(file.path) is not cursor:
                    return  # another process reads this file
                expected = cursor.offset

    def _speaks(self, chunk: Chunk) -> bool:
        """Whether something is said, or the window is known; else there is no reason to register it."""
        return bool(chunk.events) or self._known(chunk.window.id) is not None

    def _take_chunk(self, file: SourceFile, chunk: Chunk, moved: Moved, *, again: bool) -> None:
        """Windows found aside go first, so that the cursor moves only when all is written."""
        for window, events in chunk.aside:
            self._take_aside(file, chunk, window, events)
        if self._speaks(chunk):
            self._gather(file, chunk, moved, again=again)
            return
        self.gathering.write()
        if self.store.save_cursor(moved.cursor, moved.expected_offset):
            self._note_moved(moved.cursor, chunk.unreadable)

    def _take_aside(
        self, file: SourceFile, chunk: Chunk, window: Window, events: Sequence[NewEvent]
    ) -> None:
        """A sub-agent goes where its session goes; any other window is routed, and may be old, by itself.

        An old one is told whole each time, as a file that is read again.
        """
        unknown = self._known(window.id) is None
        if unknown and window.parent != chunk.window.id:
            if not self.route(window):
                self.report.homeless += window.cwd is None
                return
            if self._is_old(window):
                batch = self.writer.batch(window, None, old=True)
                self.gathering.add(batch, 0, partial(self._note_old, cursor=None))
                return
        self._gather(file, replace(chunk, window=window, events=tuple(events)), None, again=True)

    def _gather(self, file: SourceFile, chunk: Chunk, moved: Moved | None, *, again: bool) -> None:
        known = self._known(chunk.window.id)
        taken = [take_in(event, self.key) for event in chunk.events]
        if again and known is not None and known.baseline is not None:
            taken = after_baseline(self.store, known, taken)
        taken = as_replays(taken, chunk.copied | self.originals.copied_ids(file.path, taken))
        cursor, stood = (moved.cursor, moved.expected_offset) if moved else (None, None)
        batch = self.writer.batch(chunk.window, known, taken, cursor=cursor, expected_offset=stood)
        # What is kept until then is little: the chunk holds its texts as they were before they were cut.
        done = partial(
            self._note_read, new=known is None, cursor=cursor, unreadable=chunk.unreadable
        )
        self.gathering.add(batch, moved.size_bytes if moved else 0, done)

    def _note_read(
        self, result: IngestResult, *, new: bool, cursor: Cursor | None, unreadable: int
    ) -> None:
        """Count what was written, and nothing where another process was faster."""
        if result.stale:
            return
        self.report.add(result)
        self.report.new_windows += new
        if cursor is not None:
            self._note_moved(cursor, unreadable)

    def _note_moved(self, cursor: Cursor, unreadable: int) -> None:
        self.cursors[cursor.path] = cursor
        self.report.unreadable += unreadable
