"""A person asks for a dream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.errors import BusyError
from memgardend.core.ports import ModelReply
from memgardend.core.words import Ending, Outcome
from memgardend.jobs.manual import dream_window
from support.conversation import keep_all, say, window_id
from support.garden import START, ScriptedModel, make_garden

MAIL = window_id("mail")


def test_idle_time_does_not_hold_it(tmp_path: Path) -> None:
    garden = make_garden(tmp_path, model=ScriptedModel(keep_all()))
    say(garden.store, "mail", "The staging port is 8080.", at=START)
    assert dream_window(garden, MAIL).ending == Ending.APPLIED
    assert garden.store.dreams()[0].overrode == ("active",)
    garden.store.close()


def test_another_gate_does_and_is_named(tmp_path: Path) -> None:
    garden = make_garden(tmp_path, model=ScriptedModel(keep_all()))
    say(garden.store, "mail", "The staging port is 8080.", at=START)
    dream_window(garden, MAIL)
    with pytest.raises(BusyError, match="nothing_new") as error:
        dream_window(garden, MAIL)
    assert error.value.hint == f"memgardend why {MAIL}"
    garden.store.close()


def test_a_failed_dream_goes_on_once_its_instant_has_come(tmp_path: Path) -> None:
    down = [True]

    def script(request: dict[str, Any]) -> Any:
        return ModelReply(outcome=Outcome.EXIT) if down[0] else keep_all()(request)

    clock = ManualClock(START)
    garden = make_garden(tmp_path, clock=clock, model=ScriptedModel(script))
    say(garden.store, "mail", "The staging port is 8080.", at=START - 4 * HOUR_MS)
    failed = dream_window(garden, MAIL)
    assert failed.ending == Ending.MODEL_UNAVAILABLE
    with pytest.raises(BusyError, match="backoff"):
        dream_window(garden, MAIL)
    clock.advance(HOUR_MS)
    down[0] = False
    again = dream_window(garden, MAIL)
    assert (again.dream, again.ending) == (failed.dream, Ending.APPLIED)
    garden.store.close()
