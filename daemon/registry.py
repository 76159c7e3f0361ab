"""The workspaces of this user, the model commands that were agreed to, and the key that signs our text."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shlex
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.config.load import FILENAME, check
from memgardend.core.errors import ConfigError, MemgardendError, StoreUnavailableError
from memgardend.daemon.locations import KEY_FILE, REGISTRY_FILE, state_folder
from memgardend.daemon.private_files import make_private_folder, only_one, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memgardend.config.model import Config

SCHEMA = 1
KEY_BYTES = 32

Entries = dict[Path, "Registered"]


def registry_dir() -> Path:
    """Where the registry lives."""
    return state_folder()


@dataclass(frozen=True, slots=True)
class Registered:
    """One workspace. `model` is the hash of the model command that was agreed to; times in epoch ms."""

    path: Path
    registered_at: int
    model: str

    @property
    def present(self) -> bool:
        """False when the folder or its settings are gone; the entry is kept, as a disk may come back."""
        return (self.path / FILENAME).is_file()


class Registry:
    """A file beside a lock. Readers see a whole file always; writers take turns.

    Every method may raise ConfigError for a damaged file. It is never reset: what it forgets would run unasked.
    """

    def __init__(self, state_dir: Path) -> None:
        self.file = state_dir / REGISTRY_FILE
        self._key_file = state_dir / KEY_FILE
        self._lock_file = state_dir / "registry.lock"

    def workspaces(self) -> tuple[Registered, ...]:
        """Every registered workspace, vanished ones included, by path."""
        return tuple(self._read().values())

    def get(self, root: Path) -> Registered | None:
        """The entry of this workspace."""
        return self._read().get(resolved(root))

    def is_registered(self, root: Path) -> bool:
        """True after `init` in this folder."""
        return self.get(root) is not None

    def register(self, root: Path, config: Config, now: int) -> Registered:
        """Enter the workspace and agree to its model command; the first time of entering stays."""
        path = resolved(root)

        def enter(entries: Entries) -> None:
            known = entries.get(path)
            since = known.registered_at if known else now
            entries[path] = Registered(path, since, model_hash(config))

        return self._change(enter)[path]

    def unregister(self, root: Path) -> bool:
        """Take the workspace out. True when it was in; its files stay."""
        path = resolved(root)
        known = path in self._read()
        if known:
            self._change(lambda entries: entries.pop(path, None))
        return known

    def model_trusted(self, root: Path, config: Config) -> bool:
        """True when the workspace is registered and its model command is the one agreed to."""
        entry = self.get(root)
        return entry is not None and entry.model == model_hash(config)

    def trust(self, root: Path, config: Config) -> None:
        """Agree to the model command as it is now. Raises ConfigError for an unregistered workspace."""
        path = resolved(root)

        def agree(entries: Entries) -> None:
            if path not in entries:
                raise ConfigError(
                    f"{path} is not registered", hint=f"memgardend init -w {shlex.quote(str(path))}"
                )
            entries[path] = replace(entries[path], model=model_hash(config))

        self._change(agree)

    def nearest(self, cwd: Path, extra: Sequence[Path] = ()) -> Path | None:
        """The nearest workspace around a folder, among the registered and the `extra` (named) ones.

        The folder need not exist any more. A relative one, as it cannot be placed, is in none.
        """
        return nearest_of(cwd, {*self._read(), *map(resolved, extra)})

    def any_workspace(self, extra: Iterable[Path] = ()) -> Path | None:
        """The workspace that takes the conversations of no other (`cwd: any`).

        Raises ConfigError when two say so. A workspace whose settings cannot be read says nothing.
        """
        says = sorted(root for root in {*self._read(), *map(resolved, extra)} if _says_any(root))
        if len(says) > 1:
            raise ConfigError(
                f"only one workspace may say `cwd: any`, but {says[0]} and {says[1]} do",
                hint=f"take it out of {says[1] / FILENAME}",
            )
        return says[0] if says else None

    @property
    def has_key(self) -> bool:
        """True once there is a key; `key` makes one."""
        return self._key_file.exists()

    def key(self) -> bytes:
        """The secret that signs our own text: 32 bytes, made once for this user."""
        with _said_plainly(self._key_file):
            if not self._key_file.exists():
                make_private_folder(self._key_file.parent)
                write_atomically(self._key_file, secrets.token_bytes(KEY_BYTES), replace=False)
            key = self._key_file.read_bytes()
        if len(key) != KEY_BYTES:
            raise ConfigError(
                f"{self._key_file} is damaged: {len(key)} bytes instead of {KEY_BYTES}",
                hint=_set_aside(self._key_file),
            )
        return key

    def _change(self, edit: Callable[[Entries], object]) -> Entries:
        """Read, edit and write while nobody else does."""
        with _said_plainly(self.file), contextlib.ExitStack() as inside:
            make_private_folder(self.file.parent)
            inside.enter_context(only_one(self._lock_file))
            entries = self._read()
            edit(entries)
            listed = [
                asdict(entry) | {"path": str(entry.path)} for _, entry in sorted(entries.items())
            ]
            text = json.dumps({"schema": SCHEMA, "workspaces": listed}, indent=2)
            write_atomically(self.file, f"{text}\n".encode())
        return entries

    def _read(self) -> Entries:
        with _said_plainly(self.file):
            if not self.file.exists():
                return {}
            data = self.file.read_bytes()
        try:
            document = json.loads(data)
            if document["schema"] > SCHEMA:
                raise ConfigError(
                    f"{self.file} was written by a newer memgardend",
                    hint="pip install --upgrade memgardend",
                )
            found = [_entry(row) for row in document["workspaces"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ConfigError(
                f"{self.file} is damaged: {error}",
                hint=f"{_set_aside(self.file)} && memgardend init",
            ) from None
        return {entry.path: entry for entry in found}


def resolved(folder: Path) -> Path:
    """The one name of a folder, links followed; it need not exist."""
    return Path(os.path.realpath(folder))


def nearest_of(cwd: Path, tended: Collection[Path]) -> Path | None:
    """The nearest of these workspaces (resolved) around a folder."""
    if not cwd.is_absolute() or "\0" in str(cwd):
        return None
    around = resolved(cwd)
    return next((folder for folder in (around, *around.parents) if folder in tended), None)


def model_hash(config: Config) -> str:
    """Changes whenever the model command, or anything about how it is called, changes."""
    said = config.model_dump(mode="json", include={"model", "delegate"}, exclude_defaults=True)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def _said_plainly(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unusable(file, error) from error


def unusable(file: Path, error: OSError) -> MemgardendError:
    """What to raise for a file of the state folder; a full disk passes, so that nobody stays down for it."""
    said = f"{file} cannot be used: {error.strerror}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreUnavailableError(said, hint=f"df {shlex.quote(str(file.parent))}")
    return ConfigError(said, hint="export XDG_STATE_HOME=DIR")


def _set_aside(file: Path) -> str:
    return shlex.join(["mv", str(file), f"{file}.damaged"])


def _entry(row: dict[str, object]) -> Registered:
    path, since, model = row["path"], row["registered_at"], row["model"]
    if not (isinstance(path, str) and isinstance(since, int) and isinstance(model, str)):
        raise TypeError(f"not a workspace: {row!r}")
    return Registered(Path(path), since, model)


def _says_any(root: Path) -> bool:
    try:
        config, _ = check((root / FILENAME).read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return False
    return config is not None and any(source.cwd == "any" for source in config.sources or ())
