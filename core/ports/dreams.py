"""The store port: dreams, rounds and receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memgardend.core.budget import Limits, Spending
    from memgardend.core.records import (
        CommitBatch,
        CommitResult,
        Dream,
        DreamRound,
        Lease,
        MemoryVersion,
        Owner,
        Receipt,
    )
    from memgardend.core.spent import Spent
    from memgardend.core.words import DreamState, Outcome, RoundName


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

    def save_asked(
        self,
        lease: Lease,
        round_name: RoundName,
        prompt_hash: str,
        receipt: Receipt,
        limits: Limits | None = None,
    ) -> Spending | None:
        """planned or answered -> asked, with the receipt of the call to come; counts one more ask and call.

        Judged against the receipts in the same transaction, so that no two processes take the last call. What
        is spent, and nothing written, where the limits leave no room.
        """
        ...

    def save_answer(
        self, lease: Lease, round_name: RoundName, answer: str, receipt: Receipt
    ) -> None:
        """Store a raw answer before it is used, and complete its receipt: asked -> answered."""
        ...

    def save_receipt(self, lease: Lease, receipt: Receipt) -> None:
        """Complete the receipt of a call that brought no answer."""
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
        """running -> failed (or quarantined), lease ended, failures + 1; `refund` gives the attempt back.

        The asks of unfinished rounds go back to 0; their problems stay, so that the next attempt knows them.
        """
        ...

    def release(self, lease: Lease, now: int, next_attempt_at: int, reason: str) -> None:
        """running -> pending without counting: parked at a peak, or interrupted. Refunds the attempt."""
        ...

    def retry(self, dream_id: str, now: int) -> bool:
        """failed, quarantined, or pending for later -> pending, due now; a quarantined one has all its
        attempts again."""
        ...

    def cancel(self, dream_id: str, now: int, reason: str, *, running: bool = False) -> bool:
        """Any open dream -> cancelled; one that runs only with `running`: its worker is then refused."""
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
    def receipts(
        self, dream_id: str | None = None, *, since: int | None = None
    ) -> Sequence[Receipt]:
        """Oldest first: of one dream or of all, and of calls made at or after `since`."""
        ...

    def begin_call(self, receipt: Receipt, limits: Limits) -> int | Spending:
        """Write the receipt of a call that no dream makes, before it is made; its number.

        What is spent, and nothing written, where the limits leave no room.
        """
        ...

    def complete_call(self, number: int, receipt: Receipt) -> None:
        """Fill in the receipt of such a call."""
        ...

    def calls_ever(self) -> tuple[Spent, Mapping[Outcome, int]]:
        """The sums of all counted calls, and how many there are of each outcome."""
        ...

    def spending(self, limits: Limits, at: int) -> Spending:
        """What counts towards the limits at an instant."""
        ...

    def dream_changes(self, dream_id: str) -> Sequence[MemoryVersion]: ...
    def p90_duration_ms(self) -> int | None:
        """The 90th percentile of how long models worked for the last hundred dreams; None below five.

        Neither sleep of the machine nor a rest at a peak counts.
        """
        ...
