"""The registry: who may run what, under races, crashes and damage."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from memgardend.config.load import FILENAME, check
from memgardend.config.model import Config
from memgardend.core.errors import ConfigError, StoreUnavailableError
from memgardend.core.records import Window
from memgardend.daemon.registry import KEY_BYTES, Registry, model_hash, registry_dir
from memgardend.daemon.trust import require_trust, router

EN = Config(locale="en")
CLAUDE = Config.model_validate({"locale": "en", "model": {"preset": "claude"}})


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "state" / "memgardend")


def workspace(root: Path, text: str = "locale: en\n") -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / FILENAME).write_text(text)
    return root


def test_looking_makes_nothing(registry: Registry, tmp_path: Path) -> None:
    assert registry.workspaces() == ()
    assert not registry.is_registered(tmp_path)
    assert not registry.unregister(tmp_path)
    assert registry.nearest(tmp_path) is None
    assert registry.any_workspace() is None
    assert not registry.file.parent.exists()


def test_register_and_unregister(registry: Registry, tmp_path: Path) -> None:
    root = workspace(tmp_path / "a")
    entry = registry.register(root, EN, 1000)
    assert (entry.path, entry.registered_at, entry.present) == (root, 1000, True)
    assert registry.register(root, CLAUDE, 2000).registered_at == 1000
    assert [e.path for e in registry.workspaces()] == [root]
    assert registry.unregister(root)
    assert registry.workspaces() == ()


def test_a_workspace_has_one_name(registry: Registry, tmp_path: Path) -> None:
    root = workspace(tmp_path / "a")
    (tmp_path / "link").symlink_to(root)
    registry.register(tmp_path / "link", EN, 0)
    assert registry.is_registered(root)
    assert registry.is_registered(root / ".." / "a")
    assert registry.nearest(tmp_path / "link" / "deep") == root


def test_a_vanished_workspace_is_kept_and_told(registry: Registry, tmp_path: Path) -> None:
    registry.register(tmp_path / "gone", EN, 0)
    (entry,) = registry.workspaces()
    assert not entry.present


def test_only_this_user_may_read_it(registry: Registry, tmp_path: Path) -> None:
    registry.register(tmp_path, EN, 0)
    registry.key()
    folder = registry.file.parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert {file.name for file in folder.iterdir()} == {"registry.json", "registry.lock", "key"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema": 1}',
        b'{"schema": "x", "workspaces": []}',
        b'{"schema": 1, "workspaces": [{"path": 3, "registered_at": 0, "model": ""}]}',
    ],
)
def test_damage_is_told_and_never_reset(registry: Registry, tmp_path: Path, data: bytes) -> None:
    registry.file.parent.mkdir(parents=True)
    registry.file.write_bytes(data)
    for use in (
        registry.workspaces,
        lambda: registry.register(tmp_path, EN, 0),
        lambda: registry.nearest(tmp_path),
    ):
        with pytest.raises(ConfigError, match="is damaged") as caught:
            use()
        assert str(caught.value.hint).startswith(f"mv {registry.file} ")
    assert registry.file.read_bytes() == data


def test_a_newer_registry_is_refused(registry: Registry) -> None:
    registry.file.parent.mkdir(parents=True)
    registry.file.write_text('{"schema": 2, "workspaces": []}')
    with pytest.raises(ConfigError, match="newer memgardend") as caught:
        registry.workspaces()
    assert caught.value.hint == "pip install --upgrade memgardend"


def test_a_full_disk_is_no_matter_of_settings(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 78 the service would stay down after the disk has room again."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("memgardend.daemon.registry.write_atomically", full)
    for use in (registry.key, lambda: registry.register(tmp_path, EN, 0)):
        with pytest.raises(StoreUnavailableError, match="No space left") as caught:
            use()
        assert caught.value.hint == f"df {registry.file.parent}"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    registry = Registry(tmp_path / "file" / "memgardend")
    for use in (registry.key, lambda: registry.register(tmp_path, EN, 0)):
        with pytest.raises(ConfigError, match="cannot be used"):
            use()


def test_registry_dir_follows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert registry_dir() == tmp_path / "memgardend"


def test_nearest(registry: Registry, tmp_path: Path) -> None:
    outer, inner, named = tmp_path / "a", tmp_path / "a/b", tmp_path / "a/b/c"
    registry.register(outer, EN, 0)
    registry.register(inner, EN, 0)
    assert registry.nearest(inner / "x/y") == inner
    assert registry.nearest(inner) == inner
    assert registry.nearest(outer / "bb") == outer
    assert registry.nearest(named / "x", [named]) == named
    assert registry.nearest(named / "x") == inner
    assert registry.nearest(tmp_path) is None
    assert registry.nearest(Path("a/b")) is None
    assert registry.nearest(Path("/nul\0byte")) is None


def test_the_model_that_was_agreed_to(registry: Registry, tmp_path: Path) -> None:
    registry.register(tmp_path, EN, 0)
    assert registry.model_trusted(tmp_path, EN)
    assert not registry.model_trusted(tmp_path, CLAUDE)
    registry.trust(tmp_path, CLAUDE)
    assert registry.model_trusted(tmp_path, CLAUDE)
    assert not registry.model_trusted(tmp_path / "other", CLAUDE)
    with pytest.raises(ConfigError, match="is not registered"):
        registry.trust(tmp_path / "other", EN)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("model: {preset: offline}", True),
        ("dream: {idle_minutes: 5}", True),
        ("model: {preset: claude}", False),
        ("model: {command: [mine]}", False),
        ("model: {env: [KEY]}", False),
        ("delegate: {model: claude}", False),
    ],
)
def test_what_asks_again(text: str, same: bool) -> None:
    config, _ = check(f"locale: en\n{text}\n")
    assert config is not None
    assert (model_hash(config) == model_hash(EN)) is same


@pytest.mark.parametrize(
    ("agreed", "config", "named", "said"),
    [
        (None, CLAUDE, False, "is not registered"),
        (None, CLAUDE, True, None),
        (EN, EN, False, None),
        (EN, EN, True, None),
        (EN, CLAUDE, False, "have changed"),
        (EN, CLAUDE, True, "have changed"),
    ],
    ids=[
        "unregistered",
        "unregistered but named",
        "registered",
        "registered and named",
        "changed",
        "changed and named",
    ],
)
def test_trust(
    registry: Registry,
    tmp_path: Path,
    agreed: Config | None,
    config: Config,
    named: bool,
    said: str | None,
) -> None:
    if agreed is not None:
        registry.register(tmp_path, agreed, 0)
    if said is None:
        require_trust(registry, tmp_path, named, config)
        return
    with pytest.raises(ConfigError, match=said) as caught:
        require_trust(registry, tmp_path, named, config)
    assert str(caught.value.hint).startswith("memgardend ")
    assert caught.value.exit_code == 78


ANY = "locale: en\nsources: [{kind: claude-code, cwd: any}]\n"


def test_only_one_workspace_may_say_any(registry: Registry, tmp_path: Path) -> None:
    one = workspace(tmp_path / "one", ANY)
    two = workspace(tmp_path / "two")
    broken = workspace(tmp_path / "broken", "locale: [")
    for root in (one, two, broken, tmp_path / "vanished"):
        registry.register(root, EN, 0)
    assert registry.any_workspace() == one
    workspace(two, ANY)
    with pytest.raises(ConfigError) as caught:
        registry.any_workspace()
    assert str(one) in str(caught.value)
    assert str(two) in str(caught.value)


def window(cwd: Path | str | None, source: str = "claude-code") -> Window:
    text = None if cwd is None else str(cwd)
    return Window(id=f"{source}:w", source=source, native_id="w", cwd=text)


def test_windows_go_to_the_nearest_workspace(registry: Registry, tmp_path: Path) -> None:
    outer = workspace(tmp_path / "a")
    inner = workspace(tmp_path / "a/b")
    registry.register(outer, EN, 0)
    belongs = router(registry, outer, EN)
    assert belongs(window(outer / "x"))
    assert belongs(window(inner / "x"))
    assert not belongs(window(tmp_path))
    assert not belongs(window("a"))
    assert not belongs(window(None))
    registry.register(inner, EN, 0)
    assert not router(registry, outer, EN)(window(inner / "x"))
    assert router(registry, inner, EN)(window(inner / "x"))


def test_any_takes_what_no_other_claims(registry: Registry, tmp_path: Path) -> None:
    home, other = workspace(tmp_path / "home", ANY), workspace(tmp_path / "other")
    registry.register(other, EN, 0)
    config, _ = check(ANY)
    assert config is not None
    belongs = router(registry, home, config)
    assert belongs(window(home))
    assert belongs(window(tmp_path / "nowhere"))
    assert belongs(window(None))
    assert not belongs(window(None, source="codex"))
    assert not belongs(window(other / "x"))
    workspace(other, ANY)
    with pytest.raises(ConfigError, match="only one workspace"):
        router(registry, home, config)


def test_the_key_is_made_once(registry: Registry) -> None:
    key = registry.key()
    assert len(key) == KEY_BYTES
    assert registry.key() == key
    registry.file.with_name("key").write_bytes(key[:5])
    with pytest.raises(ConfigError, match="5 bytes instead of 32"):
        registry.key()


def _join(folder: Path, number: int, start: Event, keys: Queue[bytes]) -> None:
    start.wait()
    registry = Registry(folder)
    keys.put(registry.key())
    for step in range(5):
        registry.register(folder / f"w{number}-{step}", EN, number)
    registry.unregister(folder / f"w{number}-0")


def test_processes_lose_nothing_and_share_one_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Event()
    keys: Queue[bytes] = context.Queue()
    workers = [
        context.Process(target=_join, args=(tmp_path / "state", number, start, keys))
        for number in range(8)
    ]
    for worker in workers:
        worker.start()
    start.set()
    found = {keys.get(timeout=60) for _ in workers}
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    assert len(found) == 1
    paths = {entry.path.name for entry in Registry(tmp_path / "state").workspaces()}
    assert paths == {f"w{number}-{step}" for number in range(8) for step in range(1, 5)}


def test_a_crash_while_writing_leaves_the_old_file(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.register(tmp_path / "a", EN, 0)
    before = registry.file.read_bytes()

    def no_space(descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(StoreUnavailableError, match="No space left"):
        registry.register(tmp_path / "b", EN, 0)
    assert registry.file.read_bytes() == before
    assert {file.name for file in registry.file.parent.iterdir()} == {
        "registry.json",
        "registry.lock",
    }
