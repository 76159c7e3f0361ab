"""One daemon per user: a lock on a file of the state folder, which the system lets go when we die."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memgardend.core.errors import BusyError
from memgardend.daemon.private_files import FILE_MODE, make_private_folder
from memgardend.daemon.registry import unusable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "daemon.lock"


@contextmanager
def only_daemon(folder: Path, version: str, *, wait: bool) -> Iterator[None]:
    """Hold the lock; the file says who does. Raises BusyError, naming the other, unless told to `wait`.

    Raises ConfigError where no lock can be, and StoreUnavailableError while the disk is full.
    """
    file = folder / NAME
    try:
        make_private_folder(folder)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
    except OSError as error:
        raise unusable(file, error) from error
    try:
        _take(descriptor, wait=wait)
        with suppress(
            OSError
        ):  # a full disk keeps us from saying who we are, and from nothing else
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"pid {os.getpid()}, memgardend {version}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, *, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not wait:
            who = (
                os.pread(descriptor, 200, 0).decode(errors="replace").strip()
                or "it has not said who it is"
            )
            raise BusyError(
                f"a daemon of yours runs already ({who})", hint="memgardend run --wait"
            ) from None
        fcntl.flock(descriptor, fcntl.LOCK_EX)
