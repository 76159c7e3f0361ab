"""Workers dream beside the loop; a stop lets rounds end, puts back the rest, and keeps nobody waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.ports import ModelCall, ModelReply
from memgardend.core.words import DreamState, RoundState
from memgardend.daemon.service.crew import Threads
from memgardend.daemon.service.orders import LATE_SECONDS, Orders, WatchedModel
from support.garden import START, ScriptedModel, nothing
from support.serving import QUIET, Serving, Stuck


class HeldModel(ScriptedModel):
    """Answers when the test says so; until then it ticks, as a running program would."""

    def __init__(self) -> None:
        super().__init__(nothing)
        self.asked = threading.Semaphore(0)
        self.answer = threading.Event()

    def ask(self, call: ModelCall, tick: Callable[[], bool]) -> ModelReply:
        self.asked.release()
        while not self.answer.wait(0.005):
            if not tick():
                break
        return super().ask(call, tick)


class Alone:
    """The loop's wait: until a worker wakes it, or in vain a short moment; time passes as it should."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.woken = threading.Event()
        self.patience_seconds = 0.02

    def __call__(self, seconds: float) -> set[Path]:
        self.woken.wait(self.patience_seconds)
        self.woken.clear()
        self.clock.advance(round(seconds * 1000))
        return set()


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Serving, HeldModel, Alone]]:
    clock = ManualClock(START)
    model, wait = HeldModel(), Alone(clock)
    serving = Serving(tmp_path, clock, model, Threads(wait.woken.set), on_disk=True)
    yield serving, model, wait
    model.answer.set()
    for one in serving.service.tended.values():
        one.close()


Held = tuple[Serving, HeldModel, Alone]


def states(serving: Serving) -> list[DreamState]:
    store = serving.open_garden(_place(serving)).store
    found = sorted(one.state for one in store.dreams())
    store.close()
    return found


def _place(serving: Serving) -> Any:
    from memgardend.config.load import load
    from memgardend.daemon.garden import Workspace

    root = serving.folder / "work"
    return Workspace(root, load(root / "memgarden.yaml"), named=True)


def begin(held: Held, windows: int, concurrent: int = 1) -> None:
    """Open, and wait until so many dreams ask their model."""
    serving, model, _ = held
    serving.workspace(yaml=QUIET.replace("dream: {", f"dream: {{max_concurrent: {concurrent}, "))
    serving.service.open()
    for number in range(windows):
        serving.speak(window=f"w{number}", ago_ms=4 * HOUR_MS)
    serving.service.turn()
    for _ in range(concurrent):
        assert model.asked.acquire(timeout=10)


def test_as_many_dreams_run_as_the_settings_allow_and_the_loop_goes_on(held: Held) -> None:
    serving, model, wait = held
    begin(held, windows=3, concurrent=2)
    for _ in range(3):  # the loop turns while both models think
        serving.service.turn()
    assert states(serving) == [DreamState.RUNNING, DreamState.RUNNING]
    assert serving.service.status() == "workspaces: 1 · dreaming: 2"
    model.answer.set()
    for _ in range(200):
        wait.woken.wait(0.05)
        wait.woken.clear()
        serving.service.turn()
        if not serving.tended().dreaming.workers:
            break
    assert states(serving) == [DreamState.EMPTY] * 3


def test_a_stop_lets_the_round_end_and_keeps_its_answer(held: Held) -> None:
    serving, model, wait = held
    begin(held, windows=2)
    wait.patience_seconds = 1.0
    serving.orders.stop()
    model.answer.set()
    serving.service.run(wait)
    assert states(serving) == [DreamState.PENDING]  # and the other window was not claimed
    store = serving.open_garden(_place(serving)).store
    (dream,) = store.dreams()
    rounds = {one.name: one.state for one in store.rounds(dream.id)}
    store.close()
    assert list(rounds.values()) == [RoundState.STAGED, RoundState.PLANNED, RoundState.PLANNED]
    assert dream.attempts == 0
    assert {"STOPPING": 1, "STATUS": "stopping"} in serving.told


def test_a_model_that_thinks_on_is_ended_in_time_and_its_dream_waits_uncounted(held: Held) -> None:
    serving, _, wait = held
    begin(held, windows=1)
    before = serving.clock.monotonic()
    serving.orders.stop()
    serving.service.run(wait)
    assert serving.clock.monotonic() - before <= 15
    store = serving.open_garden(_place(serving)).store
    (dream,) = store.dreams()
    store.close()
    assert (dream.state, dream.attempts, dream.failures) == (DreamState.PENDING, 0, 0)
    assert dream.reason == "the daemon stops"
    assert serving.tended().errors == 0, "to be stopped is no error"


def test_a_second_order_waits_for_nobody(tmp_path: Path) -> None:
    serving = Serving(tmp_path, crew=Stuck())
    serving.workspace()
    serving.service.open()
    serving.speak(ago_ms=4 * HOUR_MS)
    serving.service.turn()
    garden = serving.garden()
    (dream,) = garden.store.dreams()
    now = serving.clock.now_ms()
    assert garden.store.start(dream.id, 1, garden.owner, now, now + 120_000, 1)
    serving.orders.stop()
    serving.orders.stop()
    waits: list[float] = []
    serving.service.run(lambda seconds: waits.append(seconds) or set())  # type: ignore[func-returns-value]
    assert waits == []
    (dream,) = garden.store.dreams()
    assert (dream.state, dream.attempts) == (DreamState.PENDING, 0)


def test_the_watchdog_hears_of_turns_but_not_of_a_loop_with_a_worker_that_hangs(
    tmp_path: Path,
) -> None:
    serving = Serving(tmp_path, crew=Stuck())
    serving.workspace()
    serving.service.open()
    serving.speak(ago_ms=4 * HOUR_MS)
    turns = 0

    def wait(seconds: float) -> set[Path]:
        nonlocal turns
        turns += 1
        for worker in serving.tended().dreaming.workers.values():
            if worker.model.asked_at is None:
                worker.model.asked_at = serving.clock.monotonic()
        serving.clock.advance(60_000)
        if turns == 30:
            serving.orders.stop()
            serving.orders.stop()
        return set()

    serving.service.run(wait)
    pings = sum("WATCHDOG" in one for one in serving.told)
    assert pings == 10 + int(LATE_SECONDS // 60) + 1  # timeout_minutes: 10
    assert serving.told[0] == {"READY": 1}


def test_a_watched_model_asks_nothing_once_the_daemon_stops() -> None:
    clock = ManualClock(START)
    orders = Orders(clock, lambda: None)
    model = ScriptedModel()
    watched = WatchedModel(model, orders, clock, 60.0)
    orders.stop()
    with pytest.raises(Exception, match="the daemon stops"):
        watched.ask(None, lambda: True)  # type: ignore[arg-type]
    assert model.calls == []
