"""Finds the files of a source, and what stands before a place in one of them or at its end."""

from __future__ import annotations

import os
import stat
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.core.ports import SourceFile
from memgardend.daemon.sources.lines import (
    fingerprint,
    last_complete_byte,
    line_start_near,
    read_lines,
    start_of_lines_before,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memgardend.daemon.sources.lines import Line

COMPRESSED = (".zst", ".gz")
"""How the names of files end that agents, or people, compressed."""
LONGEST_BYTES = 16 << 20
"""How much of a file's head or tail is looked at for what may not be there at all."""
_TAIL_BYTES = 64 << 10
_LOOK_BACK_BYTES = 256 << 10  # how far before a chunk its tool calls are looked for
_LOOK_BACK_LINES = 64


class LineLogs:
    """What all sources of JSON lines have in common."""

    def end(self, file: SourceFile) -> int:
        """The byte after the last complete line."""
        return last_complete_byte(Path(file.path))

    def fingerprint(self, file: SourceFile, offset: int) -> str:
        """A hash of the file's first bytes and of those before the offset."""
        return fingerprint(Path(file.path), offset)


def listed(
    roots: Sequence[Path], wanted: Callable[[tuple[str, ...], str], bool]
) -> Iterator[SourceFile]:
    """The files below these folders whose folders and name are wanted; a root may name one file itself.

    Linked folders are not followed. Raises OSError after all others for the first folder that cannot be listed.
    """
    unlisted: list[OSError] = []
    for root in roots:
        if root.is_file():
            yield from stated(root)
            continue
        for folder, folders, names in os.walk(root, onerror=unlisted.append):
            folders.sort()
            below = Path(folder).relative_to(root).parts
            for name in sorted(names):
                if wanted(below, name):
                    yield from stated(Path(folder, name))
    for error in unlisted:
        if not isinstance(error, FileNotFoundError):  # absent, or deleted meanwhile
            raise error


def stated(path: Path) -> Iterator[SourceFile]:
    """The file as it is now, if it is one."""
    try:
        found = path.stat()
    except FileNotFoundError:  # deleted meanwhile, or a link to nothing
        return
    if stat.S_ISREG(found.st_mode):
        yield SourceFile(
            path=str(path),
            size=found.st_size,
            mtime_ns=found.st_mtime_ns,
            identity=f"{found.st_dev}:{found.st_ino}",
            compressed=path.name.endswith(COMPRESSED),
        )


def lines_before(path: Path, offset: int) -> Iterator[Line]:
    """Some lines before the offset, and at least 64 where there are so many. Raises OSError."""
    if offset == 0:
        return
    start = min(
        line_start_near(path, offset - _LOOK_BACK_BYTES),
        start_of_lines_before(path, offset, _LOOK_BACK_LINES),
    )
    yield from takewhile(lambda line: line.end <= offset, read_lines(path, start))


def tail(
    path: Path, size: int, told: Callable[[dict[str, Any]], tuple[int | None, str | None]]
) -> tuple[int | None, str | None]:
    """The latest time and the last title that records tell, from a tail that grows until it holds a time."""
    length = _TAIL_BYTES
    while True:
        last_at = last_title = None
        for line in read_lines(path, line_start_near(path, size - length)):
            for record in line.records:
                at, title = told(record)
                last_title = title or last_title
                if at is not None:
                    last_at = at if last_at is None else max(last_at, at)
        if last_at is not None or length >= min(size, LONGEST_BYTES):
            return last_at, last_title
        length *= 4
