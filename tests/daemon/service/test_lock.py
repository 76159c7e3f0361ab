"""One daemon a user; the doorbell, and what is said about troubles."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from memgardend.core.errors import BusyError, ConfigError, StoreUnavailableError
from memgardend.daemon import doorbell
from memgardend.daemon.doorbell import Doorbell, ring
from memgardend.daemon.owner import this_process
from memgardend.daemon.service.lock import NAME, only_daemon
from memgardend.daemon.service.notes import trouble_of, write_troubles
from memgardend.daemon.service.waker import Waker
from memgardend.jobs.look.outlook import Trouble
from support.garden import owner


def test_the_second_is_told_who_the_first_is(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with only_daemon(folder, "1.2", wait=False):
        assert (folder / NAME).read_text("utf-8") == f"pid {os.getpid()}, memgardend 1.2\n"
        with (
            pytest.raises(BusyError, match=f"pid {os.getpid()}, memgardend 1.2"),
            only_daemon(folder, "1.3", wait=False),
        ):
            pass
    with only_daemon(folder, "1.3", wait=True):  # nothing is left that blocks
        assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o600
        open_files = list(Path("/proc/self/fd").iterdir())
        (held,) = [one for one in open_files if one.exists() and one.samefile(folder / NAME)]
        assert not os.get_inheritable(int(held.name))


def test_a_folder_that_cannot_be_used_is_a_matter_of_settings(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("", "utf-8")
    with (
        pytest.raises(ConfigError, match="cannot be used"),
        only_daemon(tmp_path / "state", "1", wait=False),
    ):
        pass


@pytest.mark.parametrize("call", ["ftruncate", "pwrite"])
def test_a_full_disk_keeps_nobody_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with (
        only_daemon(tmp_path, "1", wait=False),
        pytest.raises(BusyError, match="has not said"),
        only_daemon(tmp_path, "1", wait=False),
    ):
        pass
    monkeypatch.setattr(os, "open", full)
    with (
        pytest.raises(StoreUnavailableError, match="No space left"),
        only_daemon(tmp_path, "1", wait=False),
    ):
        pass


def test_the_bell_wakes_the_daemon_and_says_for_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorbell, "state_folder", lambda: tmp_path)
    ring(tmp_path / "nobody listens")
    (tmp_path / doorbell.NAME).write_text("left by a crash", "utf-8")
    waker = Waker(Doorbell(tmp_path))
    odd = tmp_path / os.fsdecode(b"w\xff\nork")
    for place in (tmp_path / "work", odd, odd):
        ring(place)
    assert waker.wait(60) == {tmp_path / "work", odd}
    for _ in range(100_000):  # fuller than any pipe
        waker.wake()
    assert waker.wait(60) == set()
    assert waker.wait(0) == set()
    waker.close()
    assert not (tmp_path / doorbell.NAME).exists()


def test_troubles_are_known_as_long_as_the_daemon_that_has_them_lives(tmp_path: Path) -> None:
    work = tmp_path / "work"
    assert trouble_of(tmp_path, work) is None
    full = Trouble("the disk is full", 60_000, "df /")
    write_troubles(tmp_path, this_process(), {work: full})
    assert trouble_of(tmp_path, work) == full
    assert trouble_of(tmp_path, tmp_path) is None
    write_troubles(tmp_path, replace(this_process(), process_start="0"), {work: full})
    assert trouble_of(tmp_path, work) is None
    write_troubles(tmp_path, owner("far"), {work: full})  # of another machine: not provably gone
    assert trouble_of(tmp_path, work) == full
    (tmp_path / "daemon.json").write_text("[]", "utf-8")
    assert trouble_of(tmp_path, work) is None
