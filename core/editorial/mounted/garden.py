"""A component with a store: it reads before it judges, writes what it judged, and answers with receipts."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.basic_store import as_storage
from memgardend.core.editorial.cards import DEFAULT_MOUNT
from memgardend.core.editorial.importing.stored import StoredImport
from memgardend.core.editorial.manifest import storage_manifest
from memgardend.core.editorial.mounted.failures import attempted
from memgardend.core.editorial.mounted.records import Records
from memgardend.core.editorial.mounted.scoped_store import ScopedStore
from memgardend.core.editorial.mounted.stored import receipt_of
from memgardend.core.editorial.mounted.stored_capture import NEEDED, StoredCapture
from memgardend.core.editorial.mounted.stored_maintenance import (
    KEY_PREFIX,
    StoredMaintenance,
    read_for_review,
)
from memgardend.core.editorial.mounted.stored_migration import StoredMigration
from memgardend.core.editorial.recalling import CONTEXT_CARDS
from memgardend.core.editorial.results import (
    ErrorWord,
    Failure,
    MaintenanceCheck,
    OperationReceipt,
    Reason,
)
from memgardend.core.editorial.tools import ToolResult
from memgardend.core.ports.capabilities import MAINTENANCE, declared
from memgardend.core.ports.library import UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.component import GardenComponent
    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.mounted.stored import StoredJudgement
    from memgardend.core.editorial.recalling import ContextResult
    from memgardend.core.editorial.results import CaptureRequest, CaptureResult
    from memgardend.core.editorial.scope import Scope
    from memgardend.core.editorial.tools import ToolDefinition
    from memgardend.core.ports.library import BasicStoragePort, StoragePort


class MountedGarden:
    """One owner's garden in a store, as one caller may use it.

    Whatever a model or a store does becomes the error of a receipt; what the caller may not do is raised:
    MountPermissionError, UnknownPolicyError, and ModelNotConfiguredError where a model is needed.
    """

    def __init__(
        self, component: GardenComponent, store: StoragePort | BasicStoragePort, scope: Scope
    ) -> None:
        self.component = component
        self.scope = scope
        self._store = ScopedStore(as_storage(store), scope)

    @cached_property
    def records(self) -> Records:
        """Its cards by themselves."""
        return Records(self._store, self.component.gate())

    def capture(self, request: CaptureRequest) -> OperationReceipt:
        """Judge a stretch of text and store what is worth keeping; a known key is replayed, and asks nobody."""
        return self._driven(self.capture_session(request))

    async def acapture(self, request: CaptureRequest) -> OperationReceipt:
        """The same, awaited; the store is not."""
        return await self._adriven(self.capture_session(request))

    def capture_session(self, request: CaptureRequest) -> StoredCapture:
        """The same for a host that asks its model itself."""
        return StoredCapture(self.component, self._store, request)

    def store_capture_result(
        self, result: CaptureResult, *, expected_revision: str | None, idempotency_key: str = ""
    ) -> OperationReceipt:
        """Store what the host has judged by itself, after the same gate.

        `expected_revision` is that of the cards it was judged on, and has to be said.
        """
        if result.error is not None:
            return receipt_of(None, error=result.error, trace=result.trace)
        if not result.mutations:
            return receipt_of(None, reason=Reason.NOTHING_WORTH_KEEPING, trace=result.trace)
        if expected_revision is None:
            return receipt_of(None, error=Failure(ErrorWord.EXPECTED_REVISION_REQUIRED))
        return self.records.apply(
            result.mutations, idempotency_key=idempotency_key, expected_revision=expected_revision
        )

    def write_one(
        self,
        text: str,
        *,
        summary: str = "",
        bucket: str = "",
        mount: str = DEFAULT_MOUNT,
        idempotency_key: str = "",
    ) -> OperationReceipt:
        """Keep what somebody asked to keep: nobody judges whether it is worth it."""
        made = self.component.write_one(
            text, summary=summary, bucket=bucket, mount=self.scope.check(mount)
        )
        if made.error is not None:
            return receipt_of(None, error=made.error)
        return self.records.apply(made.mutations, idempotency_key=idempotency_key)

    def build_context(self, query: str, *, limit: int = CONTEXT_CARDS) -> ContextResult:
        """The cards that should come to mind in this turn."""
        return self.component.build_context(query, self._store.load().cards, limit=limit)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """What to offer a model."""
        return self.component.tools()

    def invoke_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        *,
        mount: str = DEFAULT_MOUNT,
        idempotency_key: str = "",
    ) -> ToolResult:
        """Answer a model's call, on the cards of this garden; what it writes is stored.

        Mount and key are the host's. With a key a call that comes twice writes once; without one each is new.
        """
        shot = attempted(self._store.load)
        if isinstance(shot, Failure):
            return ToolResult(error=shot)
        result = self.component.invoke_tool(name, arguments, cards=shot.cards, mount=mount)
        if not result.mutations:
            return result
        receipt = self.records.apply(result.mutations, idempotency_key=idempotency_key)
        return replace(result, mutations=(), receipt=receipt, error=receipt.error)

    def check_maintenance(
        self, *, mount: str = DEFAULT_MOUNT, min_pending: int = 1
    ) -> MaintenanceCheck:
        """Whether a consolidation is due; no model is asked."""
        mount = self.scope.check(mount)
        lacks = self._store.lacking(MAINTENANCE)
        read = lacks or read_for_review(self._store, mount)
        if isinstance(read, Failure):
            return MaintenanceCheck(needed=False, reason=str(read.word), error=read)
        shot, ledger = read
        return self.component.check_maintenance(
            shot.cards, ledger, mount=mount, min_pending=min_pending
        )

    def run_maintenance(
        self, request: MaintenanceRequest, *, key_prefix: str = KEY_PREFIX
    ) -> OperationReceipt:
        """Consolidate one batch if it is due, and commit it with the ledger; `cards` are the store's."""
        return self._driven(self.maintenance_session(request, key_prefix=key_prefix))

    async def arun_maintenance(
        self, request: MaintenanceRequest, *, key_prefix: str = KEY_PREFIX
    ) -> OperationReceipt:
        """The same, awaited; the store is not."""
        return await self._adriven(self.maintenance_session(request, key_prefix=key_prefix))

    def maintenance_session(
        self, request: MaintenanceRequest, *, key_prefix: str = KEY_PREFIX
    ) -> StoredMaintenance:
        """The same for a host that asks its model itself."""
        return StoredMaintenance(self.component, self._store, request, key_prefix=key_prefix)

    def migrate(self, request: MigrateRequest) -> OperationReceipt:
        """Put cards of an older form into the present one: those of `allowed_ids`; `cards` are the store's."""
        return self._driven(self.migrate_session(request))

    def migrate_session(self, request: MigrateRequest) -> StoredMigration:
        """The same for a host that asks its model itself."""
        return StoredMigration(self.component, self._store, request)

    def import_session(
        self, request: ImportRequest, progress: Mapping[str, Any] | None = None
    ) -> StoredImport:
        """An import of history into this garden: `begin`, ask, `settle`, and keep `progress`, until None.

        Raises ImportUsageError, and UnsupportedOperation where the store cannot take it.
        """
        scope = self.scope
        lacks = self._store.lacking(NEEDED)
        if lacks:
            raise UnsupportedOperation("an import", lacks.detail.split(","))
        own = replace(
            request,
            tenant=scope.tenant_id,
            owner=scope.memory_owner_id,
            mount=scope.check(request.mount),
            actor=scope.actor or None,
        )
        return StoredImport(
            self.component.import_session(own, progress),
            self._store.store,
            tenant=scope.tenant_id,
            owner=scope.memory_owner_id,
        )

    def manifest(self) -> dict[str, Any]:
        """What component and store can do together, and what is off, for a person."""
        storage = storage_manifest(declared(self._store.store))
        return {**self.component.manifest(), "storage": storage}

    def _driven(self, session: StoredJudgement) -> OperationReceipt:
        self.component.drive(session)
        return cast("OperationReceipt", session.receipt)

    async def _adriven(self, session: StoredJudgement) -> OperationReceipt:
        await self.component.adrive(session)
        return cast("OperationReceipt", session.receipt)
