"""Reads the conversations that Codex leaves in its `sessions` folder, and never writes there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.ports import Chunk
from memgardend.core.words import Role
from memgardend.daemon.sources.codex_head import KIND, head_of
from memgardend.daemon.sources.codex_records import Rollout, title_of, unwrapped
from memgardend.daemon.sources.files import COMPRESSED, LineLogs, lines_before, listed, tail
from memgardend.daemon.sources.lines import holds_any, read_lines
from memgardend.daemon.sources.parts import time_ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memgardend.core.ports import SourceFile
    from memgardend.core.records import NewEvent, Window
    from memgardend.daemon.sources.codex_head import Head
    from memgardend.daemon.sources.parts import Record

_SESSIONS = "sessions"
_ARCHIVED = "archived_sessions"
_COMPRESSED = tuple(f".jsonl{ending}" for ending in COMPRESSED)
_FORK_MS = 1000  # so long after its first line a fork has written down what it copies


def default_root(environ: Mapping[str, str]) -> Path:
    """Where Codex keeps its conversations."""
    home = environ.get("HOME") or Path.home()
    return Path(environ.get("CODEX_HOME") or Path(home, ".codex")) / _SESSIONS


class Codex(LineLogs):
    """The source of Codex's threads: below `sessions` and, beside it, `archived_sessions`."""

    kind = KIND

    def __init__(self, root: Path) -> None:
        home = root if (root / _SESSIONS).is_dir() else root.parent
        beside = root == home or root.name == _SESSIONS
        self.roots = [home / _SESSIONS, home / _ARCHIVED] if beside else [root]

    def files(self) -> Iterator[SourceFile]:
        """Rollouts at any depth: they stand in a folder a day, in old versions in none; as `listed` does it."""
        return listed(self.roots, _is_rollout)

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """The complete lines from the offset on, one at least, up to the limit; None while there is none at all.

        In a file of nothing but unknown records every line counts as unreadable. Raises OSError.
        """
        path = Path(file.path)
        head = head_of(path)
        if head is None:
            return None
        rollout = _rollout(head, file)
        for line in lines_before(path, offset):
            rollout.take(line, 0)
        copied_end = self._copied_end(file, head)
        events: list[NewEvent] = []
        copied: set[str] = set()
        end, lines, unreadable, title = offset, 0, 0, None
        for line in read_lines(path, offset):
            new, readable = rollout.take(line, end)
            end, lines, unreadable = line.end, lines + 1, unreadable + (not readable)
            events += new
            if end <= copied_end:
                copied.update(event.native_id for event in new if event.native_id)
            for record in line.records:
                title = _told(record)[1] or title
            if end - offset >= limit_bytes:
                break
        return Chunk(
            window=replace(head.window, title=title),
            events=tuple(events),
            offset=end,
            lines=lines,
            unreadable=unreadable if head.known else lines,
            more=lines > 0 and end < file.size,
            copied=frozenset(copied),
        )

    def peek(self, file: SourceFile) -> Window | None:
        """The window with the times of its first and last record; the file's own time if the tail tells none."""
        path = Path(file.path)
        head = head_of(path)
        if head is None:
            return None
        last_at, title = tail(path, file.size, _told)
        last_at = _changed_ms(file) if last_at is None else last_at
        return replace(
            head.window,
            title=title,
            first_event_at=head.first_at,
            last_event_at=last_at,
            first_speech_at=head.first_at,
            last_speech_at=last_at,
        )

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """Whether a record with one of these ids stands in the file; ids that we made stand in none."""
        own = [i.partition("#")[0] for i in native_ids if not i.startswith("line-")]
        return bool(own) and holds_any(Path(file.path), [json.dumps(i).encode() for i in own])

    def _copied_end(self, file: SourceFile, head: Head) -> int:
        """The byte after what a fork repeats of its original; 0 for a thread that is no fork.

        A fork gives the copies new times, and most have no id. So what both files say is compared from the
        start; where the original is gone, all is copied that was written in the fork's first moment.
        """
        if head.original is None:
            return 0
        end = f"-{head.original}.jsonl"
        original = next((other for other in self.files() if other.path.endswith(end)), None)
        if original is None:
            return _first_moment_end(file, head)
        copied_end = 0
        spoken = _spoken(original)
        for said, line_end in _spoken(file):
            if next(spoken, (None, 0))[0] != said:
                break
            copied_end = line_end
        return copied_end


def _is_rollout(folders: tuple[str, ...], name: str) -> bool:
    return name.startswith("rollout-") and name.endswith((".jsonl", *_COMPRESSED))


def _changed_ms(file: SourceFile) -> int:
    return file.mtime_ns // 1_000_000


def _rollout(head: Head, file: SourceFile) -> Rollout:
    """Records without a time, as in old rollouts, are given that of the first line."""
    timeless_ms = _changed_ms(file) if head.first_at is None else head.first_at
    return Rollout(head.window.native_id, head.prompted_by, timeless_ms)


def _spoken(file: SourceFile) -> Iterator[tuple[tuple[str | None, str], int]]:
    """What is said in a file, without what the program adds, each with the end of its line."""
    path = Path(file.path)
    head = head_of(path)
    if head is None:
        return
    rollout, start = _rollout(head, file), 0
    for line in read_lines(path, 0):
        for event in rollout.take(line, start)[0]:
            if event.role is not Role.SYSTEM:
                yield (event.tool, event.text), line.end
        start = line.end


def _first_moment_end(file: SourceFile, head: Head) -> int:
    if head.first_at is None:
        return 0
    end, last_at = 0, head.first_at + _FORK_MS
    for line in read_lines(Path(file.path), 0):
        times = (time_ms(record.get("timestamp")) for record in line.records)
        if any(at is not None and at > last_at for at in times):
            break
        end = line.end
    return end


def _told(record: Record) -> tuple[int | None, str | None]:
    """The time of a record, and a title."""
    kind, payload = unwrapped(record)
    at = time_ms(record.get("timestamp")) if kind else None
    return at, title_of(kind, payload)
