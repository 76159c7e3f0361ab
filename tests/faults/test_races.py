"""Many processes at once on one store: one dream a window, nobody fails, nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from memgardend.core.clock import HOUR_MS, SystemClock
from memgardend.core.words import DreamState
from support import racer
from support.conversation import say
from support.garden import make_garden

ROOT = Path(__file__).parents[2]


def race(folder: Path, processes: int, windows: int) -> None:
    """Let the processes start together on windows that are all due; check every window once."""
    clock = SystemClock()
    garden = make_garden(folder, clock=clock)
    for number in range(windows):
        text = f"alpha{number} bravo{number} charlie{number}"
        say(garden.store, f"w{number}", text, at=clock.now_ms() - 9 * HOUR_MS)
    ledger = folder / "ledger"
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, racer.__file__, str(folder), str(ledger), str(processes)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    calls = Counter(tuple(line.split()[:2]) for line in ledger.read_text("utf-8").splitlines())
    assert set(calls.values()) == {1}
    assert len(calls) == 2 * windows  # atomic and topic
    dreams = garden.store.dreams()
    assert Counter(one.state for one in dreams) == {DreamState.APPLIED: windows}
    assert len({one.window for one in dreams}) == windows
    assert len(garden.store.memories()) == windows
    assert list(garden.store.violations()) == []


def test_sixteen_processes_dream_each_window_once(tmp_path: Path) -> None:
    race(tmp_path, processes=16, windows=200)


@pytest.mark.sweep
def test_sixteen_processes_dream_a_thousand_windows_once(tmp_path: Path) -> None:
    race(tmp_path, processes=16, windows=1_000)
