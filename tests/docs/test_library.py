"""The programs in the pages on the library run as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import memgardend
from support.capturing import reply, row
from support.mounting import answers

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "docs" / "library.md"
NAMES = ROOT / "docs" / "reference" / "library.md"


class Store:
    """Whatever a host has."""

    def __init__(self) -> None:
        self.applied: list[Any] = []

    def apply(self, mutations: Any) -> None:
        self.applied += mutations


@pytest.mark.parametrize("page", [ROOT / "README.md", LIBRARY], ids=lambda page: page.name)
def test_python_in_the_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = [reply(row("Mei eats nothing spicy")), reply(row("Mei has a corgi"))]
    known: dict[str, Any] = {
        "my_model": answers(*said),
        "my_store": Store(),
        "text": "Mei: I got a corgi.",
    }
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, known)
    assert len(known["my_store"].applied) == 1
    assert known.get("receipt") is None or known["receipt"].written


def test_names_in_the_tutorial_exist() -> None:
    words = set(re.findall(r"`(?:\w+\.)?([A-Za-z_]\w+)\(", LIBRARY.read_text("utf-8")))
    known = {*memgardend.__all__, *dir(memgardend.GardenComponent), *dir(memgardend.CaptureSession)}
    known |= {*dir(memgardend.SqliteStore), *dir(memgardend.SelectionPolicy)}
    assert words - known == set()


def test_every_name_has_its_line() -> None:
    page = NAMES.read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE))
    assert rows.keys() == set(memgardend.__all__)
    assert [name for name, said in rows.items() if not said.endswith(".")] == []


def test_the_smallest_lines_of_serve_are_what_it_answers() -> None:
    from support.wire import Wire

    page = (ROOT / "docs" / "reference" / "serve.md").read_text("utf-8")
    block = re.search(r"```text\n.*?\n(.*?)```", page, re.DOTALL)
    assert block
    asked, _, searched, refused = block[1].splitlines()
    wire = Wire()
    answers_ = wire.lines(asked.encode(), searched.encode())
    assert answers_[0]["ok"] and answers_[1] == json.loads(refused)
