"""Dreams, rounds, receipts, and what a commit writes. Times are epoch milliseconds, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.words import CallPurpose, DreamState, Phase, RoundState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.records.history import MemoryChange
    from memgardend.core.records.windows import Window
    from memgardend.core.words import Outcome, RoundName


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

    def may_start(self, now: int) -> bool:
        """Whether it waits for nothing but a worker."""
        waits = self.state in (DreamState.PENDING, DreamState.FAILED)
        return waits and (self.next_attempt_at or 0) <= now


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
    """Size, tokens, time, price phase and cost of one model call. Unknown cost is None, never 0.

    Written before the call, as `asked`, so that no call goes uncounted; completed after it. Only calls of a
    dream have a dream and a round; `ask` counts from 1, in the round or in the judgement.
    """

    purpose: CallPurpose = CallPurpose.DREAM
    dream: str | None = None
    round: RoundName | None = None
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
    peak_cost: str | None = None  # what the same would have cost at peak
    counted: bool = True  # towards the budget; the offline model is not


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
    ended: bool = False  # some dream of it has ended
    review: int = 0  # operations that wait for a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An invariant that does not hold: the check's name, and what was found."""

    check: str
    detail: str
