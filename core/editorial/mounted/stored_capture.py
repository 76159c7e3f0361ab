"""A capture that ends in a store."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.mounted.failures import attempted
from memgardend.core.editorial.mounted.scoped_store import RECEIPTS, Write
from memgardend.core.editorial.mounted.stored import StoredJudgement
from memgardend.core.editorial.mutations import NoOp
from memgardend.core.editorial.results import Failure, Reason
from memgardend.core.editorial.seeds import of_mount

if TYPE_CHECKING:
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.mounted.scoped_store import ScopedStore
    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.ports.library import ApplyResult

NEEDED = ("supports_supersede", "supports_atomic_batch")
"""What a store must be able to do before a model is asked what to write."""


class StoredCapture(StoredJudgement):
    """One capture into a garden: its cards are shown to the model, whatever the host put in the request.

    With an `idempotency_key` the same request is judged once: its receipt is replayed without asking anybody,
    also when nothing was worth keeping. Raises MountPermissionError and UnknownPolicyError.
    """

    def __init__(
        self, component: GardenComponent, store: ScopedStore, request: CaptureRequest
    ) -> None:
        super().__init__(component, store)
        scope = store.scope
        self._request = replace(
            request,
            mount=scope.check(request.mount),
            actor=scope.actor or None,
            existing_cards=None,
            cards="",
        )
        self._key = request.idempotency_key.strip()
        # The same request whatever the cards of the day: what a host made of them is not part of it.
        self._digest = store.digest(asdict(self._request)) if self._key else None
        self._revision = ""
        self._begin()

    def _begin(self) -> None:
        lacks = self._store.lacking((*NEEDED, *([RECEIPTS] if self._key else ())))
        if lacks:
            self._end(error=lacks)
            return
        known = attempted(self._replayed)
        if isinstance(known, Failure):
            self._end(error=known)
        elif known is not None:
            self._end(known, trace={"replayed": True})
        else:
            self._judge()

    def _replayed(self) -> ApplyResult | None:
        return self._store.known(self._key, self._digest) if self._digest else None

    def _begin_session(self) -> CaptureSession | Failure:
        shot = attempted(self._store.load)
        if isinstance(shot, Failure):
            return shot
        self._revision = shot.revision
        cards = of_mount(shot.cards, self._request.mount)
        return self._component.capture_session(replace(self._request, existing_cards=cards))

    def _settle(self) -> None:
        if not isinstance(self._session, CaptureSession) or self._session.result is None:
            return
        result = self._session.result
        if result.error is not None:
            self._end(error=result.error, trace=result.trace)
        elif not result.mutations and not self._key:
            self._end(reason=Reason.NOTHING_WORTH_KEEPING, trace=result.trace)
        else:
            nothing = NoOp(reason=Reason.NOTHING_WORTH_KEEPING)
            asked = Write(
                mutations=result.mutations or (nothing,),
                key=self._key,
                expected_revision=self._revision,
                request_digest=self._digest,
            )
            self._write(asked, trace=result.trace)
