"""`make demo` is the main job on real input; it leaves nothing behind and touches nothing of the person."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What one run of the demo prints."""
    tmp_path = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "memgardend.daemon.demo"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    return done.stdout


def test_the_demo_dreams_the_fixtures_and_proves_each_memory(demo: str) -> None:
    english = demo.partition("/mira\n")[2]
    for line in ("init", "run --once", "status", "dreams", "show ", "memories"):
        assert f"\n$ memgardend {line}" in english
    memories = english.partition("$ memgardend memories")[2]
    assert "Answer in British English and keep explanations short" in memories
    assert "fact     The staging port is 9090 now." in memories
    assert "“The staging port is 9090 now.”" in memories
    assert "fact     The staging port is 8080." not in memories, "the older value is superseded"
    assert "human, 2a9d4e event 1" in memories


def test_the_demo_shows_two_agents_and_two_languages(demo: str) -> None:
    chinese, _, english = demo.partition("/mira\n")
    assert "codex" in english
    assert "claude-code" in english
    assert re.search(r"[\u4e00-\u9fff]{4}", chinese.partition("$ memgardend memories")[2])
    assert not re.search(r"[\u4e00-\u9fff]", english.partition("$ memgardend memories")[2])
