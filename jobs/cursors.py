"""How far a file was read, and whether it still is the file that was read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memgardend.core.records import Cursor

if TYPE_CHECKING:
    from memgardend.core.ports import Chunk, Source, SourceFile


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a cursor is to stand after a chunk of so many bytes, and where it stood."""

    cursor: Cursor
    expected_offset: int | None
    size_bytes: int


def is_unchanged(cursor: Cursor, file: SourceFile) -> bool:
    """True when nothing was written since the cursor was saved at the end of the file."""
    return (cursor.identity, cursor.size, cursor.mtime_ns) == (
        file.identity,
        file.size,
        file.mtime_ns,
    )


def holds_what_was_read(cursor: Cursor, file: SourceFile, source: Source) -> bool:
    """False for a file that was replaced, truncated or rewritten: it must be read again from its start.

    Raises OSError.
    """
    return (
        cursor.identity == file.identity
        and cursor.offset <= file.size
        and cursor.fingerprint == source.fingerprint(file, cursor.offset)
    )


def cursor_at(source: Source, file: SourceFile, offset: int, window: str | None) -> Cursor:
    """A fresh cursor. Raises OSError."""
    return Cursor(
        source=source.kind,
        path=file.path,
        identity=file.identity,
        offset=offset,
        size=file.size,
        mtime_ns=file.mtime_ns,
        fingerprint=source.fingerprint(file, offset),
        window=window,
    )


def cursor_after(source: Source, file: SourceFile, before: Cursor | None, chunk: Chunk) -> Cursor:
    """The cursor after a chunk. As long as there is more, it does not pass for unchanged. Raises OSError."""
    after = cursor_at(source, file, chunk.offset, chunk.window.id)
    return replace(
        after,
        size=-1 if chunk.more else after.size,
        lines=(before.lines if before else 0) + chunk.lines,
        unreadable=(before.unreadable if before else 0) + chunk.unreadable,
    )
