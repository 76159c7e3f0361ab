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


NOT_RESIDENT = ("_hashlib", "rich", "pygments", "ssl", "snowballstemmer.greek_stemmer")
"""What would weigh most in a process that stays for months."""
RUN = f"""
import json, sys
from memgardend.daemon.cli.app import main

sys.argv[1:] = ["run", "--json"]
try:
    main()
except SystemExit as ended:
    held = [name for name in {NOT_RESIDENT!r} if sys.modules.get(name) is not None]
    print(json.dumps([ended.code, held]))
import rich, ssl, structlog
structlog.dev.ConsoleRenderer()
"""


def test_a_daemon_holds_nothing_that_it_never_uses(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env=CommandLine(tmp_path).environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [78, []], done.stderr
