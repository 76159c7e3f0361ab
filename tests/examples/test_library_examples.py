"""The examples of the library run as they stand."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memgardend import InMemoryStore, SqliteStore

EXAMPLES = Path(__file__).parents[2] / "examples"
AGENT = EXAMPLES / "demo_agent" / "agent.py"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_quickstart_goes_from_a_policy_to_another_store(capsys: pytest.CaptureFixture[str]) -> None:
    load(EXAMPLES / "quickstart.py").main()
    lines = capsys.readouterr().out.splitlines()
    assert [line[:2] for line in lines] == ["1 ", "2 ", "3 ", "4 ", "5 "]
    assert lines[2] == "3 cards    ['Mei eats nothing spicy'], error: None"
    assert lines[3].startswith("4 store    1 card")
    assert lines[4] == "5 recall   Getting a dog"


def test_mount_in_ten_minutes_calls_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    load(EXAMPLES / "mount_in_ten_minutes.py").main()
    said = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert said["capture"] == "written: Mei has a corgi"
    assert said["invoke_tool"] == "- [c1] Mei has a corgi"
    assert said["MountedGarden"] == "written once: True, replayed: True"
    assert len(said) == 7


def chatted(agent: Any, *lines: str) -> list[str]:
    said: list[str] = []
    load(AGENT).chat(agent, lines, said.append)
    return said


def fake(store: Any) -> Any:
    module = load(AGENT)
    return module.Agent(module.FakeModel("Mei"), store, "Mei", "en")


def test_the_demo_agent_remembers_in_another_conversation(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "demo.db")
    bo = "Mei: “I have a corgi called Bo”"
    first = chatted(fake(store), "I have a corgi called Bo.", "", "I have a corgi called Bo.")
    assert first == ["Io: Tell me more.", f"  · remembered {bo}", f"Io: I remember: {bo}"]
    later = chatted(fake(store), "What of my corgi?", "How is the weather?", "/quit", "/memories")
    assert later == [f"Io: I remember: {bo}", "Io: Tell me more."]


def test_the_demo_agent_shows_tidies_and_forgets() -> None:
    agent = fake(InMemoryStore())
    said = chatted(
        agent,
        "My cat is old.",
        "/memories",
        "/tidy",
        "/forget x",
        "/forget 1",
        "/memories",
        "/help",
    )
    assert said[2:] == [
        "1. Mei: “My cat is old”",
        "nothing_worth_keeping",
        "no such memory",
        "forgotten: Mei: “My cat is old”",
        "none",
        load(AGENT).HELP,
    ]


def test_the_demo_agent_asks_a_command_and_survives_its_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    module = load(AGENT)
    echo = module.CommandModel(f"{shlex.quote(sys.executable)} -c 'print(\"Hello.\")'")
    agent = module.Agent(echo, InMemoryStore(), "Mei", "en")
    assert chatted(agent, "Good morning.") == ["Io: Hello."]
    assert "nothing kept: no_json_object" in capsys.readouterr().out
    broken = module.Agent(module.CommandModel("false"), InMemoryStore(), "Mei", "en")
    assert chatted(broken, "Hm.") == ["Io: (the model gave no answer: CalledProcessError)"]


def test_the_demo_agent_is_short() -> None:
    assert len(AGENT.read_text("utf-8").splitlines()) <= 200
