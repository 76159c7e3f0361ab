"""What was written is read from the store before anybody is told that it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memgardend.core.ports import Store
    from memgardend.core.records import Memory


def read_back(
    store: Store, memory_id: str, alike: Sequence[str]
) -> tuple[Memory, tuple[Memory, ...]]:
    """The memory as it is stored, and those that are like it. Raises StoreError when it is not there."""
    memory = store.memory(memory_id)
    if memory is None:
        raise StoreError(f"memory {memory_id} was written and is gone", hint="memgardend doctor")
    return memory, tuple(store.memories(ids=alike)) if alike else ()
