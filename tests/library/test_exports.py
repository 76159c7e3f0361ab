"""What `import memgardend` offers, and what it must not drag in."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import memgardend

SOURCE = Path(memgardend.__file__).read_text(encoding="utf-8")
DAEMON_ONLY = ("apscheduler", "structlog", "typer", "rich", "pydantic", "ruamel", "platformdirs")
PROGRAM = f"""
import sys, memgardend
assert len(sys.modules.keys() & {{"sqlite_utils", "memgardend.core"}}) == 0, "not lazy"
for name in memgardend.__all__:
    getattr(memgardend, name)
store = memgardend.SqliteStore(sys.argv[1])
row = {{"op": "add", "card": {{"summary": "a", "content": "b"}}}}
store.apply("t", [row], idempotency_key="k")
print(len(store.load("t").cards), [name for name in {DAEMON_ONLY} if name in sys.modules])
"""


def test_the_library_works_without_what_the_daemon_needs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1 []\n", "")


def test_every_name_is_there_and_typed() -> None:
    for name in memgardend.__all__:
        assert getattr(memgardend, name).__class__ is not None
        assert name in dir(memgardend)
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    typed = {alias.name: node.module for node in imports for alias in node.names}
    assert sorted(typed) == sorted(memgardend.__all__)
    for name, module in typed.items():
        assert module == f"memgardend.{memgardend._HOMES[name]}"


def test_the_smallest_program_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memgardend import SqliteStore, build_capture_prompt, get_policy, parse_capture_cards

    monkeypatch.chdir(tmp_path)
    prompt = build_capture_prompt(
        ai_name="io",
        user_name="老王",
        window="用户：我不吃辣，一吃就胃疼\n我：记住了",
        buckets="",
        threads="",
        identity="",
        cards="",
        locale="zh-Hans",
    )
    assert "老王" in prompt
    row = {
        "action": "add",
        "summary": "老王不吃辣",
        "content": "老王不吃辣，一吃就胃疼。",
        "type": "fact",
    }
    raw = json.dumps({"cards": [row]}, ensure_ascii=False)
    cards, err = parse_capture_cards(raw, policy="conversation_capture")
    assert err is None and get_policy("conversation_capture").max_cards == 2
    store = SqliteStore("memory.db")
    store.apply("user_1", [{"op": "add", "card": c} for c in cards], idempotency_key="turn_42")
    [card] = store.load("user_1").cards
    assert (card["summary"], card["content"]) == (row["summary"], row["content"])
    assert "action" not in card


def test_other_names_are_missing_as_usual() -> None:
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        memgardend.nothing_of_ours  # type: ignore[attr-defined]  # noqa: B018
