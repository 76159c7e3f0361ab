"""What recall asks of a store costs the same among four hundred memories and among two thousand.

Measured in steps of SQLite's machine, which no other load on this computer changes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memgardend.core.ports import Store
from memgardend.core.records.window_recall import Marks
from memgardend.core.scope import GLOBAL, Scope
from memgardend.core.words import Layer, Use
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import SqliteGarden
from memgardend.daemon.store.driver import Database
from memgardend.daemon.store.migrations import initialise
from support.recalling import Agent, keep, known, project
from support.stores import NOW

STEP = 10
NAMED = 5
"""So many memories name the project that is asked for, however many there are."""


class Measured:
    """A store with so many memories, and how much work a call is for it."""

    def __init__(self, memories: int) -> None:
        database = Database.open(None)
        initialise(database, NoFailpoints())
        self.store: Store = SqliteGarden(database, "garden", NoFailpoints())
        self._steps = 0
        database._connection.set_progress_handler(self._count, STEP)
        for name in ("p1", "p2"):
            project(self.store, name)
        layers = (Layer.USER, Layer.FACT, Layer.RULES)
        keep(
            self.store,
            *(
                known(
                    f"m{n}",
                    keywords=(f"word{n}", "often"),
                    layer=layers[n % 3],
                    scope=Scope.of("p1") if n < NAMED else (GLOBAL, Scope.of("p2"))[n % 2],
                    importance=2,
                )
                for n in range(memories)
            ),
        )

    def work(self, call: Callable[[Store], object]) -> int:
        self._steps = 0
        call(self.store)
        return self._steps

    def _count(self) -> None:
        self._steps += 1


def marks(window: str) -> Marks:
    return Marks(window=window, at=NOW, used={Use.SEARCHED: ("m1", "m2")}, anchor="p1")


def second_message(store: Store) -> None:
    agent = Agent(store, "claude-code:b", project="p1")
    agent.hears()
    assert agent.shown("tell me about word4") == ("m4",)


CALLS: dict[str, Callable[[Store], object]] = {
    "the state of a window": lambda store: store.window_recall("event:a"),
    "marks": lambda store: store.note_marks(marks("event:b")),
    "the weightiest": lambda store: store.weightiest(
        Layer.RULES, project=None, importance=2, limit=20
    ),
    "what names a project": lambda store: store.naming(["p1"], 20),
    "the projects": lambda store: store.live_projects(),
    "a block": lambda store: Agent(store, "claude-code:a").hears(),
    "a block and a hit": second_message,
}


@pytest.fixture(scope="module")
def few() -> Measured:
    return Measured(400)


@pytest.fixture(scope="module")
def many() -> Measured:
    return Measured(2000)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_the_work_does_not_grow_with_the_store(
    few: Measured, many: Measured, call: Callable[[Store], object]
) -> None:
    assert many.work(call) <= 2 * few.work(call) + 10
