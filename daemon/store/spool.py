"""The spool: marks that found the store locked. Each is a file that appears whole, and is folded in later."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from memgardend.core.editorial.observability import assert_content_free
from memgardend.core.records.window_recall import Marks
from memgardend.core.words import Use

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FOLDER = "spool"
_SUFFIX = ".json"
TORN = ".torn"
_DIGEST_CHARS = 32


class Spool:
    """The spool of one garden, beside its store. Where there is no folder nothing waits."""

    def __init__(self, folder: Path, garden: str) -> None:
        self._folder = folder
        self._garden = garden

    def put(self, marks: Marks) -> None:
        """Leave marks for whoever writes next. Raises StoreUnavailableError."""
        # A hook does without, where nobody writes just now.
        from memgardend.daemon.private_files import make_private_folder, write_atomically
        from memgardend.daemon.store.folder import disk_errors

        name = f"{self._beginning(marks.window)}{marks.at:013d}-{os.urandom(4).hex()}{_SUFFIX}"
        said = {"garden": self._garden, **asdict(marks)}
        text = json.dumps(said, ensure_ascii=False)
        with disk_errors(self._folder):
            make_private_folder(self._folder)
            write_atomically(self._folder / name, text.encode())

    def of_window(self, window: str) -> list[Marks]:
        """What waits for a window, the oldest first."""
        return list(self._read(self._files(window)).values())

    def waiting(self, limit: int | None = None) -> dict[Path, Marks]:
        """What waits, at most so much of it, by file. A file that cannot be read is put aside."""
        return self._read(self._files()[:limit])

    def remove(self, files: Iterable[Path]) -> None:
        """Forget what was folded in; another process may have been faster."""
        for file in files:
            file.unlink(missing_ok=True)

    def _beginning(self, window: str | None) -> str:
        garden = f"{_digest(self._garden)}-"
        return garden if window is None else f"{garden}{_digest(window)}-"

    def _files(self, window: str | None = None) -> list[Path]:
        """The files of one window or of all, the oldest of each first. Mostly none, which is soon known."""
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            waiting = [file for file in self._folder.iterdir() if file.name.endswith(_SUFFIX)]
            if waiting:
                beginning = self._beginning(window)
                return sorted(file for file in waiting if file.name.startswith(beginning))
        return []

    def _read(self, files: Iterable[Path]) -> dict[Path, Marks]:
        found = {}
        for file in files:
            try:
                found[file] = _marks(file.read_bytes())
            except FileNotFoundError:
                continue  # folded in just now
            except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
                _put_aside(file)
        return found


def spool_beside(store_file: Path | None, garden: str) -> Spool | None:
    """The spool of a garden; None for a store in memory, which nobody else writes."""
    return None if store_file is None else Spool(store_file.parent / FOLDER, garden)


def torn_files(folder: Path) -> list[Path]:
    """The files that could not be read."""
    return sorted(folder.glob(f"*{TORN}"))


def _put_aside(file: Path) -> None:
    with suppress(FileNotFoundError):
        file.replace(file.with_suffix(TORN))


def _digest(text: str) -> str:
    import hashlib  # loads OpenSSL, for which a hook has no time where nothing waits

    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARS]


def _marks(text: bytes) -> Marks:
    said = json.loads(text)
    used = {Use(use): tuple(map(str, ids)) for use, ids in said.pop("used").items()}
    said.pop("garden")
    assert_content_free(said.get("record") or {})
    return Marks(**{**said, "used": used, "projects_asked": tuple(said["projects_asked"])})
