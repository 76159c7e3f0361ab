"""Files that only this user may read, written whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_DRAFT_BYTES = 8


def make_private_folder(folder: Path) -> None:
    """Make a folder of ours, readable by this user alone. The folders around it are left as they are."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(FOLDER_MODE, exist_ok=True)
    folder.chmod(FOLDER_MODE)


def remove_drafts(folder: Path, before_ms: int) -> None:
    """Remove what writers left who were killed before their file was whole, untouched since this instant."""
    for draft in folder.glob(f".*.{'[0-9a-f]' * 2 * _DRAFT_BYTES}"):
        with contextlib.suppress(FileNotFoundError):
            if draft.stat().st_mtime * 1000 < before_ms:
                draft.unlink()


def write_atomically(
    file: Path, data: bytes, *, replace: bool = True, mode: int = FILE_MODE
) -> bool:
    """Write a file so that a crash leaves the old one or the new one, whole.

    With `replace=False` an existing file wins. True when the data is what the file now holds.
    """
    draft = file.with_name(f".{file.name}.{os.urandom(_DRAFT_BYTES).hex()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        written = _put(draft, file, replace=replace)
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(file.parent)
    return written


def _put(draft: Path, file: Path, *, replace: bool) -> bool:
    if replace:
        draft.replace(file)
        return True
    try:
        file.hardlink_to(draft)  # unlike a rename, this fails where a file is
    except FileExistsError:
        return False
    return True


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def only_one(lock_file: Path) -> Iterator[None]:
    """Wait until no other process is inside. The system lets go when a process dies."""
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
