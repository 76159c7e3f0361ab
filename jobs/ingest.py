"""Ingest: what agents left on disk becomes windows and events, one small transaction at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.core.intake import take_in
from memgardend.jobs.adoption import OldOriginals, after_baseline, as_replays
from memgardend.jobs.cursors import cursor_after, cursor_at, holds_what_was_read, is_unchanged
from memgardend.jobs.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memgardend.core.clock import Clock
    from memgardend.core.ports import Chunk, Source, SourceFile, Store
    from memgardend.core.records import Cursor, IngestBatch, IngestResult, NewEvent, Window
    from memgardend.jobs.writing import ResolveProject

    Route = Callable[[Window], bool]


AT_ONCE = 500
"""How many files that are not ours are remembered, and how many old windows registered, in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """`max_age_ms`: how long before adoption a window may have been quiet without being old.

    `wanted` tells by its path whether a file is read this time; the others wait.
    """

    max_age_ms: int
    wanted: Callable[[str], bool] = lambda path: True
    chunk_bytes: int = 4 << 20  # read at once, and written in one transaction


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that could not be read, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class IngestReport:
    """What one ingest found. `files` counts those that were read, `old` windows registered without events."""

    files: int = 0
    events: int = 0
    duplicates: int = 0
    replays: int = 0
    unreadable: int = 0
    old: int = 0
    new_windows: int = 0
    problems: list[FileProblem] = field(default_factory=list)

    def add(self, result: IngestResult) -> None:
        """Count what one batch did."""
        self.events += result.accepted
        self.duplicates += result.duplicate
        self.replays += result.replays


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
    passed: list[tuple[Cursor, int | None]] = field(default_factory=list)  # not yet saved
    old: dict[str, tuple[IngestBatch, Cursor]] = field(default_factory=dict)  # by window; likewise
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
        self.originals = OldOriginals(
            self.store, self.source, self.horizon, files, self.cursors, self.settings.chunk_bytes
        )
        wanted = (file for file in files.values() if self.settings.wanted(file.path))
        for file in sorted(wanted, key=lambda file: (file.mtime_ns, file.path)):
            try:
                self._take(file)
            except OSError as error:
                self._note(file.path, error)
            except UnicodeEncodeError:
                name = file.path.encode(errors="replace").decode()
                self.report.problems.append(FileProblem(name, "its name is not UTF-8"))
        self._save_passed()
        self._save_old()

    def _list_files(self) -> dict[str, SourceFile]:
        """All that can be listed; a folder that cannot is reported."""
        files: dict[str, SourceFile] = {}
        try:
            files.update((file.path, file) for file in self.source.files())
        except OSError as error:
            self._note(str(error.filename), error)
        return files

    def _note(self, path: str, error: OSError) -> None:
        reason = error.strerror or type(error).__name__
        self.report.problems.append(FileProblem(path, reason))

    def _take(self, file: SourceFile) -> None:
        cursor = self.cursors.get(file.path)
        if cursor is not None and is_unchanged(cursor, file):
            return
        self.report.files += 1
        if cursor is not None and cursor.window is not None:
            self._read(file, cursor)
            return
        window = self.source.peek(file)
        if window is not None and window.id in self.old:
            self._save_old()
        known = self.store.window(window.id) if window is not None else None
        if window is None or (known is None and not self.route(window)):
            self._pass_over(file, cursor, nobodys=window is None or window.cwd is None)
        elif known is None and self._is_old(window):
            self._register_old(file, cursor, window)
        else:
            self._read(file, cursor)

    def _is_old(self, window: Window) -> bool:
        return window.last_event_at is not None and window.last_event_at < self.horizon

    def _pass_over(self, file: SourceFile, cursor: Cursor | None, *, nobodys: bool) -> None:
        """Remember a file without a window of ours. In what is nobody's, unreadable lines still show."""
        passed = cursor_at(self.source, file, 0, None)
        if nobodys:
            lines, unreadable = self._count_lines(file)
            passed = replace(passed, lines=lines, unreadable=unreadable)
            self.report.unreadable += unreadable
        passed.path.encode()  # here, so that a name that is not UTF-8 spoils no batch
        self.passed.append((passed, cursor.offset if cursor else None))
        if len(self.passed) >= AT_ONCE:
            self._save_passed()

    def _save_passed(self) -> None:
        """A machine may hold fifty thousand files of others: a transaction each would take minutes."""
        if self.passed:
            self.store.save_cursors(self.passed)
        self.passed = []

    def _count_lines(self, file: SourceFile) -> tuple[int, int]:
        lines = unreadable = offset = 0
        while (chunk := self.source.read(file, offset, self.settings.chunk_bytes)) is not None:
            lines, unreadable = lines + chunk.lines, unreadable + chunk.unreadable
            offset = chunk.offset
            if not chunk.more:
                break
        return lines, unreadable

    def _register_old(self, file: SourceFile, cursor: Cursor | None, window: Window) -> None:
        at_end = cursor_at(self.source, file, self.source.end(file), window.id)
        expected = cursor.offset if cursor else None
        at_end.path.encode()  # as above
        batch = self.writer.batch(window, cursor=at_end, expected_offset=expected, old=True)
        self.old[window.id] = batch, at_end
        if len(self.old) >= AT_ONCE:
            self._save_old()

    def _save_old(self) -> None:
        """Fifty thousand may lie there on the first day: a transaction each would take minutes."""
        old, self.old = list(self.old.values()), {}
        results = self.store.ingest_together([batch for batch, _ in old]) if old else ()
        for (_, cursor), result in zip(old, results, strict=True):
            if not result.stale:
                self.cursors[cursor.path] = cursor
                self.report.old += 1
                self.report.new_windows += 1

    def _read(self, file: SourceFile, cursor: Cursor | None) -> None:
        """Chunk by chunk from where the cursor stands; from the start when the file is not what was read."""
        self._save_old()  # it may hold copies of theirs
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
                self._pass_over(file, kept, nobodys=True)
                return
            cursor = cursor_after(self.source, file, cursor, chunk)
            title = chunk.window.title or title  # it may stand before the first turn
            if not silent:
                chunk = replace(chunk, window=replace(chunk.window, title=title))
                if not self._write(file, chunk, cursor, expected, again=again):
                    return  # another process reads this file
                self.cursors[file.path], expected = cursor, cursor.offset
            if not chunk.more:
                return

    def _speaks(self, chunk: Chunk) -> bool:
        """Whether something is said, or the window is known; else there is no reason to register it."""
        return bool(chunk.events) or self.store.window(chunk.window.id) is not None

    def _write(
        self, file: SourceFile, chunk: Chunk, cursor: Cursor, expected: int | None, *, again: bool
    ) -> bool:
        """Windows found aside go first, so that the cursor moves only when all is written."""
        for window, events in chunk.aside:
            self._write_aside(file, chunk, window, events)
        if self._speaks(chunk):
            written = self._store(file, chunk, cursor, expected, again=again)
        else:
            written = self.store.save_cursor(cursor, expected)
        if written:
            self.report.unreadable += chunk.unreadable
        return written

    def _write_aside(
        self, file: SourceFile, chunk: Chunk, window: Window, events: Sequence[NewEvent]
    ) -> None:
        """A sub-agent goes where its session goes; any other window is routed, and may be old, by itself.

        An old one is told whole each time, as a file that is read again.
        """
        unknown = self.store.window(window.id) is None
        if unknown and window.parent != chunk.window.id:
            if not self.route(window):
                return
            if self._is_old(window):
                self.writer.write(window, old=True)
                self.report.old += 1
                self.report.new_windows += 1
                return
        self._store(
            file, replace(chunk, window=window, events=tuple(events)), None, None, again=True
        )

    def _store(
        self,
        file: SourceFile,
        chunk: Chunk,
        cursor: Cursor | None,
        expected: int | None,
        *,
        again: bool,
    ) -> bool:
        window = chunk.window
        known = self.store.window(window.id)
        taken = [take_in(event, self.key) for event in chunk.events]
        if again and known is not None and known.baseline is not None:
            taken = after_baseline(self.store, known, taken)
        taken = as_replays(taken, chunk.copied | self.originals.copied_ids(file.path, taken))
        result = self.writer.write(window, taken, cursor=cursor, expected_offset=expected)
        if not result.stale:
            self.report.add(result)
            self.report.new_windows += known is None
        return not result.stale
