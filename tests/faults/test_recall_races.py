"""Many recalls at once while a dream commits: nobody waits for the write lock, nothing fails, no mark is lost."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from memgardend.core.clock import ManualClock
from memgardend.core.recall.window import seen
from memgardend.core.words import Layer
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store
from support.recalling import Agent, keep, known
from support.stores import NOW, SqliteFactory, change, commit_of, dreaming, stage_all

RECALLS = 50
PATIENCE_S = 60
ENDLESS_MS = 3_600_000
"""A recall that waited for who writes would not be back before the test gives up."""


class Halts(NoFailpoints):
    """Stops in the middle of a commit until it may go on."""

    def __init__(self) -> None:
        self.is_inside = Event()
        self.may_go_on = Event()

    def hit(self, name: str) -> None:
        if name == "commit.inside":
            self.is_inside.set()
            assert self.may_go_on.wait(PATIENCE_S)


def talk(path: Path, window: str) -> tuple[str, ...]:
    """A first message, a second one and a search, on a connection of its own; what was shown."""
    store = open_store(
        path, "garden", clock=ManualClock(NOW), failpoints=NoFailpoints(), create=False
    )
    store.set_patience(ENDLESS_MS)
    try:
        agent = Agent(store, window)
        block = agent.hears()
        assert block is not None
        return (*block.ids, *agent.shown("kubernetes"), *agent.finds("terraform"))
    finally:
        store.close()


def committed(path: Path, halts: Halts) -> bool:
    """A dream that halts while it holds the lock."""
    store = open_store(path, "garden", clock=ManualClock(NOW), failpoints=halts, create=False)
    try:
        lease = dreaming(store)
        stage_all(store, lease)
        new = known("new", keywords=("kubernetes",))
        return store.commit(commit_of(lease, change(None, new))).committed
    finally:
        store.close()


def test_fifty_recalls_at_once_while_a_dream_commits(factory: SqliteFactory) -> None:
    store = factory.open()
    keep(
        store,
        known("soul", layer=Layer.SOUL),
        known("hit", keywords=("kubernetes",)),
        known("found", keywords=("terraform",)),
    )
    halts = Halts()
    windows = [f"claude-code:{n}" for n in range(RECALLS)]
    with ThreadPoolExecutor(RECALLS + 1) as pool:
        dream = pool.submit(committed, factory.path, halts)
        assert halts.is_inside.wait(PATIENCE_S)
        try:
            talks = pool.map(lambda window: talk(factory.path, window), windows, timeout=PATIENCE_S)
            shown = list(talks)
        finally:
            halts.may_go_on.set()
        assert dream.result()
    assert shown == [("soul", "hit", "found")] * RECALLS
    states = {window: store.window_recall(window) for window in windows}
    records = store.recalls()
    assert Counter(one.window for one in records) == dict.fromkeys(windows, 3)
    assert store.fold_marks() == 3 * RECALLS
    assert store.fold_marks() == 0
    assert store.recalls() == records
    for window, state in states.items():
        assert seen(state) == {"soul", "hit", "found"}
        assert store.window_recall(window) == state
    assert store.violations() == []


def test_recalls_that_meet_each_other_lose_nothing(factory: SqliteFactory) -> None:
    store = factory.open()
    keep(store, *(known(f"m{n}", keywords=("kubernetes",)) for n in range(9)))
    windows = [f"claude-code:{n % 5}" for n in range(RECALLS)]
    with ThreadPoolExecutor(RECALLS) as pool:
        shown = list(pool.map(lambda window: search(factory.path, window), windows))
    store.fold_marks()
    for window in set(windows):
        expected = {
            one for at, ids in zip(windows, shown, strict=True) if at == window for one in ids
        }
        assert seen(store.window_recall(window)) == expected


def search(path: Path, window: str) -> list[str]:
    store = open_store(
        path, "garden", clock=ManualClock(NOW), failpoints=NoFailpoints(), create=False
    )
    try:
        return Agent(store, window).finds("kubernetes", k=6)
    finally:
        store.close()
