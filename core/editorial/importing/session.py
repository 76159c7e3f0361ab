"""An import, batch by batch: whenever it stops, it goes on from the progress that the host kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.dialogue import MAX_RETRIES
from memgardend.core.editorial.importing.batch import ImportBatch, ImportOutcome, Stage
from memgardend.core.editorial.importing.candidates import GROUP_SIZE, add_new
from memgardend.core.editorial.importing.making import BatchMaker, Surroundings
from memgardend.core.editorial.importing.progress import begin, resume
from memgardend.core.editorial.importing.split import ImportUsageError
from memgardend.core.editorial.mutations import Add, Supersede
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals
from memgardend.core.editorial.wording import LOCALES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.editorial.importing.split import Piece
    from memgardend.core.editorial.wording.locale_words import LocaleWords


class ImportSession:
    """Strictly one batch after the other: `next_batch`, ask, store, then `commit`; or `fail`.

    Keep `progress` after each of these. Whoever dies between storing and keeping it gets the same batch again,
    under the same key: a store that knows the key has its cards, and `commit_applied` goes on after them.
    """

    def __init__(
        self,
        request: ImportRequest,
        progress: Mapping[str, Any] | None = None,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        """Begin, or go on from a progress. Raises ImportUsageError when that is another import's."""
        self._request = request
        self._state = begin(request) if progress is None else resume(progress, request)
        self._maker = BatchMaker(
            request=request, max_retries=max_retries, signals=signals, locales=locales
        )
        self._buckets: dict[str, None] = {}
        self._batch: ImportBatch | None = None
        self._pass_over()

    @property
    def progress(self) -> dict[str, Any]:
        """What to keep: plain JSON values."""
        return self._state.to_dict()

    @property
    def mount(self) -> str:
        """Who may see the cards."""
        return self._request.mount

    @property
    def batches_left(self) -> int:
        """Batches still to come, as far as that is known."""
        state = self._state
        unread = [one for one in self._request.pieces if one.offset >= state.cursor]
        notes = len(state.candidates) - state.candidates_cursor
        return sum(not one.is_blank for one in unread) + -(-notes // GROUP_SIZE)

    def next_batch(
        self, existing_cards: Sequence[Mapping[str, Any]] | None = None
    ) -> ImportBatch | None:
        """The next batch, the failed one again, or None when nothing is left.

        `existing_cards` are the garden's cards by now: only these may be merged into or superseded. Raises
        ImportUsageError while a batch is under way.
        """
        if self._batch is not None:
            raise ImportUsageError("a batch is under way", hint="commit or fail it first")
        state = self._state
        around = Surroundings(
            existing_cards=existing_cards, buckets=list(self._buckets), max_cards=self._room()
        )
        if not state.is_read:
            self._batch = self._maker.of_piece(self._piece(), around)
        elif not state.is_written:
            at = state.candidates_cursor
            self._batch = self._maker.of_notes(state.candidates[at : at + GROUP_SIZE], at, around)
        return self._batch

    def commit(self, outcome: ImportOutcome, record_ids: Sequence[str] = ()) -> None:
        """Say that the outcome is stored, or is empty. `record_ids` are those that the store wrote."""
        batch = self._under_way(outcome.key)
        if outcome.error is not None:
            raise ImportUsageError("a failed batch cannot be committed", hint="fail it")
        cards = [one.card for one in outcome.mutations if isinstance(one, Add | Supersede)]
        self._buckets |= dict.fromkeys(one["bucket"] for one in cards if one.get("bucket"))
        self._state.cards_written += len(record_ids) or len(cards)
        self._state.cards_added += sum(isinstance(one, Add) for one in outcome.mutations)
        left_out = add_new(self._state.candidates, outcome.candidates)
        if left_out:
            self._state.skip("max_candidates", offset=batch.position, candidates=left_out)
        self._advance(batch)

    def commit_applied(self, batch: ImportBatch, record_ids: Sequence[str] = ()) -> None:
        """Say that the store had the batch already, with these cards; nothing of it is written again.

        Raises ImportUsageError for notes, which no store has.
        """
        self._under_way(batch.key)
        if not batch.is_stored:
            raise ImportUsageError("notes are in no store", hint="ask for them, and commit")
        self._state.cards_written += len(record_ids)
        self._state.skip("already_applied", offset=batch.position, key=batch.key)
        self._advance(batch)

    def fail(self, outcome: ImportOutcome | ImportBatch, error: str = "") -> None:
        """Say that the batch came to nothing: it stays to be done, and the import should stop here."""
        batch = self._under_way(outcome.key)
        said = outcome.error if isinstance(outcome, ImportOutcome) else None
        attempts = sum(one["attempts"] for one in self._state.failed) + 1
        told = {"offset": batch.position, "key": batch.key, "error": str(error or said or "failed")}
        self._state.failed = [{**told, "attempts": attempts}]
        self._batch = None

    def skip(self, batch: ImportBatch, reason: str) -> None:
        """Go on without a batch, because the host has decided so: it stands among the skipped."""
        self._under_way(batch.key)
        self._state.skip(reason, offset=batch.position, chars=batch.end - batch.position)
        self._advance(batch)

    def _under_way(self, key: str) -> ImportBatch:
        if self._batch is None or self._batch.key != key:
            raise ImportUsageError("this batch is not under way", hint="take `next_batch`")
        return self._batch

    def _advance(self, batch: ImportBatch) -> None:
        state = self._state
        if batch.stage is Stage.GROUP:
            state.candidates_cursor = batch.end
        else:
            state.cursor = batch.end
        state.batches_done += 1
        state.failed = []
        self._batch = None
        self._pass_over()

    def _pass_over(self) -> None:
        """Consume what nobody needs to be asked about: all the rest once there is no room, and blank pieces."""
        state = self._state
        if not self._room() and not state.done:
            notes = len(state.candidates) - state.candidates_cursor
            left = {"chars": state.total - state.cursor, "candidates": notes}
            state.skip("max_total_cards", offset=state.cursor, **left)
            state.cursor, state.candidates_cursor = state.total, len(state.candidates)
        while not state.is_read and (piece := self._piece()).is_blank:
            state.skip("blank_material", offset=piece.offset, chars=len(piece.text))
            state.cursor = piece.end

    def _piece(self) -> Piece:
        """The piece at the cursor. An empty one stands where the next begins, and is passed over with it."""
        return next(one for one in self._request.pieces if one.end > self._state.cursor)

    def _room(self) -> int:
        """Cards that the next batch may write; 0 when the import has all it may have."""
        request = self._request
        if request.max_total_cards is None:
            return request.max_cards
        left = request.max_total_cards - self._state.cards_written
        return max(0, min(request.max_cards, left))
