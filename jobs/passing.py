"""Files in which nothing is ours: they are remembered, so that they are looked at again only once they change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memgardend.jobs.cursors import cursor_at
from memgardend.jobs.gathering import AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Collection, Container

    from memgardend.core.ports import Source, SourceFile, Store
    from memgardend.core.records import Cursor


@dataclass
class Passing:
    """Such files of one source, saved together: a machine may hold fifty thousand of them."""

    store: Store
    source: Source
    chunk_bytes: int
    _passed: list[tuple[Cursor, int | None]] = field(default_factory=list)

    def add(self, file: SourceFile, cursor: Cursor | None, *, nobodys: bool) -> int:
        """Remember a file; the unreadable lines in what is nobody's, so that they still show. Raises OSError."""
        passed = cursor_at(self.source, file, 0, None)
        if nobodys:
            lines, unreadable = self._count_lines(file)
            passed = replace(passed, lines=lines, unreadable=unreadable)
        self._passed.append((passed, cursor.offset if cursor else None))
        if len(self._passed) >= AT_ONCE:
            self.save()
        return passed.unreadable

    def save(self) -> None:
        """Save what was remembered, in one transaction. Raises what the store raises."""
        if self._passed:
            self.store.save_cursors(self._passed)
        self._passed = []

    def _count_lines(self, file: SourceFile) -> tuple[int, int]:
        lines = unreadable = offset = 0
        while (chunk := self.source.read(file, offset, self.chunk_bytes)) is not None:
            lines, unreadable = lines + chunk.lines, unreadable + chunk.unreadable
            offset = chunk.offset
            if not chunk.more:
                break
        return lines, unreadable


def never_read(files: Collection[SourceFile], read: Container[str]) -> list[SourceFile]:
    """The compressed files that were not `read` before, and do not lie there unpacked too."""
    there = {file.path for file in files}
    return [
        file
        for file in files
        if file.compressed and file.plain_path not in there and file.plain_path not in read
    ]
