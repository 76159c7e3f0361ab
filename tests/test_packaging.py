"""The layout: folders at the top, one import package, links in between, and a wheel with one name in it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import memgardend.core.clock

ROOT = Path(__file__).parents[1]
FOLDERS = ["core", "config", "jobs", "daemon", "systemd"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_link_leads_to_the_folder(folder: str) -> None:
    assert (ROOT / "src/memgardend" / folder).resolve() == ROOT / folder


def test_import_name() -> None:
    assert memgardend.core.clock.SystemClock.__module__ == "memgardend.core.clock"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist as for a release, without asking any registry."""
    pytest.importorskip("hatchling", reason="hatchling is in the group `build`")
    target = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "-q", "--no-isolation", "--outdir", target, ROOT],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl"))


@pytest.mark.sweep
def test_wheel_installs_one_name_with_all_of_its_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"memgardend", f"memgardend-{wheel.name.split('-')[1]}.dist-info"}
    for needed in (
        *("py.typed", "daemon/store/schema.sql", "config/prompts/en/round-atomic.md"),
        *("systemd/memgardend.service", "systemd/memgardend@.service"),
    ):
        assert f"memgardend/{needed}" in names
    assert len(names) == len(set(names))
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


@pytest.mark.sweep
def test_wheel_runs_outside_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(unpacked)
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r}); import memgardend.daemon.cli.app as app;"
        "print(app.__file__); sys.exit(app.run_command(['--help']))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(unpacked))
