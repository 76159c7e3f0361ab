"""An import into a store, in the order in which nothing is lost and nothing written twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.mutations import Add, NoOp, mutation_to_dict
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.seeds import of_mount
from memgardend.core.ports.library import (
    IdempotencyConflict,
    MutationRejected,
    RevisionConflict,
)

if TYPE_CHECKING:
    from memgardend.core.editorial.importing.batch import ImportBatch, ImportOutcome
    from memgardend.core.editorial.importing.session import ImportSession
    from memgardend.core.ports.library import ApplyResult, StoragePort


class StoredImport:
    """`begin` a batch, ask the model, `settle` it, and keep the session's progress; until `begin` gives None.

    What the model or the store refuses is noted as failed, and the same batch comes again. Errors of the store
    as a whole are raised, and lose nothing: whoever goes on from the progress kept last goes on after the last
    batch that the store has.
    """

    def __init__(
        self, session: ImportSession, store: StoragePort, *, tenant: str, owner: str | None = None
    ) -> None:
        self._session = session
        self._store = store
        self._tenant = tenant
        self._owner = owner
        self._revision = ""

    @property
    def progress(self) -> dict[str, Any]:
        """What to keep: plain JSON values."""
        return self._session.progress

    @property
    def batches_left(self) -> int:
        """Batches still to come, as far as that is known."""
        return self._session.batches_left

    def begin(self) -> ImportBatch | None:
        """The next batch that a model must be asked about; those that the store has already are passed over."""
        while True:
            shot = self._store.load(self._tenant, owner=self._owner)
            batch = self._session.next_batch(of_mount(shot.cards, self._session.mount))
            if batch is None:
                return None
            known = self._receipt(batch)
            if known is None:
                self._revision = shot.revision
                return batch
            self._session.commit_applied(batch, _written(known))

    def settle(self, batch: ImportBatch) -> None:
        """Store what the batch came to, and tell the session."""
        outcome = batch.result
        if outcome is None or outcome.error is not None:
            self._session.fail(outcome or batch)
        elif not batch.is_stored:
            self._session.commit(outcome)
        else:
            self._store_it(batch, outcome)

    def _store_it(self, batch: ImportBatch, outcome: ImportOutcome) -> None:
        """Write under the key of the batch; an outcome without cards leaves a receipt all the same."""
        judged_others = not all(isinstance(one, Add) for one in outcome.mutations)
        try:
            applied = self._store.apply(
                self._tenant,
                [mutation_to_dict(one) for one in outcome.mutations or (NoOp(),)],
                owner=self._owner,
                idempotency_key=batch.key,
                expected_revision=self._revision if judged_others else None,
                request_digest=batch.request_digest,
            )
        except (
            IdempotencyConflict
        ):  # a store without receipts has it, in the words of an earlier reply
            self._session.commit_applied(batch)
        except RevisionConflict:
            self._session.fail(outcome, ErrorWord.REVISION_CONFLICT)
        except MutationRejected as error:
            self._session.fail(outcome, Failure(ErrorWord.MUTATION_REJECTED, error.reason))
        else:
            self._session.commit(outcome, _written(applied))

    def _receipt(self, batch: ImportBatch) -> ApplyResult | None:
        if not (batch.is_stored and self._store.capabilities().supports_request_receipts):
            return None
        return self._store.request_receipt(
            self._tenant,
            owner=self._owner,
            idempotency_key=batch.key,
            request_digest=batch.request_digest,
        )


def _written(applied: ApplyResult) -> list[str]:
    return [row["id"] for row in applied.results if row.get("id")]
