"""`make demo` is the main job on real input; it leaves nothing behind and touches nothing of the person."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_demo_dreams_the_fixtures_and_cleans_up(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memgardend.daemon.demo"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    for line in ("init", "run --once", "status", "dreams", "show ", "memories"):
        assert f"\n$ memgardend {line}" in done.stdout
    memories = done.stdout.partition("$ memgardend memories")[2]
    assert "Answer in British English and keep explanations short" in memories
    assert "fact     The staging port is 9090 now." in memories
    assert "“The staging port is 9090 now.”" in memories
    assert "fact     The staging port is 8080." not in memories, "the older value is superseded"
    assert "human, 2a9d4e event 1" in memories
