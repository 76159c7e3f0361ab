"""Where things lie, of a user and in a workspace. Light, as a hook looks there too."""

from __future__ import annotations

import os
import sys
from pathlib import Path

STORE_FILE = "memory.db"
EFFECTIVE_FILE = "effective.json"
EFFECTIVE_SCHEMA = 1
REGISTRY_FILE = "registry.json"
KEY_FILE = "key"
GARDEN = "workspace"
"""The key of a workspace's own garden in its store."""


def state_folder() -> Path:
    """`memgardend` in $XDG_STATE_HOME, or in what stands for that on this system: registry, key, log, doorbell."""
    given = os.environ.get("XDG_STATE_HOME", "").strip()
    usual = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return Path(given or Path.home() / usual) / "memgardend"
