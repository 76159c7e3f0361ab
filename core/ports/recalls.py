"""The store port: records of what was recalled and why the rest was not, without any content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Recall


class RecallLog(Protocol):
    """One record a recall, which came with its marks (`note_marks`)."""

    def recalls(self, window_id: str | None = None, *, limit: int = 0) -> Sequence[Recall]:
        """Newest first, of one window or of all, what waits in the spool too; limit 0 = all."""
        ...

    def forget_recalls(self, before: int) -> int:
        """Forget the records made before an instant; how many."""
        ...
