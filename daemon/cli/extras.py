"""The extras that a command may need."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec


def missing_tools() -> str | None:
    """What to type, for this very installation, where the SDK of the tools is missing; else None."""
    if find_spec("mcp") is not None:
        return None
    if find_spec("pip") is None:  # as in what `uv tool` makes
        return "uv tool install 'memgardend[mcp]'"
    return f"{shlex.quote(sys.executable)} -m pip install 'memgardend[mcp]'"
