"""The page on recall: its policy works, and its numbers are those of the program."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memgardend.core.ranking import MAX_DECAY
from memgardend.core.recall import block, panorama, searching, window
from memgardend.daemon.policy import ENTRY_POINTS, load_policy
from support.recalling import Agent, in_memory, keep, known
from support.stores import NOW

PAGE = (Path(__file__).parents[2] / "docs" / "recall.md").read_text("utf-8")


def test_the_policy_of_the_page_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    said: dict[str, Any] = {}
    exec(program, said)
    module = ModuleType("mine")
    vars(module).update(said)
    monkeypatch.setitem(sys.modules, "mine", module)
    store = in_memory()
    keep(store, *(known(f"m{n}", keywords=("kubernetes",), as_of=NOW - 9 + n) for n in range(3)))
    agent = Agent(store, policy=load_policy("mine:newest_first"))
    assert agent.finds("kubernetes") == ["m2", "m1", "m0"]
    store.close()


def test_the_numbers_of_the_page_are_those_of_the_program() -> None:
    words = {5: "five", 8: "eight", 20: "twenty"}
    assert f"last {words[window.PROJECTS_ASKED]} panoramas" in PAGE
    assert f"last {words[window.WRITTEN]} memories" in PAGE
    assert f"the {words[searching.BEST]} best answers" in PAGE
    assert f"the {words[panorama.DONE_TODOS]} done last" in PAGE
    assert f"the weightiest {words[panorama.EVERYWHERE]}" in PAGE
    assert f"importance {block.RULES_IMPORTANCE} and more" in PAGE
    assert MAX_DECAY == 0.1
    assert f"`{ENTRY_POINTS}`" in PAGE
