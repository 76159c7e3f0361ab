"""Judgements for hosts that ask their model themselves, or by which a component asks its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.capture import CaptureSession
from memgardend.core.editorial.dialogue import MAX_RETRIES
from memgardend.core.editorial.importing.session import ImportSession
from memgardend.core.editorial.maintenance import MaintenanceSession
from memgardend.core.editorial.migrating import MigrateSession
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.importing.request import ImportRequest
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords


class HostDriven:
    """Begins sessions: while one has a `next_prompt`, `feed` the reply, or `fail`; then take its `result`.

    `signals`: what the host knows of its own protocol; `locales`: those there are words for.
    """

    def __init__(
        self,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        self.signals = signals
        self.locales = locales
        self._max_retries = max_retries

    def capture_session(
        self, request: CaptureRequest, *, feedback: Sequence[str] = ()
    ) -> CaptureSession:
        """A capture. Raises UnknownPolicyError."""
        return CaptureSession(
            request,
            max_retries=self._max_retries,
            signals=self.signals,
            locales=self.locales,
            feedback=feedback,
        )

    def maintenance_session(self, request: MaintenanceRequest) -> MaintenanceSession:
        """A consolidation."""
        return MaintenanceSession(
            request, max_retries=self._max_retries, signals=self.signals, locales=self.locales
        )

    def migrate_session(self, request: MigrateRequest) -> MigrateSession:
        """An upgrade of cards of an older form."""
        return MigrateSession(
            request, max_retries=self._max_retries, signals=self.signals, locales=self.locales
        )

    def import_session(
        self, request: ImportRequest, progress: Mapping[str, Any] | None = None
    ) -> ImportSession:
        """An import of history, batch by batch. Raises ImportUsageError for a progress of another import."""
        return ImportSession(
            request,
            progress,
            max_retries=self._max_retries,
            signals=self.signals,
            locales=self.locales,
        )

    def gate(self) -> TextGate:
        """What every text of a card is held against."""
        return TextGate(signals=self.signals)
