"""`python -m memgardend.daemon.offline` as a command."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from memgardend.core.clock import SystemClock
from memgardend.core.words import Outcome
from memgardend.daemon.process import run
from memgardend.daemon.process_result import ProcessResult

REQUEST = {
    "schema": 1,
    "purpose": "dream",
    "locale": "en",
    "round": "atomic",
    "window": {"project": "alpha", "title": None},
    "events": [
        {"handle": "e1", "role": "human", "text": "Das Büro: we always ship on Tuesdays."},
        {"handle": "e2", "role": "human", "text": "Our server is called Zoë-1 and has 64 GB."},
    ],
    "memories": [],
}
HEAVY = ("pydantic", "typer", "rich", "sqlite3", "sqlite_utils", "ruamel", "structlog", "asyncio")


def python(arguments: list[str], stdin: bytes, cwd: Path) -> ProcessResult:
    return run(
        [sys.executable, "-P", *arguments],
        stdin,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        cwd=cwd,
        total_seconds=60,
        clock=SystemClock(),
    )


def offline(stdin: bytes, cwd: Path) -> ProcessResult:
    return python(["-m", "memgardend.daemon.offline"], stdin, cwd)


def test_a_request_is_answered_in_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    result = offline(json.dumps(REQUEST, ensure_ascii=False).encode(), tmp_path)

    assert result.outcome is Outcome.OK, result.stderr
    answer = json.loads(result.stdout)
    assert answer["operations"][-1]["content"] == "Our server is called Zoë-1 and has 64 GB."
    assert "no language model" in answer["summary"]


@pytest.mark.parametrize(
    "stdin", [b"", b"hello", b"\xff\xfe", b"{}"], ids=["nothing", "prose", "no UTF-8", "no request"]
)
def test_anything_else_is_refused_with_a_way_out(stdin: bytes, tmp_path: Path) -> None:
    result = offline(stdin, tmp_path)

    assert result.returncode == 65
    assert result.stdout == ""
    first, second = result.stderr.splitlines()
    assert first.startswith("error: offline model, ")
    assert second == "try: memgardend model schema"


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    script = (
        "import sys; import memgardend.daemon.offline;"
        f"print('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    )

    result = python(["-c", script], b"", tmp_path)

    assert result.stdout == "loaded: []\n", result.stderr
