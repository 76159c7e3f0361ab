"""Cards of an older form, put into the present one in a store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgardend.core.editorial.migrating import MigrateSession
from memgardend.core.editorial.mounted.failures import attempted
from memgardend.core.editorial.mounted.scoped_store import Write
from memgardend.core.editorial.mounted.stored import StoredJudgement
from memgardend.core.editorial.results import Failure, Reason

if TYPE_CHECKING:
    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.mounted.scoped_store import ScopedStore

NEEDED = ("supports_atomic_batch",)


class StoredMigration(StoredJudgement):
    """One batch of the cards that are named: they are read from the store, and changed in one step."""

    def __init__(
        self, component: GardenComponent, store: ScopedStore, request: MigrateRequest
    ) -> None:
        super().__init__(component, store)
        self._request = request
        self._revision = ""
        lacks = store.lacking(NEEDED)
        if lacks:
            self._end(error=lacks)
        else:
            self._judge()

    def _begin_session(self) -> MigrateSession | Failure:
        shot = attempted(lambda: self._store.load(ids=self._request.allowed_ids))
        if isinstance(shot, Failure):
            return shot
        self._revision = shot.revision
        return self._component.migrate_session(replace(self._request, cards=shot.cards))

    def _settle(self) -> None:
        if not isinstance(self._session, MigrateSession) or self._session.result is None:
            return
        result = self._session.result
        if result.error is not None:
            self._end(error=result.error, trace=result.trace)
        elif not result.mutations:
            self._end(reason=Reason.NOTHING_TO_MIGRATE, trace=result.trace)
        else:
            asked = Write(mutations=result.mutations, expected_revision=self._revision)
            self._write(asked, trace=result.trace)
