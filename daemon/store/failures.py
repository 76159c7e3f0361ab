"""What a failure of SQLite means, and what to do about it. Knows its result codes, not the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import (
    MemgardendError,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
)

if TYPE_CHECKING:
    from pathlib import Path

_CODE_MASK = 0xFF  # the primary result code (https://www.sqlite.org/rescode.html)
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_IOERR_WRITE = 778
_UNAVAILABLE = {
    _BUSY: ("is locked by another process", "wait a moment and run the command again"),
    _LOCKED: ("is locked by another process", "wait a moment and run the command again"),
    _READONLY: ("is read-only", "ls -l {folder}"),
    _IOERR: ("cannot be read or written by the disk", "df {folder}"),
    _FULL: ("has no room: the disk is full", "df {folder}"),
    _CANTOPEN: ("cannot be opened", "ls -la {folder}"),
}


def failure_of(error: Exception, path: Path | None) -> MemgardendError:
    """Our error for one of SQLite about the store at `path`, with a way out."""
    code = _whole_code(error) & _CODE_MASK
    where = str(path or "the store")
    if code in _UNAVAILABLE:
        what, hint = _UNAVAILABLE[code]
        folder = path.parent if path else "."
        kind = StoreLockedError if code in (_BUSY, _LOCKED) else StoreUnavailableError
        return kind(f"{where} {what} ({error})", hint=hint.format(folder=folder))
    if code == _NOTADB:
        return StoreError(
            f"{where} is not a memgardend store ({error})", hint="memgardend restore BACKUP"
        )
    if code == _CORRUPT:
        return StoreError(f"{where} is damaged ({error})", hint="memgardend restore BACKUP")
    return StoreError(f"{where} refused a statement: {error}", hint="memgardend doctor")


def is_unwritten(error: Exception) -> bool:
    """Whether it is about a file that cannot be written."""
    code = _whole_code(error)
    return code == _IOERR_WRITE or code & _CODE_MASK in (_FULL, _READONLY, _CANTOPEN)


def _whole_code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0))
