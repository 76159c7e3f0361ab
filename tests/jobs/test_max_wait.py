"""A conversation that never goes quiet: dreamed up to its last pause, and read no further than that takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import MINUTE_MS
from memgardend.core.records import Event
from memgardend.core.words import Ending
from memgardend.jobs.sweep import sweep
from support.conversation import say, window_id
from support.garden import START, ScriptedModel, make_garden

TURNS = 3_000
NEVER_QUIET = "dream: {suppress_windows: [], max_wait_hours: 1}\n"


def test_it_is_dreamed_to_its_last_pause_and_read_no_further_than_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden = make_garden(tmp_path, model=ScriptedModel(), yaml=NEVER_QUIET)
    pause_at = START - 90 * MINUTE_MS
    say(garden.store, "w", *(f"turn {number}" for number in range(TURNS)), at=pause_at)
    say(garden.store, "w", "I am back.", "Now to the port.", at=START)
    read: list[int] = []
    events = garden.store.events

    def counted(*args: Any) -> Any:
        found: list[Event] = list(events(*args))
        read.append(len(found))
        return found

    monkeypatch.setattr(garden.store, "events", counted)
    dreams = sweep(garden).dreams
    assert {one.ending for one in dreams} == {Ending.EMPTY}
    window = garden.store.window(window_id("w"))
    assert window is not None
    assert (window.dreamed_seq, window.last_seq) == (TURNS, TURNS + 2)
    assert len(dreams) > 5
    assert (
        sum(read) < 4 * TURNS
    )  # for plans, views and judgements; the whole rest each time would be seven
