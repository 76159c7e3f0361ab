"""Reads the conversations that Claude Code leaves under its `projects` folder, and never writes there."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.ports import Chunk, SourceFile
from memgardend.core.records import Window
from memgardend.core.words import WindowKind
from memgardend.daemon.sources.claude_records import (
    SPOKEN_TYPES,
    MalformedRecordError,
    events_of,
    time_ms,
    title_of,
)
from memgardend.daemon.sources.lines import (
    fingerprint,
    holds_any,
    last_complete_byte,
    line_start_near,
    read_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memgardend.core.records import NewEvent
    from memgardend.daemon.sources.lines import Line

KIND = "claude-code"
_SUBAGENTS = "subagents"
_HEAD_BYTES = 1 << 20  # what the head must tell, it tells in its first lines
_TAIL_BYTES = 256 << 10
_LONGEST_BYTES = 16 << 20
_LOOK_BACK_BYTES = 256 << 10  # how far before a chunk its tool calls are looked for


def default_root(environ: Mapping[str, str]) -> Path:
    """Where Claude Code keeps its conversations."""
    home = environ.get("HOME") or Path.home()
    return Path(environ.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude")) / "projects"


@dataclass(frozen=True, slots=True)
class _Head:
    """What the first lines of a file tell about the whole of it."""

    window: Window
    first_at: int | None
    spoken: bool  # some record is of a type that conversations are made of


@dataclass
class _Reading:
    """What was found so far in one chunk."""

    window: Window
    tools: dict[str, str]
    events: list[NewEvent] = field(default_factory=list)
    asides: dict[str, tuple[Window, list[NewEvent]]] = field(default_factory=dict)
    title: str | None = None

    def take(self, line: Line) -> bool:
        """Sort the records of a line into windows; False when some of it was unreadable."""
        readable = not line.damaged
        for record in line.records:
            self.title = title_of(record) or self.title
            try:
                self._take_record(record)
            except MalformedRecordError:
                readable = False
        return readable

    def _take_record(self, record: dict[str, Any]) -> None:
        window, events = self._place(record)
        aside = window.kind is WindowKind.SUBAGENT
        events += events_of(record, window.native_id, self.tools, aside=aside)

    def _place(self, record: dict[str, Any]) -> tuple[Window, list[NewEvent]]:
        """Older versions wrote the turns of sub-agents into the main file."""
        if self.window.kind is WindowKind.SUBAGENT or record.get("isSidechain") is not True:
            return self.window, self.events
        agent = _text(record, "agentId")
        name = f"agent-{agent}" if agent else "sidechain"
        native_id = f"{self.window.native_id}/{name}"
        aside = replace(
            self.window,
            id=f"{KIND}:{native_id}",
            native_id=native_id,
            parent=self.window.id,
            kind=WindowKind.SUBAGENT,
        )
        return self.asides.setdefault(native_id, (aside, []))


class ClaudeCode:
    """The source of Claude Code's conversations under one folder."""

    kind = KIND

    def __init__(self, root: Path) -> None:
        self.root = root

    def files(self) -> Iterator[SourceFile]:
        """Sessions in each project's folder, sub-agents beside or below them. Linked folders are not followed.

        Raises OSError after all others for the first folder that cannot be listed.
        """
        unlisted: list[OSError] = []
        if self.root.is_file():
            yield from _stated(self.root)
            return
        for folder, folders, names in os.walk(self.root, onerror=unlisted.append):
            folders.sort()
            below = Path(folder).relative_to(self.root).parts
            if len(below) <= 1 or _SUBAGENTS in below:
                for name in sorted(names):
                    if name.endswith(".jsonl"):
                        yield from _stated(Path(folder, name))
        for error in unlisted:
            if not isinstance(error, FileNotFoundError):  # absent, or deleted meanwhile
                raise error

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """The complete lines from the offset on, one at least, up to the limit; None while there is none at all.

        In a file of nothing but unknown records every line counts as unreadable. Raises OSError.
        """
        path = Path(file.path)
        head = _head(path)
        if head is None:
            return None
        reading = _Reading(head.window, _tool_calls_before(path, offset))
        end, lines, unreadable = offset, 0, 0
        for line in read_lines(path, offset):
            end, lines = line.end, lines + 1
            unreadable += not reading.take(line)
            if end - offset >= limit_bytes:
                break
        return Chunk(
            window=replace(head.window, title=reading.title),
            events=tuple(reading.events),
            offset=end,
            lines=lines,
            unreadable=unreadable if head.spoken else lines,
            more=lines > 0 and end < file.size,
            aside=tuple((window, tuple(events)) for window, events in reading.asides.values()),
        )

    def peek(self, file: SourceFile) -> Window | None:
        """The window with the times of its first and last turn; the file's own time if the tail tells none."""
        path = Path(file.path)
        head = _head(path)
        if head is None:
            return None
        last_at, title = _tail(path, file.size)
        last_at = file.mtime_ns // 1_000_000 if last_at is None else last_at
        return replace(
            head.window,
            title=title or head.window.title,
            first_event_at=head.first_at,
            last_event_at=last_at,
            last_speech_at=last_at,
        )

    def end(self, file: SourceFile) -> int:
        """The byte after the last complete line."""
        return last_complete_byte(Path(file.path))

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """Whether a record with one of these ids stands in the file."""
        needles = [json.dumps(native_id.partition("#")[0]).encode() for native_id in native_ids]
        return holds_any(Path(file.path), needles)

    def fingerprint(self, file: SourceFile, offset: int) -> str:
        """A hash of the file's first bytes and of those before the offset."""
        return fingerprint(Path(file.path), offset)


def _stated(path: Path) -> Iterator[SourceFile]:
    try:
        found = path.stat()
    except FileNotFoundError:  # deleted meanwhile, or a link to nothing
        return
    if stat.S_ISREG(found.st_mode):
        yield SourceFile(
            path=str(path),
            size=found.st_size,
            mtime_ns=found.st_mtime_ns,
            identity=f"{found.st_dev}:{found.st_ino}",
        )


def _head(path: Path) -> _Head | None:
    """None when the file has no complete line yet."""
    cwd = session = title = first_at = None
    empty, spoken = True, False
    for line in read_lines(path, 0):
        empty = False
        for record in line.records:
            title = title_of(record) or title
            if record.get("type") not in SPOKEN_TYPES:
                continue
            spoken = True
            cwd = cwd or _text(record, "cwd")
            session = session or _text(record, "sessionId")
            first_at = time_ms(record.get("timestamp")) if first_at is None else first_at
        if (cwd and first_at is not None) or line.end >= (
            _HEAD_BYTES if spoken else _LONGEST_BYTES
        ):
            break
    if empty:
        return None
    window = replace(_window(path, session), cwd=cwd, title=title)
    return _Head(window, first_at, spoken)


def _window(path: Path, session: str | None) -> Window:
    """A session is named by its file; a sub-agent by its session and its file."""
    if not path.stem.startswith("agent-"):
        return Window(id=f"{KIND}:{path.stem}", source=KIND, native_id=path.stem, locator=str(path))
    if _SUBAGENTS in path.parts:
        session = path.parts[path.parts.index(_SUBAGENTS) - 1]
    native_id = f"{session}/{path.stem}" if session else path.stem
    return Window(
        id=f"{KIND}:{native_id}",
        source=KIND,
        native_id=native_id,
        parent=f"{KIND}:{session}" if session else None,
        kind=WindowKind.SUBAGENT,
        locator=str(path),
    )


def _tail(path: Path, size: int) -> tuple[int | None, str | None]:
    """The time of the last turn and the last title, from a tail that grows until it holds a time."""
    length = _TAIL_BYTES
    while True:
        last_at = title = None
        for line in read_lines(path, line_start_near(path, size - length)):
            for record in line.records:
                title = title_of(record) or title
                at = time_ms(record.get("timestamp"))
                if at is not None and record.get("type") in ("user", "assistant"):
                    last_at = at if last_at is None else max(last_at, at)
        if last_at is not None or length >= min(size, _LONGEST_BYTES):
            return last_at, title
        length *= 4


def _tool_calls_before(path: Path, offset: int) -> dict[str, str]:
    """Names by call id of the tool calls shortly before the offset: their results may stand behind it."""
    tools: dict[str, str] = {}
    if offset == 0:
        return tools
    start = line_start_near(path, offset - _LOOK_BACK_BYTES)
    for line in takewhile(lambda line: line.end <= offset, read_lines(path, start)):
        for record in line.records:
            if record.get("type") == "assistant":
                try:
                    events_of(record, "", tools, aside=False)
                except MalformedRecordError:
                    continue  # counted when its own chunk was read
    return tools


def _text(record: dict[str, Any], name: str) -> str | None:
    value = record.get(name)
    return clean_line(value) if isinstance(value, str) and value.strip() else None
