"""What the jobs need from the world. Implemented in `daemon`; tests bring their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from memgardend.core.records import (
        CommitBatch,
        CommitResult,
        Cursor,
        Dream,
        DreamRound,
        Event,
        Evidence,
        IngestBatch,
        IngestResult,
        Lease,
        Memory,
        MemoryVersion,
        Owner,
        Project,
        Receipt,
        Violation,
        Window,
        WindowFacts,
    )
    from memgardend.core.words import DreamState, Layer, Outcome, RoundName, Status


class Failpoints(Protocol):
    """Named places where a test may kill or fail us; free when none is set."""

    def hit(self, name: str) -> None:
        """Pass the place `name`. May kill the process or raise."""
        ...


class WindowStore(Protocol):
    """Windows, events and cursors of one garden."""

    def window(self, window_id: str) -> Window | None: ...
    def window_facts(
        self, window_id: str | None = None, *, aside: bool = False
    ) -> Sequence[WindowFacts]:
        """All main windows (with `aside` also sub-agent and own ones), newest activity first; or one."""
        ...

    def find_windows(self, prefix: str) -> Sequence[str]:
        """Ids equal to the text, or with it as a prefix of the id or of the native id. No wildcards."""
        ...

    def ingest(self, batch: IngestBatch) -> IngestResult:
        """Write one batch in one transaction.

        Assigns `seq` from last_seq + 1; clamps `at` to received_at; an event whose native id is known in this
        window with the same text is a duplicate, with another text an edit (`replaces`); whose native id is
        known in another window of the source becomes role `replay`. Raises `rev` when anything was accepted.
        New speech cancels an open failed or quarantined dream of the window.
        """
        ...

    def events(self, window_id: str, after: int = 0, through: int | None = None) -> Sequence[Event]:
        """Events with after < seq <= through, by seq, `replaced` filled in."""
        ...

    def events_before(self, window_id: str, through: int, limit: int) -> Sequence[Event]:
        """The last `limit` speech events with seq <= through, by seq: the prelude of a prompt."""
        ...

    def cursor(self, source: str, path: str) -> Cursor | None: ...
    def cursors(self, source: str) -> Sequence[Cursor]: ...
    def save_cursor(self, cursor: Cursor, expected_offset: int | None) -> bool:
        """Compare-and-set without a window: for files that are not ours or hold nothing yet."""
        ...

    def set_skip(self, window_id: str, skip: bool) -> bool:
        """True when it changed. Raises rev."""
        ...

    def set_archived(self, window_id: str, archived: bool) -> bool: ...
    def adopted_at(self, source: str) -> int | None: ...
    def adopt(self, source: str, now: int) -> int:
        """Note the first ingest of a source, once; the instant that holds."""
        ...


class DreamStore(Protocol):
    """Dreams, rounds and receipts. Every call with a lease raises FencedError unless it hits one row."""

    def claim(
        self,
        window_id: str,
        rev: int,
        dream_id: str,
        now: int,
        *,
        manual: bool = False,
        overrode: Sequence[str] = (),
    ) -> bool:
        """Insert a pending dream, only where windows.rev is unchanged and no open dream exists."""
        ...

    def start(
        self,
        dream_id: str,
        window_rev: int,
        owner: Owner,
        now: int,
        lease_until: int,
        max_concurrent: int,
    ) -> Dream | None:
        """pending or failed -> running in one statement; fence + 1, attempts + 1. None: somebody was faster,
        the window changed, or `max_concurrent` dreams run."""
        ...

    def beat(self, lease: Lease, now: int, lease_until: int) -> None: ...
    def save_plan(
        self,
        lease: Lease,
        plan: str,
        seal: int,
        from_seq: int,
        through_seq: int,
        rounds: Sequence[RoundName],
    ) -> None:
        """Freeze a plan: replaces the rounds, which must hold no answer."""
        ...

    def save_asked(self, lease: Lease, round_name: RoundName, prompt_hash: str) -> None:
        """planned or answered -> asked; counts one more ask and one more model call."""
        ...

    def save_answer(
        self, lease: Lease, round_name: RoundName, answer: str, receipt: Receipt
    ) -> None:
        """Store a raw answer before it is used, with its receipt: asked -> answered."""
        ...

    def save_receipt(self, lease: Lease, receipt: Receipt) -> None:
        """The receipt of a call that brought no answer."""
        ...

    def save_problems(self, lease: Lease, round_name: RoundName, problems: Sequence[str]) -> None:
        """Say why the stored answer cannot be used; the round goes back to planned for its re-ask."""
        ...

    def save_staged(
        self,
        lease: Lease,
        round_name: RoundName,
        operations: str,
        questions: Sequence[str],
        summary: str | None,
        review: int,
        *,
        skipped: bool = False,
    ) -> None:
        """Store the judged operations with their new ids, once: -> staged (or skipped)."""
        ...

    def reset_rounds(self, lease: Lease, names: Sequence[RoundName], plan: str) -> None:
        """Ask these rounds again under a refreshed plan, because what they were shown has changed."""
        ...

    def commit(self, batch: CommitBatch) -> CommitResult:
        """Apply a dream in one transaction: memories, versions, evidence, uses, verdicts, watermark, state."""
        ...

    def fail(
        self,
        lease: Lease,
        now: int,
        next_attempt_at: int | None,
        reason: str,
        error: str,
        *,
        refund: bool,
        quarantine: bool = False,
    ) -> None:
        """running -> failed (or quarantined), lease ended, failures + 1; `refund` gives the attempt back."""
        ...

    def release(self, lease: Lease, now: int, next_attempt_at: int, reason: str) -> None:
        """running -> pending without counting: parked at a peak, or interrupted. Refunds the attempt."""
        ...

    def cancel(self, dream_id: str, now: int, reason: str) -> bool:
        """Any open, not running dream -> cancelled."""
        ...

    def heal(
        self,
        now: int,
        is_gone: Callable[[Owner], bool],
        max_attempts: int,
        backoff: Callable[[int], int],
    ) -> Sequence[Dream]:
        """running with an ended lease or a gone owner -> pending (or quarantined at max_attempts); deaths + 1.

        The first death starts again at once, later ones after backoff(deaths) ms. Compare-and-set on the fence;
        safe to race. Returns the dreams as they are now.
        """
        ...

    def dream(self, dream_id: str) -> Dream | None: ...
    def dreams(
        self, limit: int = 0, *, window: str | None = None, states: Iterable[DreamState] = ()
    ) -> Sequence[Dream]:
        """Newest first; limit 0 = all."""
        ...

    def find_dreams(self, prefix: str) -> Sequence[str]: ...
    def startable(self, now: int) -> Sequence[Dream]:
        """Pending and failed dreams whose instant has come, oldest first."""
        ...

    def rounds(self, dream_id: str) -> Sequence[DreamRound]: ...
    def receipts(self, dream_id: str | None = None) -> Sequence[Receipt]: ...
    def dream_changes(self, dream_id: str) -> Sequence[MemoryVersion]: ...
    def p90_duration_ms(self) -> int | None:
        """The 90th percentile of how long applied dreams ran; None below five."""
        ...


class MemoryStore(Protocol):
    """Memories with their evidence and history."""

    def memory(self, memory_id: str) -> Memory | None: ...
    def memories(
        self,
        *,
        ids: Iterable[str] | None = None,
        layers: Iterable[Layer] = (),
        statuses: Iterable[Status] = (),
    ) -> Sequence[Memory]:
        """By (created_at, id)."""
        ...

    def find_memories(self, prefix: str) -> Sequence[str]: ...
    def evidence(self, memory_ids: Iterable[str]) -> Sequence[Evidence]:
        """By memory, then event time."""
        ...

    def versions(self, memory_id: str) -> Sequence[MemoryVersion]: ...
    def window_memory_ids(self, window_id: str) -> Sequence[str]:
        """Memories this window wrote, was shown, searched or read, released ones included."""
        ...

    def archived_since(self, since: int) -> int:
        """How many memories dreams archived without a successor since then: for the fuses."""
        ...

    def projects(self) -> Sequence[Project]: ...
    def ensure_project(self, project: Project) -> Project:
        """The stored project of this root (or remote, where the root is None); made when there is none."""
        ...


class StateStore(Protocol):
    """Small shared state, idempotency, health."""

    def state(self, key: str) -> str | None: ...
    def set_state(self, key: str, expected: str | None, value: str | None) -> bool:
        """Compare-and-set; None means absent."""
        ...

    def pass_check_gate(self, now: int, interval_ms: int) -> bool:
        """One caller in `interval_ms` gets True. A clock that went back does not block."""
        ...

    def remembered(self, key: str, digest: str) -> str | None:
        """The stored result of this idempotency key; raises StoreError when the digest differs."""
        ...

    def remember_result(self, key: str, digest: str, result: str, now: int) -> None: ...
    def counts(self) -> dict[str, int]:
        """windows, dreams by state, memories by status, events, unreadable_lines, review."""
        ...

    def violations(self) -> Sequence[Violation]:
        """Every invariant of DESIGN section 3 that does not hold."""
        ...

    def backup(self, target: Path) -> None: ...
    def close(self) -> None: ...


class Store(WindowStore, DreamStore, MemoryStore, StateStore, Protocol):
    """The store of one garden."""

    @property
    def garden(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One question to the model command. `request` is the JSON form, `prompt` the text form."""

    purpose: str  # dream | reflect | test
    prompt: str
    request: str
    window: str
    dream: str
    round: str
    run: str  # marks our model processes in their environment


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What came back. `text` is set only when outcome is OK."""

    outcome: Outcome
    text: str | None = None
    detail: str = ""  # for a person: exit code, tail of stderr, what to do
    hint: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reported: bool = False
    duration_ms: int = 0
    model: str | None = None
    cost: str | None = None
    currency: str | None = None


class Model(Protocol):
    """The pluggable model command."""

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        """Run it once. `tick` is called at least each second; False ends the call as `cancelled`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a source that may hold a window."""

    path: str
    size: int
    mtime_ns: int
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What an adapter reads of one file from one offset: complete lines only.

    `offset` is the byte after the last complete line read. `more`: the size limit was reached first.
    `aside` holds whole windows found inside the file besides the main one (old sidechains).
    """

    window: Window
    events: tuple[object, ...] = ()  # NewEvent
    offset: int = 0
    lines: int = 0
    unreadable: int = 0
    more: bool = False
    aside: tuple[tuple[Window, tuple[object, ...]], ...] = field(default=())


class Source(Protocol):
    """An adapter: reads what one kind of agent leaves on disk, and never writes there."""

    @property
    def kind(self) -> str: ...
    def files(self) -> Iterator[SourceFile]: ...
    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """None: the file holds no window (yet)."""
        ...

    def peek(self, file: SourceFile) -> Window | None:
        """The window with cwd, title, parent, kind and times, from the file's head and tail only."""
        ...
