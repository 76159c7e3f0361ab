"""The store port: edits of memories outside of dreams, each request in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memgardend.core.records import EditRequest, Edits, GardenReading, Memory
    from memgardend.core.words import Status


class GardenView(Protocol):
    """The garden as it is inside a transaction."""

    @property
    def revision(self) -> int: ...
    def memory(self, memory_id: str) -> Memory | None: ...
    def replaced_by(self, memory_id: str) -> Sequence[str]:
        """Ids of the memories that it took the place of."""
        ...

    def active_ids(self) -> frozenset[str]: ...
    def state(self, key: str) -> str | None: ...


class EditStore(Protocol):
    """Edits by request, and what has to be read for them."""

    def edit(self, request: EditRequest, decide: Callable[[GardenView], Edits]) -> str:
        """Let `decide` look at the garden and write what it says, all in one transaction; the result.

        A key that is known gives its stored result, and `decide` is not asked. `decide` must be quick and have no
        effect; it may read from this store, and what it raises leaves nothing behind. Raises IdempotencyConflict
        for a key with another digest, then RevisionConflict when `expected_revision` is not the current one.
        """
        ...

    def read_garden(
        self,
        *,
        statuses: Iterable[Status] = (),
        ids: Iterable[str] | None = None,
        state_prefix: str,
    ) -> GardenReading:
        """Memories by (created_at, id), the revision, and the state whose keys start with the prefix."""
        ...
