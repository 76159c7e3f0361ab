"""Look at the files of a source once, for all workspaces, and at nearly nothing when nothing changed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.clock import DAY_MS, MINUTE_MS
from memgardend.daemon.service.cadence import Cadence
from memgardend.daemon.sources.files import stated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memgardend.core.ports import Chunk, Source, SourceFile
    from memgardend.core.records import Window

FEW_FILES = 2_000
"""So many are listed each minute; of more, only folders and the files of the last days are looked at."""
WHOLE_MS = 15 * MINUTE_MS
"""How often all is listed; what could not be read is then tried again."""
RECENT_MS = 2 * DAY_MS


@dataclass
class Scan:
    """A source as last seen. `version` rises when a file changed, `rounds` when all were listed.

    The files themselves are kept only as long as they are few: fifty thousand would weigh 20 MB.
    """

    source: Source
    version: int = 0
    rounds: int = 0
    problem: OSError | None = None
    _count: int = 0
    _digest: int = 0
    _few: dict[str, SourceFile] = field(default_factory=dict)
    _recent: dict[str, int] = field(default_factory=dict)  # the mark of each
    _folders: dict[str, int] = field(default_factory=dict)
    _whole: Cadence = field(default_factory=lambda: Cadence(WHOLE_MS))

    def look(self, now: int) -> None:
        """Look again."""
        whole = self._whole.due(now)
        if whole or self._count <= FEW_FILES or self._folders != _changed_at(self._folders):
            changed = self._list(now)
        else:
            changed = self._look_at_recent()
        if changed or not self.version:
            self.version += 1
        if whole:
            self._whole.done(now)
            self.rounds += 1

    def files(self) -> Iterator[SourceFile]:
        """The files. Raises OSError after them for what could not be listed."""
        if self._count > FEW_FILES:
            yield from self.source.files()
            return
        yield from self._few.values()
        if self.problem is not None:
            raise self.problem

    def _list(self, now: int) -> bool:
        """Look at every file; True when one is not as it was."""
        since_ns = (now - RECENT_MS) * 1_000_000
        before, folders = self._digest, set[str]()
        self._few, self._recent = {}, {}
        self._count = self._digest = 0
        self.problem = None
        try:
            for file in self.source.files():
                self._count += 1
                self._digest = hash((self._digest, file.path, _mark(file)))
                folders.add(os.path.dirname(file.path))  # noqa: PTH120 - fifty thousand of them
                if self._count <= FEW_FILES:
                    self._few[file.path] = file
                if file.mtime_ns >= since_ns:
                    self._recent[file.path] = _mark(file)
        except OSError as error:
            self.problem = error
        if self._count > FEW_FILES:
            self._few = {}
        top = Path(os.path.commonpath(folders)) if folders else None
        self._folders = _changed_at(
            {str(one) for folder in folders for one in _up_to(top, Path(folder))}
        )
        return self._digest != before

    def _look_at_recent(self) -> bool:
        """Look at the files that changed in the last days: nearly all writing goes on there."""
        found = {one.path: _mark(one) for path in self._recent for one in stated(Path(path))}
        changed = found != self._recent
        self._recent = found
        return changed


@dataclass(frozen=True, slots=True)
class Scanned:
    """A source whose files were listed already; `alive` is called between the steps of reading them."""

    scan: Scan
    alive: Callable[[], None]

    @property
    def kind(self) -> str:
        """The source's."""
        return self.scan.source.kind

    def files(self) -> Iterator[SourceFile]:
        """Those of the scan."""
        return self.scan.files()

    def read(self, file: SourceFile, offset: int, limit_bytes: int) -> Chunk | None:
        """As the source does."""
        self.alive()
        return self.scan.source.read(file, offset, limit_bytes)

    def peek(self, file: SourceFile) -> Window | None:
        """As the source does."""
        self.alive()
        return self.scan.source.peek(file)

    def end(self, file: SourceFile) -> int:
        """As the source does."""
        return self.scan.source.end(file)

    def holds_any(self, file: SourceFile, native_ids: Sequence[str]) -> bool:
        """As the source does."""
        self.alive()
        return self.scan.source.holds_any(file, native_ids)

    def fingerprint(self, file: SourceFile, offset: int) -> str:
        """As the source does."""
        return self.scan.source.fingerprint(file, offset)


class Scans:
    """The sources of all workspaces: one that several of them name is looked at once a minute."""

    def __init__(self) -> None:
        self._scans: dict[str, Scan] = {}
        self._looked: set[str] = set()

    def begin(self) -> None:
        """A new minute."""
        self._looked.clear()

    def of(self, name: str, source: Source, now: int) -> Scan:
        """The scan of a source, looked at in this minute."""
        scan = self._scans.setdefault(name, Scan(source))
        if name not in self._looked:
            self._looked.add(name)
            scan.look(now)
        return scan


def _mark(file: SourceFile) -> int:
    """Another one once the file was written to or replaced."""
    return hash((file.size, file.mtime_ns, file.identity))


def _changed_at(folders: dict[str, int] | set[str]) -> dict[str, int]:
    """When names were last added to or taken from each folder; -1 for one that is gone."""
    return {folder: _mtime_ns(folder) for folder in folders}


def _mtime_ns(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - each minute, for each of many
    except OSError:
        return -1


def _up_to(top: Path | None, folder: Path) -> Iterator[Path]:
    """The folder and those around it, up to the one that holds all."""
    yield folder
    while folder != top and folder != folder.parent:
        folder = folder.parent
        yield folder
