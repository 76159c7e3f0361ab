"""The log on disk, for `logs`: JSON lines in two files, of which the newer one is written to."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.daemon.locations import state_folder
from memgardend.daemon.private_files import FILE_MODE, make_private_folder

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_BYTES = 4 * 1024 * 1024
"""About twenty thousand lines; then the file becomes the older one, and the older one goes."""


def log_file() -> LogFile:
    """The log of this user."""
    return LogFile(state_folder() / "log.jsonl")


@dataclass(frozen=True, slots=True)
class LogFile:
    """Many processes append to it; each line is one write, so that lines never mix."""

    path: Path
    largest_bytes: int = LARGEST_BYTES

    @property
    def older(self) -> Path:
        """What was written before the file was last begun anew."""
        return self.path.with_name(f"{self.path.name}.1")

    def append(self, line: str) -> None:
        """Write one line. That it cannot be written (a full disk) stops no dream."""
        with suppress(OSError):
            make_private_folder(self.path.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            descriptor = os.open(self.path, flags, FILE_MODE)
            try:
                os.write(descriptor, line.encode("utf-8", errors="replace") + b"\n")
                if os.fstat(descriptor).st_size >= self.largest_bytes:
                    self._put_aside(descriptor)
            finally:
                os.close(descriptor)

    def _put_aside(self, descriptor: int) -> None:
        """Of several processes that find the file full, one renames it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if self._is_current(descriptor):
            self.path.replace(self.older)

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def read(self) -> tuple[list[dict[str, Any]], Tail]:
        """All that is kept, oldest first, and what goes on from there without a gap.

        Lines that a crash cut off are left out.
        """
        tail = Tail(self, _identity(self.path), 0)
        before = _entries(self.older.read_bytes()) if self.older.exists() else []
        return [*before, *tail.new()], tail


@dataclass(slots=True)
class Tail:
    """How far a reader has come. `identity`: which file it is in (device and inode)."""

    file: LogFile
    identity: tuple[int, int] | None
    offset: int

    def new(self) -> list[dict[str, Any]]:
        """The entries written since the last call; also those of a file begun anew meanwhile."""
        found: list[dict[str, Any]] = []
        identity = _identity(self.file.path)
        if identity != self.identity:
            if self.identity is not None and _identity(self.file.older) == self.identity:
                found += self._read(self.file.older)
            self.identity, self.offset = identity, 0
        return found + self._read(self.file.path)

    def _read(self, path: Path) -> list[dict[str, Any]]:
        if not path.exists():
            return []
        with path.open("rb") as stream:
            stream.seek(self.offset)
            data = stream.read()
        whole = data[: data.rfind(b"\n") + 1]
        self.offset += len(whole)
        return _entries(whole)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _entries(data: bytes) -> list[dict[str, Any]]:
    found = []
    for line in data.splitlines():
        with suppress(ValueError):
            entry = json.loads(line)
            if isinstance(entry, dict) and isinstance(entry.get("event"), str):
                found.append(entry)
    return found
