"""What a judgement against a store has in common: read, judge, write; if somebody else wrote, all of it anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from memgardend.core.editorial.mounted.scoped_store import MAX_ATTEMPTS
from memgardend.core.editorial.results import ErrorWord, Failure, OperationReceipt, Reason
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.capture import CaptureSession
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.maintenance import MaintenanceSession
    from memgardend.core.editorial.migrating import MigrateSession
    from memgardend.core.editorial.mounted.scoped_store import ScopedStore, Write
    from memgardend.core.editorial.results import ModelReply, Step
    from memgardend.core.ports.library import ApplyResult

    Judging: TypeAlias = CaptureSession | MaintenanceSession | MigrateSession


class StoredJudgement(ABC):
    """While `next_prompt` is a text, ask, and `feed` the reply, or `fail`; then all is written: take `receipt`.

    What was judged on cards that somebody has changed since is never written: they are read again, and the model
    is asked again, up to three times in all.
    """

    judged_anew: ClassVar[frozenset[ErrorWord]] = frozenset({ErrorWord.REVISION_CONFLICT})
    """The errors that say that somebody else was faster."""

    def __init__(self, component: GardenComponent, store: ScopedStore) -> None:
        self.receipt: OperationReceipt | None = None
        self.conflicts = 0
        self._component = component
        self._store = store
        self._session: Judging | None = None
        self._past: list[Step] = []

    @property
    def next_prompt(self) -> str | None:
        """What to ask next; None when the receipt is there."""
        return None if self.receipt or not self._session else self._session.next_prompt

    @property
    def steps(self) -> list[Step]:
        """What happened so far."""
        return self._past + (self._session.steps if self._session else [])

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply: it is judged, and written when it is whole."""
        self._awaited().feed(reply)
        self._settle()

    def fail(self, reason: str) -> None:
        """Say that no reply came; `reason` is a word, such as the name of an exception."""
        self._awaited().fail(reason)
        self._settle()

    @abstractmethod
    def _begin_session(self) -> Judging | Failure:
        """A judgement of the cards as they are now."""

    @abstractmethod
    def _settle(self) -> None:
        """Write what the session came to, once it has come to something."""

    def _judge(self) -> None:
        if self._session:
            self._past += self._session.steps
            self._session = None
        session = self._begin_session()
        if isinstance(session, Failure):
            self._end(error=session)
            return
        self._session = session
        self._settle()

    def _write(self, asked: Write, **more: Any) -> None:
        """Write it in one step, or judge anew where somebody else was faster."""
        written = self._store.write(asked, self._component.gate())
        if not isinstance(written, Failure):
            self._end(written, **more)
        elif written.word in self.judged_anew and self.conflicts < MAX_ATTEMPTS - 1:
            self.conflicts += 1
            self._judge()
        else:
            self._end(error=written, **more)

    def _end(
        self,
        written: ApplyResult | None = None,
        *,
        error: Failure | None = None,
        reason: Reason | None = None,
        questions: tuple[str, ...] = (),
        trace: Mapping[str, Any] | None = None,
    ) -> None:
        told = {"conflicts": self.conflicts} if self.conflicts else {}
        self.receipt = receipt_of(
            written,
            error=error,
            reason=reason,
            questions=questions,
            trace={**(trace or {}), **told},
        )

    def _awaited(self) -> Judging:
        if self.receipt or not self._session:
            raise UsageError("no reply is awaited", hint="take `receipt`")
        return self._session


def receipt_of(
    written: ApplyResult | None,
    *,
    error: Failure | None = None,
    reason: Reason | None = None,
    questions: tuple[str, ...] = (),
    trace: Mapping[str, Any] | None = None,
) -> OperationReceipt:
    """The receipt of what a store wrote; rows without a card give their reason instead."""
    rows = written.results if written else []
    ids = tuple(str(row["id"]) for row in rows if row.get("id"))
    told = [row.get("reason") for row in rows if not row.get("id")]
    said = next((Reason(word) for word in told if word in set(Reason)), None)
    return OperationReceipt(
        written=bool(ids),
        record_ids=ids,
        revision=written.revision if written else "",
        reason=reason or (None if ids else said),
        error=error,
        questions=questions,
        trace=trace or {},
    )
