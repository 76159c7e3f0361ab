"""Fixtures that any test may use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store

START_MS = 1_796_083_200_000  # 2026-12-01T00:00:00Z


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still until the test moves it."""
    return ManualClock(START_MS)


@pytest.fixture
def no_failpoints() -> NoFailpoints:
    """No place fails."""
    return NoFailpoints()


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock, no_failpoints: NoFailpoints) -> Iterator[Store]:
    """A new store of one garden."""
    path = tmp_path / ".memgarden" / "memory.db"
    opened = open_store(path, "garden", clock=clock, failpoints=no_failpoints, create=True)
    yield opened
    opened.close()
