"""The store port: what recall reads, and what it notes without ever waiting for others who write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memgardend.core.ports.index import TermReading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memgardend.core.records import Memory, Project
    from memgardend.core.records.window_recall import Marks, WindowRecall
    from memgardend.core.words import Layer


class RecallStore(TermReading, Protocol):
    """The store of one garden as recall uses it."""

    def window_recall(self, window_id: str) -> WindowRecall:
        """The state of a window, of one that nobody knows yet too; what waits in the spool counts."""
        ...

    def note_marks(self, marks: Marks) -> bool:
        """Note marks with their record at once, or, where somebody else writes, leave them in the spool (False).

        Raises AssertionError, and notes nothing, where the record could hold content.
        """
        ...

    def fold_marks(self) -> int:
        """Take what lies in the spool into the store; how many marks that were. Waits for who writes."""
        ...

    def weightiest(
        self, layer: Layer, *, project: str | None, importance: int, limit: int
    ) -> Sequence[Memory]:
        """Active memories of a layer that cover the project, by importance, then newest knowledge, then id."""
        ...

    def naming(self, projects: Iterable[str], limit: int) -> Sequence[Memory]:
        """Active memories and finished todos whose scope names one of the projects, newest knowledge first."""
        ...

    def live_projects(self) -> Sequence[Project]:
        """The projects that an active memory names, by name."""
        ...

    def memories(self, *, ids: Iterable[str] | None = None) -> Sequence[Memory]: ...
    def projects(self) -> Sequence[Project]: ...
