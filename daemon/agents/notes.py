"""What files of agents held before us, and which folders we made for them: the way back, and a copy."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgardend.daemon.private_files import make_private_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable


class Notes:
    """Kept with this user's things, and not beside the files: agents read whole folders."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "agents"

    def file(self, settings: Path) -> Path:
        """Where the note on a settings file lies."""
        name = hashlib.sha256(str(settings).encode()).hexdigest()[:16]
        return self._folder / f"{name}.json"

    def before(self, settings: Path, current: bytes) -> tuple[bool, bytes | None]:
        """Whether the file is still as we left it; and what it held before (None: it was not there)."""
        note = self._read(settings)
        try:
            kept = note["before"]
            before = None if kept is None else base64.b64decode(kept, validate=True)
            return note["after"] == _digest(current), before
        except (ValueError, KeyError, TypeError):
            return False, None  # no note, or none to read; what is ours can still be taken out

    def folders(self, settings: Path) -> list[Path]:
        """The folders that we made for it, the innermost first."""
        made = self._read(settings).get("folders")
        return [Path(one) for one in made if isinstance(one, str)] if isinstance(made, list) else []

    def keep(
        self, settings: Path, before: bytes | None, after: bytes, folders: Iterable[Path] = ()
    ) -> None:
        """Remember all three; folders in addition to those that were made when it was written first."""
        made = dict.fromkeys([*self.folders(settings), *folders])
        make_private_folder(self._folder)
        note = {
            "file": str(settings),
            "before": None if before is None else base64.b64encode(before).decode(),
            "after": _digest(after),
            "folders": [str(one) for one in made],
        }
        write_atomically(self.file(settings), (json.dumps(note, indent=1) + "\n").encode())

    def forget(self, settings: Path) -> None:
        """The file is as it was."""
        self.file(settings).unlink(missing_ok=True)

    def _read(self, settings: Path) -> dict[str, Any]:
        try:
            note = json.loads(self.file(settings).read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return note if isinstance(note, dict) else {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
