"""Every disk call of a dream fails or kills once, by strace: the store is never torn, and the dream goes on.

`strace -e inject` is the technique of the reliability notes, section 7. The short run takes a sample of the
calls; `make sweep` takes every one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memgardend.core.clock import HOUR_MS, ManualClock
from memgardend.core.words import Ending
from memgardend.jobs.heal import heal
from memgardend.jobs.sweep import sweep
from support import dreamer
from support.garden import START, make_garden
from support.story import CountedModel, outcome, told

ROOT = Path(__file__).parents[2]
STRACE = shutil.which("strace")
WRITES = "pwrite64,ftruncate,unlink"
SYNCS = "fdatasync,fsync"
FAULTS = {
    "kill": (f"{WRITES},{SYNCS}", "signal=SIGKILL"),
    "disk-full": ("pwrite64", "error=ENOSPC"),
    "bad-disk": (SYNCS, "error=EIO"),
}
SAMPLE = 12  # points of each fault in the short run


def strace(log: Path, calls: str, dreams: Sequence[str], *more: str) -> int:
    """Dream in traced processes; the worst return code."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    command = [
        str(STRACE), "-f", "--seccomp-bpf", "-qq", "-o", str(log), "-e", f"trace={calls}", *more,
        sys.executable, "-B", dreamer.__file__, *dreams,
    ]  # fmt: skip
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode == 1:
        raise AssertionError(done.stderr)
    return done.returncode


def prepared(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "ledger").touch()
    garden = make_garden(folder)
    told(garden)
    garden.store.close()


def recovered(folder: Path) -> tuple[dict[str, Any], Counter[str]]:
    """Heal and dream on as another process would, until nothing is due."""
    clock = ManualClock(START)
    model = CountedModel(folder / "ledger")
    garden = make_garden(folder, clock=clock, model=model, is_gone=lambda who: who.host == "dead")
    for _ in range(3):
        heal(garden)
        sweep(garden)
        clock.advance(HOUR_MS)
    return outcome(garden), model.counted()


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("unbroken")
    prepared(folder)
    model = CountedModel(folder / "ledger")
    garden = make_garden(folder, model=model)
    assert [one.ending for one in sweep(garden).dreams] == [Ending.APPLIED]
    return outcome(garden)


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How many calls of each fault's kind an unbroken dream makes."""
    if STRACE is None:
        pytest.skip("strace is not installed: apt-get install strace")
    counted = {}
    for fault, (calls, _) in FAULTS.items():
        folder = tmp_path_factory.mktemp("count")
        prepared(folder)
        log = folder / "strace.log"
        if strace(log, calls, [str(folder)]) != 0:
            pytest.skip("strace may not trace here")
        lines = log.read_text("utf-8", errors="replace").splitlines()
        counted[fault] = sum("(" in line and " = " in line for line in lines)
    return counted


def check(folder: Path, fault: str, points: Sequence[int], expected: dict[str, Any]) -> None:
    """Each point in a dream of its own, all in one traced run (see `dreamer`)."""
    calls, action = FAULTS[fault]
    last = max(points)
    for point in points:
        prepared(folder / str(point))
    dreams = [f"{folder / str(point)}:{last - point}" for point in points]
    strace(folder / "log", calls, dreams, "-e", f"inject={calls}:{action}:when={last}")
    for point in points:
        result, asked = recovered(folder / str(point))
        assert result == expected, f"{fault} at call {point}"
        # one answer may be lost between the model and the disk; it is asked for again, once
        assert asked["atomic"] <= 2
        assert asked["topic"] <= 2
        assert asked.total() <= 3


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sample_of_disk_calls_fails(
    fault: str, tmp_path: Path, unbroken: dict[str, Any], points: dict[str, int]
) -> None:
    total = points[fault]
    assert total > 0
    check(tmp_path, fault, sorted({1 + total * k // SAMPLE for k in range(SAMPLE)}), unbroken)


@pytest.mark.sweep
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_disk_call_fails(
    fault: str, tmp_path: Path, unbroken: dict[str, Any], points: dict[str, int]
) -> None:
    check(tmp_path, fault, range(1, points[fault] + 1), unbroken)
