"""Windows, events and cursors, and what ingest writes. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.words import WindowKind

if TYPE_CHECKING:
    from memgardend.core.words import Role

Span = tuple[int, int]
"""Half-open range of character offsets into an event's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One conversation of an agent. `id` is `<source>:<native id>`; `rev` rises with every change."""

    id: str
    source: str
    native_id: str
    cwd: str | None = None
    project: str | None = None
    title: str | None = None
    parent: str | None = None
    kind: WindowKind = WindowKind.MAIN
    locator: str | None = None
    first_event_at: int | None = None
    last_event_at: int | None = None  # activity: own text and replays do not count
    first_speech_at: int | None = None
    last_speech_at: int | None = None
    last_seq: int = 0
    last_speech_seq: int = 0
    baseline: int | None = None  # set for a window that was old at adoption
    dreamed_seq: int = 0
    rev: int = 0
    skip: bool = False
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event as an adapter reads it, before it has a `seq`.

    `native_id` is unique and stable within the source, or None where the source has no ids.
    `at` is None where the source has no times; the receipt time stands in. `asked_by_us`: a whole prompt of
    ours stands in it, whoever put words around it. `recalled`: all of it is what we told an agent from memory.
    """

    native_id: str | None
    at: int | None
    role: Role
    text: str
    pasted: tuple[Span, ...] = ()
    tool: str | None = None
    asked_by_us: bool = False
    recalled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One stored message, tool call or tool result; immutable. `replaces` names the event it corrects."""

    window: str
    seq: int
    native_id: str | None
    at: int
    received_at: int
    role: Role
    text: str
    pasted: tuple[Span, ...] = ()
    tool: str | None = None
    replaces: int | None = None
    replaced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far a source's file was read: `offset` is the byte after the last complete line."""

    source: str
    path: str
    identity: str  # device:inode
    offset: int
    size: int = 0
    mtime_ns: int = 0
    fingerprint: str = ""  # hash of the first bytes and of those before the offset
    lines: int = 0
    unreadable: int = 0
    window: str | None = None  # None: not ours


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestBatch:
    """What one transaction of ingest writes.

    `window` carries the seed of a new window (or fresh title, locator, cwd of a known one; a set cwd and
    project are never changed). `expected_offset` is the cursor's offset as read (None: no cursor yet); a
    cursor that moved meanwhile refuses the batch. `old` registers the window without events, with baseline = 0.
    """

    window: Window
    events: tuple[NewEvent, ...] = ()
    received_at: int
    cursor: Cursor | None = None
    expected_offset: int | None = None
    old: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestResult:
    """What a batch did. `stale`: another process moved the cursor first, nothing was written."""

    accepted: int = 0
    duplicate: int = 0
    replays: int = 0
    edited: int = 0
    cancelled_dream: str | None = None
    stale: bool = False
