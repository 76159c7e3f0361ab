"""Whether the settings of a workspace were edited since somebody has read them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from memgardend.config.load import FILENAME

if TYPE_CHECKING:
    from pathlib import Path


def settings_mark(root: Path) -> str:
    """The same as long as `memgarden.yaml` says the same; empty where it cannot be read."""
    try:
        return f"{crc32((root / FILENAME).read_bytes()):08x}"
    except OSError:
        return ""
