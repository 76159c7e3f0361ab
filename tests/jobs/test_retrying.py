"""A person lets dreams start again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.errors import MemgardendError
from memgardend.core.ports import ModelReply
from memgardend.core.words import Ending, Outcome
from memgardend.jobs.context import Garden
from memgardend.jobs.retrying import retry_dreams
from memgardend.jobs.sweep import sweep
from support.conversation import say, window_id
from support.garden import QUIET_MS, START, ScriptedModel, make_garden, nothing


def failing(tmp_path: Path, broken: list[bool], max_attempts: int = 1) -> Garden:
    """Two windows whose dreams fail as long as `broken` says so."""

    def script(request: dict[str, Any]) -> Any:
        return "no JSON" if broken[0] else nothing(request)

    dream = f"dream: {{suppress_windows: [], max_attempts: {max_attempts}}}\n"
    garden = make_garden(tmp_path, model=ScriptedModel(script), yaml=dream)
    for name in ("mail", "notes"):
        say(garden.store, name, "The staging port is 8080.", at=START - QUIET_MS)
    sweep(garden)
    return garden


def test_all_that_was_set_aside_is_tried_again_with_all_its_attempts(tmp_path: Path) -> None:
    broken = [True]
    garden = failing(tmp_path, broken)
    assert sweep(garden).dreams == []
    broken[0] = False
    retried = retry_dreams(garden.store, START)
    assert {(one.state, one.attempts) for one in retried} == {("quarantined", 1)}
    assert {one.ending for one in sweep(garden).dreams} == {Ending.EMPTY}
    assert retry_dreams(garden.store, START) == []
    garden.store.close()


def test_one_window_is_tried_before_its_instant(tmp_path: Path) -> None:
    broken = [True]
    garden = failing(tmp_path, broken, max_attempts=5)
    broken[0] = False
    (retried,) = retry_dreams(garden.store, START, window_id("mail"))
    assert (retried.state, retried.window) == ("failed", window_id("mail"))
    (report,) = sweep(garden).dreams
    assert (report.window, report.ending) == (window_id("mail"), Ending.EMPTY)
    assert isinstance(garden.clock, ManualClock)
    garden.clock.advance(HOUR_MS)
    assert [one.window for one in sweep(garden).dreams] == [window_id("notes")]
    garden.store.close()


@pytest.mark.parametrize("works", [True, False])
def test_who_logged_in_again_need_not_wait_for_the_breaker(tmp_path: Path, works: bool) -> None:
    answers = [False]

    def script(request: dict[str, Any]) -> Any:
        return nothing(request) if answers[0] else ModelReply(outcome=Outcome.LOGIN)

    garden = make_garden(tmp_path, model=ScriptedModel(script))
    for name in "abcd":
        say(garden.store, name, "The staging port is 8080.", at=START - QUIET_MS)
    assert len(sweep(garden).dreams) == 3
    answers[0] = works
    assert len(retry_dreams(garden.store, START)) == 3
    tried = [one.ending for one in sweep(garden).dreams if one.ending is not Ending.HELD]
    assert tried == ([Ending.EMPTY] * 4 if works else [Ending.MODEL_UNAVAILABLE])
    garden.store.close()


def test_a_window_without_such_a_dream_is_an_error(tmp_path: Path) -> None:
    garden = failing(tmp_path, [False])
    with pytest.raises(MemgardendError, match="no dream that failed, was set aside") as error:
        retry_dreams(garden.store, START, window_id("mail"))
    assert error.value.hint == f"memgardend why {window_id('mail')}"
    assert error.value.exit_code == 1
    garden.store.close()
