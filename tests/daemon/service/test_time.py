"""The loop wakes at the very instant, and no sleep of the machine or step of its clock confuses it."""

from __future__ import annotations

from pathlib import Path

from memgardend.core.clock import HOUR_MS, MINUTE_MS, ManualClock
from memgardend.core.words import DreamState
from memgardend.daemon.service.cadence import Cadence, Leaps
from memgardend.daemon.service.dreaming import RETRY_MS
from memgardend.jobs.sweep import next_instant
from support.conversation import keep_all
from support.garden import START, ScriptedModel, owner
from support.serving import QUIET, Serving, Stuck


def test_the_loop_sleeps_until_the_very_instant(tmp_path: Path) -> None:
    serving = Serving(tmp_path, model=ScriptedModel(keep_all()))
    serving.workspace(yaml=QUIET.replace("dream: {", "dream: {check_minutes: 1000, "))
    serving.service.open()
    serving.speak(ago_ms=12_345)
    serving.pass_time(4 * HOUR_MS)
    (dream,) = serving.garden().store.dreams()
    assert dream.started_at == START - 12_345 + 3 * HOUR_MS


def test_without_news_the_loop_looks_twice_a_minute_and_writes_once(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    serving.workspace()
    serving.service.open()
    assert 0 < serving.service.wait_seconds() <= 30
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1

    serving.pass_time(HOUR_MS, count)
    assert turns <= 2 * 60 + 5


def test_memory_is_given_back_after_work_and_at_no_other_time(tmp_path: Path) -> None:
    rests: list[int] = []
    serving = Serving(tmp_path, rest=lambda: rests.append(serving.clock.now_ms()))
    serving.workspace()
    serving.service.open()
    serving.turn()  # the daily copy is work, too
    assert set(rests) == {START}
    serving.speak()
    serving.pass_time(2 * HOUR_MS)
    assert set(rests) == {START}
    serving.pass_time(2 * HOUR_MS)
    (dream,) = serving.garden().store.dreams()
    assert set(rests) == {START, dream.finished_at}


def test_a_long_sleep_is_one_catch_up(tmp_path: Path) -> None:
    serving = Serving(tmp_path, model=ScriptedModel(keep_all()))
    serving.workspace()
    serving.service.open()
    serving.speak()
    serving.turn()
    serving.clock.suspend(9 * HOUR_MS)
    sweeps: list[int] = []
    serving.pass_time(5 * MINUTE_MS, lambda: sweeps.append(len(serving.model.calls)))
    (dream,) = serving.garden().store.dreams()
    assert dream.started_at == START + 9 * HOUR_MS
    assert len(serving.model.calls) == 2  # atomic and topic, once


def test_a_machine_that_wakes_does_not_steal_its_own_dream(tmp_path: Path) -> None:
    serving = Serving(tmp_path, crew=Stuck())
    serving.workspace()
    serving.service.open()
    serving.speak(ago_ms=4 * HOUR_MS)
    serving.turn()
    garden = serving.garden()
    (dream,) = garden.store.dreams()
    started = garden.store.start(
        dream.id, 1, garden.owner, serving.clock.now_ms(), serving.clock.now_ms() + 120_000, 1
    )
    assert started is not None
    for leap in (serving.clock.suspend, serving.clock.step):
        leap(HOUR_MS)
        serving.turn()
        (dream,) = garden.store.dreams()
        assert (dream.state, dream.fence, dream.deaths) == (DreamState.RUNNING, 1, 0)
        assert dream.lease_until == serving.clock.now_ms() + 120_000


def test_a_dream_of_a_dead_process_is_healed_at_once_and_goes_on(tmp_path: Path) -> None:
    serving = Serving(
        tmp_path, model=ScriptedModel(keep_all()), is_gone=lambda who: who.host == "dead"
    )
    serving.workspace()
    serving.service.open()
    garden = serving.garden()
    serving.speak(ago_ms=2 * HOUR_MS)
    now = serving.clock.now_ms()
    window = garden.store.window_facts()[0].window
    assert garden.store.claim(window.id, window.rev, "d1", now, manual=True)
    assert garden.store.start("d1", window.rev, owner("dead"), now, now + 120_000, 1)
    serving.clock.advance(MINUTE_MS)  # long before the lease ends
    serving.turn()
    (dream,) = garden.store.dreams()
    assert (dream.state, dream.fence, dream.deaths) == (DreamState.APPLIED, 2, 1)


def test_what_is_due_but_held_by_another_process_waits_a_minute(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    serving.workspace()
    serving.service.open()
    garden = serving.garden()
    for window in ("a", "b"):
        serving.speak(window=window, ago_ms=4 * HOUR_MS)
    now = serving.clock.now_ms()
    other = garden.store.window_facts("event:a")[0].window
    assert garden.store.claim(other.id, other.rev, "d1", now)
    assert garden.store.start("d1", other.rev, owner("b"), now, now + HOUR_MS, 1)
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1

    serving.pass_time(10 * RETRY_MS, count)
    assert turns < 50
    assert next_instant(garden) is not None
    assert [one.state for one in garden.store.dreams()] == [DreamState.PENDING, DreamState.RUNNING]


def test_a_cadence_is_late_but_never_twice() -> None:
    minute = Cadence(MINUTE_MS)
    assert minute.due(START)
    minute.done(START)
    assert not minute.due(START + MINUTE_MS - 1)
    assert minute.due(START + 10 * MINUTE_MS)
    minute.done(START + 10 * MINUTE_MS)
    assert not minute.due(START + 10 * MINUTE_MS + 1)
    assert minute.due(START)  # the clock went back: it does not wait for ten minutes


def test_leaps_tell_sleep_from_a_clock_that_was_set() -> None:
    clock = ManualClock(START)
    leaps = Leaps(clock)
    clock.advance(HOUR_MS)
    assert leaps.since_last() == (0.0, 0.0)
    clock.suspend(HOUR_MS)
    assert leaps.since_last() == (3600.0, 0.0)
    clock.step(-MINUTE_MS)
    assert leaps.since_last() == (0.0, -60.0)
    assert leaps.since_last() == (0.0, 0.0)
