"""A consolidation that ends in a store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.mounted.failures import attempted
from memgardend.core.editorial.mounted.scoped_store import MAX_ATTEMPTS, Write
from memgardend.core.editorial.mounted.stored import StoredJudgement
from memgardend.core.editorial.mutations import NoOp
from memgardend.core.editorial.results import ErrorWord, Failure, Reason
from memgardend.core.ports.capabilities import MAINTENANCE

if TYPE_CHECKING:
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.mounted.scoped_store import ScopedStore
    from memgardend.core.ports.library import Snapshot

KEY_PREFIX = "maintenance"


class StoredMaintenance(StoredJudgement):
    """One run over a mount: cards and ledger are the store's, and both are committed in one step.

    A run that failed, was not needed or was dry leaves the ledger as it is. Raises MountPermissionError.
    """

    # Its key names cards and revision: who has it already has reviewed the same cards in other words.
    judged_anew = frozenset({ErrorWord.REVISION_CONFLICT, ErrorWord.IDEMPOTENCY_CONFLICT})

    def __init__(
        self,
        component: GardenComponent,
        store: ScopedStore,
        request: MaintenanceRequest,
        *,
        key_prefix: str = KEY_PREFIX,
    ) -> None:
        super().__init__(component, store)
        self._request = replace(request, mount=store.scope.check(request.mount))
        self._prefix = key_prefix
        self._revision = ""
        lacks = store.lacking(MAINTENANCE)
        if lacks:
            self._end(error=lacks)
        else:
            self._judge()

    def _begin_session(self) -> MaintenanceSession | Failure:
        read = read_for_review(self._store, self._request.mount)
        if isinstance(read, Failure):
            return read
        shot, ledger = read
        self._revision = shot.revision
        return self._component.maintenance_session(
            replace(self._request, cards=shot.cards, ledger=ledger)
        )

    def _settle(self) -> None:
        if not isinstance(self._session, MaintenanceSession) or self._session.result is None:
            return
        result = self._session.result
        told: dict[str, Any] = {"trace": result.trace, "questions": result.questions}
        if result.error is not None:
            self._end(error=result.error, **told)
        elif result.ledger is None:
            self._end(reason=Reason.DRY_RUN if result.needed else Reason.NOT_NEEDED, **told)
        else:
            signature = result.ledger["signature"]
            nothing = NoOp(reason=Reason.NOTHING_WORTH_KEEPING, mount=self._request.mount)
            asked = Write(
                mutations=result.mutations or (nothing,),
                key=f"{self._prefix}:{self._request.mount}:{signature}:{self._revision}",
                expected_revision=self._revision,
                ledger=result.ledger,
            )
            self._write(asked, **told)


def read_for_review(store: ScopedStore, mount: str) -> tuple[Snapshot, dict[str, Any]] | Failure:
    """All cards of the open mounts and the ledger, both as of one revision."""
    return attempted(lambda: _read(store, mount))


def _read(store: ScopedStore, mount: str) -> tuple[Snapshot, dict[str, Any]] | Failure:
    for _ in range(MAX_ATTEMPTS):
        shot = store.load(retired=True)
        ledger = store.ledger(mount)
        if store.load(ids=()).revision == shot.revision:
            return shot, ledger
    return Failure(ErrorWord.STORAGE_FAILED, "maintenance_state")
