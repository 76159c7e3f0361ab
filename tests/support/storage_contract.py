"""The contract of `StoragePort` as named checks, so that any store can be put to it, and a broken one named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memgardend.core.clock import ManualClock
from memgardend.core.ports.library import (
    ApplyResult,
    MutationRejected,
    StoragePort,
)

START_MS = 1_796_083_200_000  # 2026-12-01T00:00:00Z
START, NEXT = "2026-12-01T00:00:00Z", "2026-12-01T00:01:00Z"
MINUTE_MS = 60_000

Check = Callable[["Subject"], None]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    CHECKS[function.__name__] = function
    return function


class Subject:
    """A new, empty store under test, with the clock that drives it."""

    def __init__(self, make: Callable[[ManualClock], StoragePort]) -> None:
        self.clock = ManualClock(START_MS)
        self.store = make(self.clock)
        self._keys = 0

    def write(self, *mutations: Mapping[str, Any], owner: str = "ann", **how: Any) -> ApplyResult:
        """Apply under a new key, unless one is given."""
        self._keys += 1
        how.setdefault("idempotency_key", f"key-{self._keys}")
        return self.store.apply("t", list(mutations), owner=owner, **how)

    def add(self, summary: str = "tea", owner: str = "ann", **card: Any) -> str:
        full = {"summary": summary, "content": f"{summary}.", "source": "chat", **card}
        return str(self.write({"op": "add", "card": full}, owner=owner).results[0]["id"])

    def cards(self, owner: str = "ann") -> dict[str, dict[str, Any]]:
        """All cards by id, retired ones included."""
        snapshot = self.store.load("t", owner=owner, include_archived=True, include_superseded=True)
        return {card["id"]: card for card in snapshot.cards}

    def active(self, owner: str = "ann") -> list[str]:
        return [card["id"] for card in self.store.load("t", owner=owner).cards]

    def revision(self, owner: str = "ann") -> str:
        return self.store.load("t", owner=owner).revision

    def seeds(self) -> dict[str, int]:
        return dict(self.store.load("t", owner="ann").seed_generations)

    def refused(self, *mutations: Mapping[str, Any], reason: str, **how: Any) -> None:
        """The batch is rejected for this reason, and leaves no trace."""
        before = (self.cards(), self.revision(), self.seeds(), self.ledger())
        try:
            self.write(*mutations, **how)
        except MutationRejected as rejected:
            assert rejected.reason == reason, rejected.reason
        else:
            raise AssertionError(f"the store took what it has to refuse: {reason}")
        assert (self.cards(), self.revision(), self.seeds(), self.ledger()) == before

    def ledger(self, mount: str = "agent-private") -> dict[str, Any]:
        return self.store.maintenance_state("t", owner="ann", mount=mount)


def raises(wanted: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except wanted:
        return
    raise AssertionError(f"no {wanted.__name__}")


def supersede(*targets: str, summary: str = "new", **card: Any) -> dict[str, Any]:
    full = {"summary": summary, "content": f"{summary}.", "source": "chat", **card}
    return {"op": "supersede", "target_ids": list(targets), "card": full}
