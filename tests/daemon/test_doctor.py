"""What doctor finds in a workspace that is not as it should be."""

from __future__ import annotations

import json
import os
import shutil
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from memgardend.daemon.check import FAILED, OK, WARNING, Check
from memgardend.daemon.doctor import examine, fix
from memgardend.daemon.locations import GARDEN
from memgardend.daemon.owner import this_process
from memgardend.daemon.registry import registry_dir
from memgardend.daemon.service.notes import write_troubles
from memgardend.jobs.look.outlook import Trouble
from support.stores import SqliteFactory, change, dreamed, memory


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


def test_conversations_that_nobody_lets_us_read_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"role": "user", "content": "Hello."}\n', "utf-8")
    (tmp_path / "memgarden.yaml").write_text(
        "locale: en\nsources: [{kind: jsonl, path: '*.jsonl'}]\n", "utf-8"
    )
    monkeypatch.setattr(os, "access", lambda path, _: not str(path).endswith("b.jsonl"))
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    checks = examine(tmp_path, environ, named=True)
    found = list(islice((one for one in checks if one.name == "sources"), 2))
    assert [(one.level, one.detail) for one in found] == [
        (OK, "jsonl: 2 files"),
        (WARNING, "jsonl: 1 file cannot be read"),
    ]
    assert found[1].hint == f"ls -l {tmp_path / 'b.jsonl'}"


def test_an_agent_that_is_told_to_start_the_tools_is_told(tmp_path: Path) -> None:
    (tmp_path / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    servers = {"mcpServers": {"memory": {"command": "memgardend", "args": ["mcp"]}}}
    (tmp_path / ".mcp.json").write_text(json.dumps(servers), "utf-8")
    environ = {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "CODEX_HOME": str(tmp_path / "codex"),
    }
    (found,) = [one for one in examine(tmp_path, environ, named=True) if one.name == "tools"]
    assert str(tmp_path / ".mcp.json") in found.detail


def test_a_torn_file_of_the_spool_is_told(tmp_path: Path) -> None:
    SqliteFactory(tmp_path).open().close()
    (tmp_path / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    spool = tmp_path / ".memgarden" / "spool"
    spool.mkdir()
    (spool / "a.torn").touch()
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    (found,) = [one for one in examine(tmp_path, environ, named=True) if one.name == "recall"]
    assert (found.level, found.hint) == (WARNING, f"rm {spool}/*.torn")
    assert found.detail.startswith("1 file of the spool cannot be read")


def test_a_store_without_room_or_rights_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory = SqliteFactory(tmp_path)
    factory.open(GARDEN)
    (tmp_path / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")

    def told() -> list[tuple[str, str]]:
        checks = examine(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}, named=True)
        return [(one.level, one.detail) for one in checks if one.name == "store"][1:]

    assert told() == []
    file = factory.path
    size = file.stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size - 1))
    free, needed = (2 * size - 1) // 1024, 2 * size // 1024
    said = f"{free} KiB free on its disk; a dream and the daily copy need {needed}"
    assert told() == [(WARNING, said)]
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != file)
    assert told() == [(FAILED, f"{file} cannot be written to")]
    factory.close()


def test_what_the_daemon_cannot_do_here_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memgarden.yaml").write_text("locale: en\nsources: []\n", "utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    registry_dir().mkdir()
    write_troubles(registry_dir(), this_process(), {tmp_path: Trouble("no space left", 0, "df /")})
    checks = examine(tmp_path, os.environ, named=True)
    told = next(one for one in checks if one.name == "daemon")
    assert (told.level, told.hint) == (FAILED, "df /")
    assert told.detail == "it cannot work here: no space left"


def test_fix_makes_the_index_anew(tmp_path: Path) -> None:
    (tmp_path / "memgarden.yaml").write_text("locale: en\n", "utf-8")
    factory = SqliteFactory(tmp_path)
    store = factory.open(GARDEN)
    dreamed(store, change(None, memory("m1")))
    assert fix(tmp_path) == ["the index of 1 memories is made anew"]
    assert store.violations() == []
    factory.path.write_bytes(b"no store")
    assert fix(tmp_path) == []
    factory.close()
