"""The store port: records of what was recalled and why the rest was not, without any content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Recall


class RecallLog(Protocol):
    """One record a selection: `injection_record` of `core/editorial/observability.py` makes them."""

    def note_recall(self, recall: Recall) -> None:
        """Keep one record. Raises AssertionError, and keeps nothing, where it could hold content."""
        ...

    def recalls(self, window_id: str | None = None, *, limit: int = 0) -> Sequence[Recall]:
        """Newest first, of one window or of all; limit 0 = all."""
        ...

    def forget_recalls(self, before: int) -> int:
        """Forget the records made before an instant; how many."""
        ...
