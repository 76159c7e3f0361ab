"""Sources are looked at once for all workspaces, and read only where something changed."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgardend.core.clock import MINUTE_MS
from memgardend.core.ports import SourceFile
from memgardend.daemon.service import scan as scanning
from memgardend.daemon.service.scan import WHOLE_MS, Scan, Scanned, Scans
from memgardend.daemon.sources.jsonl import JsonLines
from support.garden import START
from support.serving import Serving

LINE = '{"role": "user", "content": "We deploy on Fridays.", "timestamp": "2026-11-30T12:00:00Z"}\n'


class Counted(JsonLines):
    """Counts how often all files are listed."""

    listings = 0

    def files(self) -> Iterator[SourceFile]:
        self.listings += 1
        return super().files()


@pytest.fixture
def source(tmp_path: Path) -> Counted:
    (tmp_path / "a.jsonl").write_text(LINE, "utf-8")
    os.utime(tmp_path / "a.jsonl", (START / 1000, START / 1000))
    return Counted(tmp_path, "*.jsonl", tmp_path)


def test_a_file_that_grows_and_one_that_comes_raise_the_version(
    source: Counted, tmp_path: Path
) -> None:
    scan = Scan(source)
    scan.look(START)
    assert (scan.version, [one.path for one in scan.files()]) == (
        1,
        [str(tmp_path / "a.jsonl")],
    )
    scan.look(START + MINUTE_MS)
    assert scan.version == 1
    with (tmp_path / "a.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(LINE)
    scan.look(START + 2 * MINUTE_MS)
    assert scan.version == 2
    (tmp_path / "b.jsonl").write_text(LINE, "utf-8")
    scan.look(START + 3 * MINUTE_MS)
    assert (scan.version, len(list(scan.files()))) == (3, 2)
    (tmp_path / "a.jsonl").unlink()
    scan.look(START + 4 * MINUTE_MS)
    assert (scan.version, len(list(scan.files()))) == (4, 1)


def test_of_many_files_only_recent_ones_and_folders_are_looked_at(
    source: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "FEW_FILES", 0)
    scan = Scan(source)
    for minute in range(10):
        scan.look(START + minute * MINUTE_MS)
    assert (source.listings, scan.version, scan.rounds) == (1, 1, 1)
    with (tmp_path / "a.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(LINE)
    scan.look(START + 10 * MINUTE_MS)
    assert (source.listings, scan.version) == (1, 2)
    (tmp_path / "b.jsonl").write_text(LINE, "utf-8")
    scan.look(START + 11 * MINUTE_MS)
    assert (source.listings, scan.version) == (2, 3)
    scan.look(START + WHOLE_MS)
    assert (source.listings, scan.version, scan.rounds) == (3, 3, 2)


def test_files_are_kept_only_as_long_as_they_are_few(
    source: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "FEW_FILES", 3)
    scan = Scan(source)

    def kept(names: str) -> int:
        for name in names:
            (tmp_path / f"{name}.jsonl").write_text(LINE, "utf-8")
            os.utime(tmp_path / f"{name}.jsonl", (0, 0))
        scan.look(START + WHOLE_MS * len(names))
        gc.collect()
        found = [one for one in gc.get_objects() if isinstance(one, SourceFile)]
        return sum(one.path.startswith(str(tmp_path)) for one in found)

    assert kept("abc") == 3
    assert kept("abcde") == 0
    assert len(list(scan.files())) == 5


def test_a_source_of_several_workspaces_is_listed_once_a_minute(source: Counted) -> None:
    scans = Scans()
    for minute in range(3):
        scans.begin()
        found = {id(scans.of("logs", source, START + minute * MINUTE_MS)) for _ in range(5)}
        assert len(found) == 1
    assert source.listings == 3


def test_what_cannot_be_listed_is_said_after_the_files(source: Counted) -> None:
    scan = Scan(source)
    scan.look(START)
    scan.problem = PermissionError(13, "no", "folder")
    files = Scanned(scan, lambda: None).files()
    assert next(files).path.endswith("a.jsonl")
    with pytest.raises(PermissionError):
        next(files)


def test_the_watchdog_hears_of_each_step_of_a_long_read(source: Counted) -> None:
    steps = []
    scan = Scan(source)
    scan.look(START)
    scanned = Scanned(scan, lambda: steps.append(1))
    (file,) = scanned.files()
    scanned.peek(file)
    scanned.read(file, 0, 1 << 20)
    assert len(steps) == 2


def test_the_daemon_reads_what_is_written_and_dreams_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    serving = Serving(tmp_path)
    yaml = (
        "locale: en\nsources: [{kind: jsonl, path: '*.jsonl'}]\n"
        "dream: {idle_minutes: 5, suppress_windows: []}\n"
    )
    root = serving.workspace(yaml=yaml)
    serving.service.open()
    (root / "talk.jsonl").write_text(LINE, "utf-8")
    serving.pass_time(2 * MINUTE_MS)
    (window,) = serving.garden().store.window_facts()
    assert [one.window for one in serving.garden().store.dreams()] == [window.window.id]
    assert window.new_events == 0
