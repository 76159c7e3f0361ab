"""Reads the conversations that Claude Code leaves under its `projects` folder, and never writes there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.ports import Chunk
from memgardend.core.records import Window
from memgardend.core.words import WindowKind
from memgardend.daemon.sources.calls import Calls
from memgardend.daemon.sources.claude_records import SPOKEN_TYPES, events_of, title_of
from memgardend.daemon.sources.files import LONGEST_BYTES, LineLogs, lines_before, listed, tail
from memgardend.daemon.sources.lines import holds_any, read_lines
from memgardend.daemon.sources.parts import MalformedRecordError, line_in, time_ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memgardend.core.ports import SourceFile
    from memgardend.core.records import NewEvent
    from memgardend.daemon.sources.lines import Line

KIND = "claude-code"
_SUBAGENTS = "subagents"
_HEAD_BYTES = 1 << 20  # what the head must tell, it tells in its first lines


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
    calls: Calls
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
        events += events_of(record, window.native_id, self.calls, aside=aside)

    def _place(self, record: dict[str, Any]) -> tuple[Window, list[NewEvent]]:
        """Older versions wrote the turns of sub-agents into the main file."""
        if self.window.kind is WindowKind.SUBAGENT or record.get("isSidechain") is not True:
            return self.window, self.events
        agent = line_in(record, "agentId")
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


class ClaudeCode(LineLogs):
    """The source of Claude Code's conversations under one folder."""

    kind = KIND

    def __init__(self, root: Path) -> None:
        self.root = root

    def files(self) -> Iterator[SourceFile]:
        """Sessions in each project's folder, sub-agents beside or below them; as `listed` does it."""
        return listed([self.root], _is_session)

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """The complete lines from the offset on, one at least, up to the limit; None while there is none at all.

        In a file of nothing but unknown records every line counts as unreadable. Raises OSError.
        """
        path = Path(file.path)
        head = _head(path)
        if head is None:
            return None
        reading = _Reading(head.window, _calls_before(path, offset))
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
        last_at, title = tail(path, file.size, _told)
        last_at = file.mtime_ns // 1_000_000 if last_at is None else last_at
        return replace(
            head.window,
            title=title or head.window.title,
            first_event_at=head.first_at,
            last_event_at=last_at,
            first_speech_at=head.first_at,
            last_speech_at=last_at,
        )

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """Whether a record with one of these ids stands in the file."""
        needles = [json.dumps(native_id.partition("#")[0]).encode() for native_id in native_ids]
        return holds_any(Path(file.path), needles)


def _is_session(folders: tuple[str, ...], name: str) -> bool:
    return name.endswith(".jsonl") and (len(folders) <= 1 or _SUBAGENTS in folders)


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
            cwd = cwd or line_in(record, "cwd")
            session = session or line_in(record, "sessionId")
            first_at = time_ms(record.get("timestamp")) if first_at is None else first_at
        if (cwd and first_at is not None) or line.end >= (_HEAD_BYTES if spoken else LONGEST_BYTES):
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


def _told(record: dict[str, Any]) -> tuple[int | None, str | None]:
    """The time of a turn, and a title."""
    spoken = record.get("type") in ("user", "assistant")
    return time_ms(record.get("timestamp")) if spoken else None, title_of(record)


def _calls_before(path: Path, offset: int) -> Calls:
    """The tool calls shortly before the offset: their results may stand behind it."""
    calls = Calls()
    for line in lines_before(path, offset):
        for record in line.records:
            if record.get("type") in ("assistant", "user"):
                try:
                    events_of(record, "", calls, aside=False)
                except MalformedRecordError:
                    continue  # counted when its own chunk was read
    return calls
