"""The store port: what recall reads, and what it notes without ever waiting for others who write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memgardend.core.ports.index import TermIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.records import Memory, Project
    from memgardend.core.records.window_recall import Marks, WindowRecall
    from memgardend.core.words import Layer


class RecallStore(TermIndex, Protocol):
    """The store of one garden as recall uses it."""

    def window_recall(self, window_id: str) -> WindowRecall:
        """The state of a window, of one that is not known yet too; what waits in the spool counts."""
        ...

    def note_recall(self, marks: Marks) -> bool:
        """Note marks at once, or, where somebody else writes just now, leave them in the spool (False)."""
        ...

    def fold_recalls(self) -> int:
        """Take what lies in the spool into the store; how many notes that were. Waits for who writes."""
        ...

    def weightiest(
        self, layer: Layer, *, project: str | None, importance: int, limit: int
    ) -> Sequence[Memory]:
        """Active memories of a layer that cover the project, by importance, then newest knowledge."""
        ...

    def live_projects(self, limit: int) -> Sequence[Project]:
        """Projects that an active memory names, by name."""
        ...

    def memories(self, *, ids: Sequence[str]) -> Sequence[Memory]: ...
    def projects(self) -> Sequence[Project]: ...
