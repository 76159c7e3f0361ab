"""The store file: private, whole or absent, refused when it is not ours."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.errors import StoreError, StoreUnavailableError
from memgardend.core.ports import Failpoints, Store
from memgardend.daemon.failpoints import FailpointError, NoFailpoints, SetFailpoint
from memgardend.daemon.store import open_store
from memgardend.daemon.store.folder import create_store_file
from support.stores import NOW, SqliteFactory, put, said

OPENERS = """
import os
import sys
from pathlib import Path
from memgardend.core.clock import SystemClock
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store

wait, start = os.pipe()
children = []
for number in range(20):
    if (child := os.fork()) == 0:
        os.close(start)
        os.read(wait, 1)
        store = open_store(
            Path(sys.argv[1]), "garden", clock=SystemClock(), failpoints=NoFailpoints(), create=True
        )
        assert store.set_state(f"process-{number}", None, "here")
        assert store.violations() == []
        sys.exit(0)
    children.append(child)
os.close(start)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


def opened(path: Path, *, create: bool = True, failpoints: Failpoints | None = None) -> Store:
    return open_store(
        path,
        "garden",
        clock=ManualClock(NOW),
        failpoints=failpoints or NoFailpoints(),
        create=create,
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_store_is_private_and_out_of_git(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        with closing(opened(tmp_path / "deep" / ".memgarden" / "memory.db")) as store:
            put(store, said("1"))
    finally:
        os.umask(old_mask)
    folder = tmp_path / "deep" / ".memgarden"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert (folder / ".gitignore").read_text() == "*\n"
    assert names(folder) == {".gitignore", "memory.db", "memory.db-journal"}


def test_looking_where_nothing_is_touches_nothing(tmp_path: Path) -> None:
    with closing(opened(tmp_path / ".memgarden" / "memory.db", create=False)) as store:
        assert store.window_facts() == []
        assert set(store.counts().values()) == {0}
        assert store.violations() == []
    assert names(tmp_path) == set()


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "100% a?b#c ü" / ".memgarden" / "memory.db"
    with closing(opened(path)) as store:
        put(store, said("1"))
    with closing(opened(path, create=False)) as store:
        assert len(store.events("event:a")) == 1
    assert names(tmp_path) == {"100% a?b#c ü"}


def test_looking_at_a_store_does_not_change_it(factory: SqliteFactory) -> None:
    put(factory.open(), said("1"))
    factory.close()
    before = factory.path.read_bytes()
    store = opened(factory.path, create=False)
    assert len(store.events("event:a")) == 1
    store.close()
    assert factory.path.read_bytes() == before


def test_a_crash_while_making_a_store_leaves_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with pytest.raises(FailpointError):
        opened(path, failpoints=SetFailpoint("migrate.inside", 1, "raise"))
    assert names(tmp_path) == {".gitignore"}
    opened(path).close()
    assert names(tmp_path) == {".gitignore", "memory.db"}


def test_a_left_over_of_a_killed_maker_is_swept(tmp_path: Path) -> None:
    (tmp_path / "memory.db.new").write_bytes(b"half")
    (tmp_path / "memory.db.new-journal").write_bytes(b"half")
    opened(tmp_path / "memory.db").close()
    assert names(tmp_path) == {".gitignore", "memory.db"}


def test_one_maker_at_a_time(tmp_path: Path) -> None:
    def build(unfinished: Path) -> None:
        descriptor = os.open(tmp_path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(descriptor)
        unfinished.write_bytes(b"built once")

    create_store_file(tmp_path / "memory.db", build)
    create_store_file(tmp_path / "memory.db", build)
    assert (tmp_path / "memory.db").read_bytes() == b"built once"


def _text(path: Path) -> None:
    path.write_text("dear diary, " * 100)


def _foreign(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE diary (line TEXT)")
    raw.close()


def _other_application(path: Path) -> None:
    opened(path).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA application_id = 7")
    raw.close()


def _newer(path: Path) -> None:
    opened(path).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 999")
    raw.close()


def _bad_header(path: Path) -> None:
    opened(path).close()
    content = bytearray(path.read_bytes())
    content[:16] = b"x" * 16
    path.write_bytes(content)


@pytest.mark.parametrize("create", [True, False], ids=["create", "look"])
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (Path.touch, "empty"),
        (_text, "not a memgardend store"),
        (_foreign, "not a memgardend store"),
        (_other_application, "not a memgardend store"),
        (_bad_header, "not a memgardend store"),
        (_newer, "has schema 999, this program knows"),
        (Path.mkdir, "not a file"),
        (lambda path: path.symlink_to(path.with_name("elsewhere.db")), "link"),
    ],
    ids=["empty", "text", "foreign", "other application", "header", "newer", "folder", "link"],
)
def test_a_file_that_is_no_store_of_ours_is_refused_untouched(
    tmp_path: Path, make: object, says: str, create: bool
) -> None:
    path = tmp_path / "memory.db"
    make(path)  # type: ignore[operator]
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=says) as caught:
        opened(path, create=create)
    assert caught.value.exit_code == 78
    assert caught.value.hint
    assert (path.read_bytes() if path.is_file() else None) == before
    assert not (tmp_path / "elsewhere.db").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_not_now(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnavailableError) as caught:
        opened(tmp_path / "sub" / "memory.db")
    assert caught.value.exit_code == 75


def test_a_file_in_the_place_of_the_folder_is_not_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailableError) as caught:
        opened(tmp_path / "file" / "memory.db")
    assert caught.value.hint


def test_a_link_to_nowhere_in_the_place_of_the_folder_is_told_for_what_it_is(
    tmp_path: Path,
) -> None:
    folder = tmp_path / ".memgarden"
    folder.symlink_to(tmp_path / "nowhere")
    with pytest.raises(StoreUnavailableError, match="is not a folder") as caught:
        opened(folder / "memory.db")
    assert caught.value.hint == f"ls -ld {folder}"
    assert names(tmp_path) == {".memgarden"}


@pytest.mark.parametrize("exists", [False, True], ids=["new", "existing"])
def test_twenty_processes_open_one_store_at_once(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / ".memgarden" / "memory.db"
    if exists:
        opened(path).close()
    done = subprocess.run(
        [sys.executable, "-c", OPENERS, str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    with closing(opened(path, create=False)) as store:
        assert [store.state(f"process-{number}") for number in range(20)] == ["here"] * 20
    assert names(path.parent) == {".gitignore", "memory.db", "memory.db-journal"}
