"""Every log event has a name in the past tense, and its place on the page that lists them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "events.md"
LEVELS = {
    "debug": "info",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "exception": "error",
    "critical": "critical",
}
IRREGULAR = {"kept", "lost", "slept", "read", "reset", "broken"}


@cache
def logged() -> list[tuple[str, str]]:
    """The name and level of every event that the code logs."""
    return sorted(set(_calls()))


def _calls() -> Iterator[tuple[str, str]]:
    for folder in ("core", "config", "jobs", "daemon"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and (level := _level(node.func)):
                    names = [one for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                    assert names, f"{file.name}:{node.lineno} logs an event without a plain name"
                    yield from ((str(one.value), level) for one in names)


def _level(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name) and function.id == "tell":
        return "info"
    if isinstance(function, ast.Attribute) and getattr(function.value, "id", None) == "log":
        return LEVELS.get(function.attr)
    return None


def test_the_page_lists_what_is_logged_and_nothing_else() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (\w+) \|", PAGE.read_text("utf-8"), re.M)
    assert sorted(listed) == logged()


def test_each_name_says_what_has_happened() -> None:
    assert [name for name, _ in logged() if not _is_past(name)] == []


def _is_past(name: str) -> bool:
    last = name.rpartition("_")[2]
    words = re.fullmatch(r"[a-z]+(_[a-z]+)+", name)
    return words is not None and (last.endswith("ed") or last in IRREGULAR)
