"""Fixtures that any test may use."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from coverage import Coverage
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from memgardend.core.clock import ManualClock
from memgardend.core.ports import Store
from memgardend.daemon.failpoints import NoFailpoints
from support.schedule import Schedule
from support.stores import FACTORIES, NOW, SqliteFactory

# No test may fail because the machine is busy; CI tries the same examples each time, people new ones.
settings.register_profile(
    "calm",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("calm")

MEMORY_DISK = Path("/dev/shm")
ENOUGH_BYTES = 2 << 30


def _can_hold_the_tests(folder: Path) -> bool:
    """With room for all stores, and programs may be run from it: containers often have neither."""
    return (
        folder.is_dir()
        and shutil.disk_usage(folder).free > ENOUGH_BYTES
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
    )


# A store waits for the disk at each write; no test asks whether the disk keeps what it says it has written.
if "TMPDIR" not in os.environ and _can_hold_the_tests(MEMORY_DISK):
    tempfile.tempdir = str(MEMORY_DISK)


# Nobody reads what is logged unless a test fails, and a traceback in colours costs more than the work it tells of.
structlog.configure(
    [
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
    ]
)


def _write_what_was_measured() -> None:
    """Empty coverage's memory before a fork: the child would else write all that its parent has found, too."""
    if (measured := Coverage.current()) is not None:
        measured.get_data()


os.register_at_fork(before=_write_what_was_measured)


def pytest_collection_finish() -> None:
    """The tests themselves live to the end: no search for garbage has to look at them again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Schedule:
    """Asked by xdist, where it is loaded and runs several workers."""
    return Schedule(config, log)


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still until the test moves it."""
    return ManualClock(NOW)


@pytest.fixture
def no_failpoints() -> NoFailpoints:
    """No place fails."""
    return NoFailpoints()


@pytest.fixture(params=FACTORIES)
def factory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteFactory]:
    """Opens handles on one new store; once for each kind of store."""
    opened = FACTORIES[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def store(factory: SqliteFactory) -> Store:
    """One handle on a new store."""
    return factory.open()
