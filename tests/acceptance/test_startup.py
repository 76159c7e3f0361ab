"""Commands start fast: what one does not need is not imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.commandline import CommandLine

HEAVY = (
    "sqlite_utils",
    "sqlite3",
    "structlog",
    "pydantic",
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


NOT_RESIDENT = ("rich", "pygments", "ssl", "snowballstemmer.greek_stemmer")
"""What would weigh most in a process that stays for months."""


def test_a_daemon_holds_nothing_that_it_never_uses(tmp_path: Path) -> None:
    code = (
        "import json, sys; from memgardend.daemon.cli.app import run_command;"
        f"code = run_command(['run', '--json']); names = {NOT_RESIDENT!r};"
        "print(json.dumps([code, [name for name in names if name in sys.modules]]));"
        "import rich, ssl, structlog; structlog.dev.ConsoleRenderer()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=CommandLine(tmp_path).environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [78, []], done.stderr
