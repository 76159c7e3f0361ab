"""Commands start fast: what one does not need is not imported."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "sqlite_utils",
    "sqlite3",
    "structlog",
    "ruamel.yaml",
    "rich.table",
    "asyncio",
    "hypothesis",
)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, memgardend.daemon.cli.app;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
