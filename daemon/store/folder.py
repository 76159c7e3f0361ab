"""Where a store lies: a private folder, and a file that appears whole or not at all."""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreError, StoreUnavailableError
from memgardend.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memgardend.core.clock import Clock

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def is_file(path: Path) -> bool:
    """True for a file, False for nothing. Raises StoreError for a link, a folder or a device.

    The file is never read here: closing it would drop the locks that SQLite holds in this process.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreUnavailableError(
            f"{path} cannot be reached: {error.strerror}", hint=f"ls -ld {path.parent}"
        ) from error
    if stat.S_ISLNK(mode):
        raise StoreError(f"{path} is a link, which is not followed", hint=f"ls -l {path}")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{path} is not a file", hint=f"ls -ld {path}")
    return True


def is_store_file(path: Path) -> bool:
    """As `is_file`; also raises StoreError for an empty file, which SQLite takes for a database."""
    found = is_file(path)
    if found and path.stat().st_size == 0:
        raise StoreError(f"{path} is empty, not a store", hint="memgardend restore BACKUP")
    return found


def time_stamp(clock: Clock) -> str:
    """The time as part of a file name, to the millisecond."""
    return rfc3339(clock.now_ms()).replace(":", "").replace("-", "")


def create_store_file(
    path: Path, build: Callable[[Path], None], *, own_folder: bool = True
) -> None:
    """Make the folder, and the file by `build` under another name, renamed when it is whole.

    A folder that is not our own stays as it is. Of several processes one builds; the others find the file.
    Raises StoreUnavailableError.
    """
    if own_folder or not path.parent.is_dir():
        make_folder(path.parent)
    with disk_errors(path), _locked(path.parent):
        if is_store_file(path):
            return
        unfinished = path.with_name(f"{path.name}.new")
        with new_file(unfinished):
            build(unfinished)
            unfinished.rename(path)
        sync(path.parent)


def make_folder(folder: Path) -> None:
    """A private folder that git leaves alone. Raises StoreUnavailableError."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise StoreUnavailableError(f"{folder} is not a folder", hint=f"ls -ld {folder}")
    with disk_errors(folder):
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
            ignore.chmod(FILE_MODE)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an error of the file system into StoreUnavailableError."""
    try:
        yield
    except OSError as error:
        raise StoreUnavailableError(
            f"{error.filename or path} cannot be written: {error.strerror}",
            hint=f"ls -ld {path.parent}",
        ) from error


@contextmanager
def new_file(path: Path) -> Iterator[None]:
    """An empty private file in place of any left-over; gone afterwards unless it was renamed."""
    _remove(path)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, FILE_MODE))
    try:
        yield
    finally:
        _remove(path)


def sync(path: Path) -> None:
    """Let a file, or the names in a folder, reach the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def too_open(path: Path) -> list[str]:
    """The folder or file that others may enter or read, with its mode."""
    wanted = ((path.parent, FOLDER_MODE), (path, FILE_MODE))
    modes = [(where, stat.S_IMODE(where.stat().st_mode), mode) for where, mode in wanted]
    return [f"{where} has mode {found:04o}" for where, found, mode in modes if found & ~mode]


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
