"""Reads files of OpenAI-style chat messages, one a line or one conversation a line, and never writes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.clean import clean_line
from memgardend.core.ports import Chunk
from memgardend.core.records import Window
from memgardend.daemon.sources.calls import Calls
from memgardend.daemon.sources.chat_records import (
    events_of,
    events_of_conversation,
    is_conversation,
    is_message,
    time_of,
    told_in,
)
from memgardend.daemon.sources.files import LineLogs, lines_before, stated, tail
from memgardend.daemon.sources.lines import lines_until, read_lines
from memgardend.daemon.sources.parts import MalformedRecordError, id_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memgardend.core.ports import SourceFile
    from memgardend.core.records import NewEvent
    from memgardend.daemon.sources.lines import Line
    from memgardend.daemon.sources.parts import Record

KIND = "jsonl"
_HEAD_BYTES = 1 << 20
_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class _Head:
    """What the first lines of a file tell: its folder and its first time, or that conversations come first."""

    conversations: bool = False
    cwd: str | None = None
    first_at: int | None = None


@dataclass
class _Reading:
    """What was found so far in one chunk. Messages belong to the file's window, each conversation is its own."""

    window: Window
    default_cwd: str | None
    changed_ms: int
    last_at: int  # of the last message with a time: stands in for the next one's without
    calls: Calls = field(default_factory=Calls)
    events: list[NewEvent] = field(default_factory=list)
    talks: dict[str, tuple[Window, list[NewEvent]]] = field(default_factory=dict)

    def take(self, line: Line, number: int) -> bool:
        """Sort what stands in a line into windows; False when some of it was unreadable."""
        readable = not line.damaged
        for n, record in enumerate(line.records):
            place = f"{number}.{n}" if n else str(number)
            if is_conversation(record):
                readable &= self._take_conversation(record, place)
            elif is_message(record):
                readable &= self._take_message(record, place)
            else:
                readable = False
        return readable

    def _take_message(self, message: Record, place: str) -> bool:
        native_id = self.window.native_id
        self.last_at = time_of(message) or self.last_at
        try:
            self.events += events_of(message, native_id, place, self.calls, self.last_at)
        except MalformedRecordError:
            return False
        return True

    def _take_conversation(self, conversation: Record, place: str) -> bool:
        named = clean_line(id_in(conversation, "id") or "")
        native_id = named or f"{self.window.native_id}:{place}"
        events, readable = events_of_conversation(conversation, native_id, self.changed_ms)
        fresh = Window(
            id=f"{KIND}:{native_id}",
            source=KIND,
            native_id=native_id,
            cwd=told_in(conversation, "cwd") or self.default_cwd,
            title=told_in(conversation, "title"),
            locator=self.window.locator,
        )
        window, known = self.talks.get(native_id, (fresh, []))
        known += events
        times = [event.at for event in known if event.at is not None]
        first, last = min(times, default=None), max(times, default=None)
        window = replace(
            window,
            first_event_at=first,
            first_speech_at=first,
            last_event_at=last,
            last_speech_at=last,
        )
        self.talks[native_id] = (replace(window, title=fresh.title or window.title), known)
        return readable


class JsonLines(LineLogs):
    """The source of conversations in the files that a pattern names; a relative one starts at the workspace.

    `cwd`: the folder in which conversations were held that name none.
    """

    kind = KIND

    def __init__(self, workspace: Path, pattern: str, cwd: Path | None) -> None:
        self.workspace = workspace
        self.pattern = pattern
        self.cwd = None if cwd is None else str(cwd)
        self._read_to = (
            "",
            0,
            0,
        )  # file, offset and lines of the last chunk, where the next one begins

    def files(self) -> Iterator[SourceFile]:
        """The files of the pattern, in order; hidden ones only where it names them. Linked folders are not
        followed by `**`."""
        base = self.workspace
        rest: list[str] = []
        for part in Path(self.pattern).parts:
            if rest or _MAGIC.intersection(part):
                rest.append(part)
            else:
                base /= part
        if not rest:
            yield from stated(base)
            return
        hidden = any(part.startswith(".") for part in rest)
        for path in sorted(base.glob("/".join(rest))):
            if hidden or not any(p.startswith(".") for p in path.relative_to(base).parts):
                yield from stated(path)

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """The complete lines from the offset on, one at least, up to the limit; None while there is none at all.

        A line that is neither a message nor a conversation counts as unreadable. Raises OSError.
        """
        path = Path(file.path)
        head = _head(path)
        if head is None:
            return None
        window, changed_ms = self._window(file, head), file.mtime_ns // 1_000_000
        first_at = changed_ms if head.first_at is None else head.first_at
        before = _Reading(window, self.cwd, changed_ms, first_at)
        for line in lines_before(path, offset):
            before.take(line, 0)
        reading = _Reading(window, self.cwd, changed_ms, before.last_at, before.calls)
        lines_there = self._lines_until(file, offset)
        end, lines, unreadable = offset, 0, 0
        for line in read_lines(path, offset):
            end, lines = line.end, lines + 1
            unreadable += not reading.take(line, lines_there + lines)
            if end - offset >= limit_bytes:
                break
        self._read_to = (file.identity, end, lines_there + lines)
        return Chunk(
            window=window,
            events=tuple(reading.events),
            offset=end,
            lines=lines,
            unreadable=unreadable,
            more=lines > 0 and end < file.size,
            aside=tuple((talk, tuple(events)) for talk, events in reading.talks.values()),
        )

    def peek(self, file: SourceFile) -> Window | None:
        """The file's window with the times of its first and last message. A file of conversations has none: how
        old each of them is, only reading tells."""
        path = Path(file.path)
        head = _head(path)
        if head is None:
            return None
        window = self._window(file, head)
        if head.conversations:
            return window
        last_at, _ = tail(path, file.size, _told)
        last_at = file.mtime_ns // 1_000_000 if last_at is None else last_at
        return replace(
            window,
            first_event_at=head.first_at,
            last_event_at=last_at,
            first_speech_at=head.first_at,
            last_speech_at=last_at,
        )

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """Never: these files have no copies of one another, and ids count in their own window only."""
        return False

    def _lines_until(self, file: SourceFile, offset: int) -> int:
        if self._read_to[:2] == (file.identity, offset):
            return self._read_to[2]
        return lines_until(Path(file.path), offset)

    def _window(self, file: SourceFile, head: _Head) -> Window:
        """A file is named by its path, in the workspace from there."""
        path = Path(file.path)
        inside = path.is_relative_to(self.workspace)
        name = clean_line(str(path.relative_to(self.workspace) if inside else path))
        return Window(
            id=f"{KIND}:{name}",
            source=KIND,
            native_id=name,
            cwd=head.cwd or self.cwd,
            locator=str(path),
        )


def _head(path: Path) -> _Head | None:
    """None when the file has no complete line yet."""
    cwd = first_at = None
    empty, spoken = True, False
    for line in read_lines(path, 0):
        empty = False
        for record in line.records:
            if is_conversation(record) and not spoken:
                return _Head(conversations=True)
            if is_message(record):
                spoken = True
                cwd, first_at = cwd or told_in(record, "cwd"), time_of(record)
        if first_at is not None or line.end >= _HEAD_BYTES:
            break
    return None if empty else _Head(cwd=cwd, first_at=first_at)


def _told(record: Record) -> tuple[int | None, str | None]:
    """The time of a message."""
    return time_of(record) if is_message(record) else None, None
