"""Makes the batches of an import: the same stretch is always the same batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.importing.batch import ImportBatch, Stage, batch_key
from memgardend.core.editorial.importing.candidates import notes_text
from memgardend.core.editorial.importing.progress import digest
from memgardend.core.editorial.importing.reading import ReadingSession
from memgardend.core.editorial.importing.request import Strategy
from memgardend.core.editorial.results import CaptureRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.editorial.importing.split import Piece
    from memgardend.core.editorial.text_gate import LeakSignals
    from memgardend.core.editorial.wording.locale_words import LocaleWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a batch is judged beside: the garden by now, the buckets of this run, and the cards still allowed."""

    existing_cards: Sequence[Mapping[str, Any]] | None
    buckets: Sequence[str]
    max_cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchMaker:
    """Makes batches of one import."""

    request: ImportRequest
    max_retries: int
    signals: LeakSignals
    locales: Mapping[str, LocaleWords]

    def of_piece(self, piece: Piece, around: Surroundings) -> ImportBatch:
        """A piece of material: its cards, or its notes in an import by notes."""
        by_notes = self.request.strategy == Strategy.BY_NOTES
        stage = Stage.NOTES if by_notes else Stage.CARDS
        window = f"{_heading(piece)}{piece.text}"
        return self._batch(stage, piece.offset, piece.end, window, piece.label, around)

    def of_notes(
        self, notes: Sequence[Mapping[str, Any]], position: int, around: Surroundings
    ) -> ImportBatch:
        """Some of the notes, from this position among them on: their cards."""
        end = position + len(notes)
        return self._batch(Stage.GROUP, position, end, notes_text(notes), "", around)

    def _batch(
        self, stage: Stage, position: int, end: int, window: str, label: str, around: Surroundings
    ) -> ImportBatch:
        request = self.request
        key = batch_key(request.key_prefix, request.fingerprint, stage, position, window)
        asked = self._capture(window, key, around)
        judge = ReadingSession if stage is Stage.NOTES else CaptureSession
        return ImportBatch(
            stage=stage,
            position=position,
            end=end,
            key=key,
            request_digest=digest(request.fingerprint, stage, position, window),
            label=label,
            fallback_date=request.fallback,
            dialogue=judge(
                asked, max_retries=self.max_retries, signals=self.signals, locales=self.locales
            ),
        )

    def _capture(self, window: str, key: str, around: Surroundings) -> CaptureRequest:
        request = self.request
        existing = around.existing_cards
        return CaptureRequest(
            window=window,
            locale=request.locale,
            policy=request.policy,
            keep_specifics=request.keep_specifics,
            mount=request.mount,
            actor=request.actor,
            buckets="\n".join(around.buckets) if existing is None else "",
            identity=request.identity,
            existing_cards=None if existing is None else list(existing),
            ai_name=request.ai_name,
            user_name=request.user_name,
            naming_rule=request.naming_rule,
            material_kind=request.material_kind,
            source=request.source,
            max_cards=around.max_cards,
            host_note=request.host_note,
            idempotency_key=key,
        )


def _heading(piece: Piece) -> str:
    """What the host knows of a section, as its first line."""
    dates = " – ".join(dict.fromkeys(filter(None, (piece.occurred_from, piece.occurred_to))))
    told = ", ".join(filter(None, (piece.label, dates)))
    return f"[{told}]\n" if told else ""
