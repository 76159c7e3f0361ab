"""The rows of the store as frozen values. Times are epoch milliseconds, UTC; `seq` counts events per window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.scope import UNSET, Scope
from memgardend.core.words import (
    DreamState,
    Layer,
    Outcome,
    Phase,
    Role,
    RoundName,
    RoundState,
    Status,
    Subcategory,
    WindowKind,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

Span = tuple[int, int]
"""Half-open range of character offsets into an event's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project: a git root, or a folder. Scope holds its id, screens show its name."""

    id: str
    name: str
    root: str | None = None
    remote: str | None = None
    aliases: tuple[str, ...] = ()


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
    last_speech_at: int | None = None
    last_seq: int = 0
    last_speech_seq: int = 0
    baseline: int | None = None  # set for a window that was old at adoption
    dreamed_seq: int = 0
    rev: int = 0
    skip: bool = False
    archived: bool = False
    anchor_project: str | None = None
    projects_asked: tuple[str, ...] = ()
    reinject_pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event as an adapter reads it, before it has a `seq`.

    `native_id` is unique and stable within the source, or None where the source has no ids.
    `at` is None where the source has no times; the receipt time stands in.
    """

    native_id: str | None
    at: int | None
    role: Role
    text: str
    pasted: tuple[Span, ...] = ()
    tool: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One record of the memory."""

    id: str
    layer: Layer
    content: str
    title: str | None = None
    keywords: tuple[str, ...] = ()
    keywords_auto: bool = False
    importance: int = 1
    status: Status = Status.ACTIVE
    status_at: int = 0
    scope: Scope = UNSET
    bucket: str | None = None
    threads: tuple[str, ...] = ()
    origin: str = "dream"
    subcategory: Subcategory | None = None
    goal: str | None = None
    corrected: bool = False
    card: str | None = None  # JSON of the library's extra fields
    source_window: str | None = None
    created_at: int = 0
    updated_at: int = 0
    as_of: int = 0
    occurred_at: int | None = None
    superseded_by: str | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A verbatim quote that proves a memory: our own span of the event, not the model's copy of it."""

    memory: str
    window: str
    event: int
    start: int
    end: int
    role: Role
    quote: str
    at: int  # time of the event
    hash: str
    inherited_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryVersion:
    """One step in a memory's history; `before` is None for its first."""

    memory: str
    revision: int
    before: Memory | None
    after: Memory
    operation: str
    reason: str | None
    dream: str | None
    round: str | None
    actor: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that works on a dream. `pid` means something only on the same boot and pid namespace."""

    host: str
    boot_id: str
    pid_namespace: str
    pid: int
    process_start: str

    def text(self) -> str:
        """One line, comparable: the same process gives the same text."""
        return f"{self.host}|{self.boot_id}|{self.pid_namespace}|{self.pid}|{self.process_start}"

    @classmethod
    def parse(cls, text: str) -> Owner:
        """Read what `text` wrote."""
        host, boot_id, namespace, pid, start = text.rsplit("|", 4)
        return cls(
            host=host, boot_id=boot_id, pid_namespace=namespace, pid=int(pid), process_start=start
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dream:
    """One consolidation of one window. `plan` is the JSON of core/plan.py, frozen before the first call."""

    id: str
    window: str
    state: DreamState
    manual: bool = False
    overrode: tuple[str, ...] = ()
    plan: str | None = None
    fence: int = 0
    owner: str | None = None
    lease_until: int | None = None
    heartbeat_at: int | None = None
    attempts: int = 0  # counted at start, refunded for failures of the model as a whole
    failures: int = 0  # consecutive, refunded ones included
    deaths: int = 0
    next_attempt_at: int | None = None
    reason: str | None = None
    error: str | None = None
    seal: int | None = None
    from_seq: int = 0
    through_seq: int | None = None
    created_at: int = 0
    started_at: int | None = None
    finished_at: int | None = None
    undone_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """What a worker must name in every write on its dream."""

    dream: str
    owner: str
    fence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamRound:
    """One round. `operations` is the JSON list of core/staging.py's judged operations."""

    dream: str
    name: RoundName
    position: int
    state: RoundState = RoundState.PLANNED
    asks: int = 0
    prompt_hash: str | None = None
    answer: str | None = None
    problems: tuple[str, ...] = ()  # why the last answer could not be used; told to the model once
    operations: str = "[]"
    questions: tuple[str, ...] = ()
    summary: str | None = None
    model_calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Size, tokens, time, price phase and cost of one model call. Unknown cost is None, never 0."""

    dream: str
    round: RoundName
    ask: int
    at: int
    outcome: Outcome
    prompt_chars: int
    answer_chars: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reported: bool = False
    duration_ms: int = 0
    phase: Phase = Phase.OFF_PEAK
    cost: str | None = None
    currency: str | None = None
    model: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """One memory before and after a dream; `before.revision` must still hold at the commit."""

    before: Memory | None
    after: Memory
    operation: str
    reason: str | None
    round: RoundName
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitBatch:
    """All that one dream changes, for one transaction."""

    lease: Lease
    window: str
    from_seq: int
    through_seq: int
    changes: tuple[MemoryChange, ...]
    operations: Mapping[RoundName, str] = field(default_factory=dict)  # final verdicts per round
    reason: str | None = None
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult:
    """`committed`; else nothing was written and it says why."""

    committed: bool
    watermark_moved: bool = False
    changed: tuple[str, ...] = ()  # memories whose revision is not the expected one


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowFacts:
    """A window with all that the gates and `status` ask about it."""

    window: Window
    new_events: int = 0  # speech after the watermark
    oldest_new_at: int | None = None  # time of the first of them
    open_dream: Dream | None = None
    last_dream: Dream | None = None  # the newest final one
    review: int = 0  # operations that wait for a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An invariant that does not hold: the check's name, and what was found."""

    check: str
    detail: str
