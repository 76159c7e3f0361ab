"""What doctor finds in a workspace that is not as it should be."""

from __future__ import annotations

from pathlib import Path

from memgardend.daemon.check import FAILED, Check
from memgardend.daemon.doctor import examine


def store_check(root: Path) -> Check:
    (root / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    environ = {"XDG_STATE_HOME": str(root / "state")}
    return next(one for one in examine(root, environ, named=True) if one.name == "store")


def test_a_store_that_cannot_be_reached_is_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / ".memgarden").write_text("a file where our folder should be", "utf-8")
    found = store_check(tmp_path)
    assert (found.level, found.hint) == (FAILED, f"ls -ld {tmp_path / '.memgarden'}")
    assert "cannot be reached" in found.detail


def test_a_workspace_without_a_store_is_fine(tmp_path: Path) -> None:
    assert store_check(tmp_path).detail.startswith("none yet")
    assert not (tmp_path / ".memgarden").exists()
