"""Real agents before a model stub: what they put before their model, what they write down, and what comes of it.

Claude Code and Codex as `make realagents` installs them; nothing here reaches beyond 127.0.0.1.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from realagents.agents import BIN, Agent
from realagents.conftest import FACT, RULE
from realagents.model_stub import SAID, last_said, texts_of

pytestmark = [
    pytest.mark.realagents,
    pytest.mark.skipif(not (BIN / "claude").exists(), reason="not installed: make realagents"),
]

PORT = "Which port has the staging server?"
BLOCK, HITS, AGAIN = ("round=block", "round=hits", "round=reinjection")


def blocks(text: str, kind: str) -> int:
    """How many of our texts of a kind stand before the model; each has a line at both ends."""
    return text.count(kind) // 2


def memories(agent: Agent) -> list[dict[str, Any]]:
    """What the workspace remembers."""
    found: list[dict[str, Any]] = agent.home.ok("memories", "--json").json()["memories"]
    return found


def test_the_block_once_then_hits_and_a_transcript_without_them(agent: Agent) -> None:
    agent.connect()
    session = agent.say("Good morning.")
    first = agent.stub.wait_for("Good morning.")
    assert (blocks(first, BLOCK), blocks(first, HITS)) == (1, 0)
    assert RULE in first
    assert FACT not in first
    assert agent.say(PORT, session) == session
    second = agent.stub.wait_for(PORT)
    assert (blocks(second, BLOCK), blocks(second, HITS)) == (1, 1)
    assert FACT in second

    report = agent.home.ok("ingest", "--json").json()
    assert (report["unreadable"], report["new_windows"]) == (0, 1)
    window = f"{agent.name}:{session}"
    before = memories(agent)
    assert agent.home.ok("dream", window, "--json").json()["dreams"]
    assert memories(agent) == before, "a script has said it, and the rest was ours"


def test_tools_are_called_and_answer_in_words(agent: Agent) -> None:
    agent.connect()
    fact = "The database lives in Frankfurt."
    kept = {"content": fact, "project": "global", "keywords": ["database"], "importance": 2}
    calls = [f"CALL memory_remember {json.dumps(kept)}", 'CALL memory_search {"query": "database"}']
    session = agent.say(
        "\n".join([*agent.to_find_tools("memory_remember", "memory_search"), *calls])
    )
    *_, remembered, _, found = texts_of(agent.stub.asked[-1])
    assert f"> {fact}" in remembered
    assert "> database" in found
    (memory,) = (one for one in memories(agent) if one["content"] == fact)
    assert memory["source_window"] == f"{agent.name}:{session}"


def test_what_a_person_says_is_dreamed_and_known_in_the_next_conversation(agent: Agent) -> None:
    agent.connect()
    rule = "Please always write dates as day, month and year."
    with agent.sit_down() as person:
        person.wait_for("❯", "Ask Codex")
        person.type(rule)
        agent.stub.wait_for(rule)
        person.wait_for(SAID)
        asked = len(agent.stub.asked)
        person.type("/dream" if agent.name == "claude-code" else "memgardend dream")
        person.wait_for("is claimed")
        assert all("dream" not in last_said(texts_of(one)) for one in agent.stub.asked[asked:])
        person.type("Thank you.")  # so that there is enough to compact
        person.wait_for(SAID)
        person.type("/compact")
        person.wait_for("ompacted")
        person.type(PORT)
        assert blocks(agent.stub.wait_for(PORT), AGAIN) == 1

    agent.home.ok("dream", "--due")
    learned = next(one for one in memories(agent) if one["layer"] == "rules" and one["evidence"])
    (proof,) = learned["evidence"]
    assert proof["quote"] in rule
    assert proof["role"] == "human"
    agent.say("Good evening.")
    assert learned["content"] in agent.stub.wait_for("Good evening.")


@pytest.mark.parametrize("trouble", ["elsewhere", "damage", "gone"])
def test_an_agent_does_not_notice_what_fails_in_a_hook(agent: Agent, trouble: str) -> None:
    agent.connect()
    folder = agent.home.workspace
    match trouble:
        case "elsewhere":
            folder = agent.home.home / "other"
            folder.mkdir()
        case "damage":
            (folder / ".memgarden" / "effective.json").write_text("{", "utf-8")
        case "gone":
            text = agent.settings.read_text("utf-8")
            agent.settings.write_text(
                text.replace("memgardend-hook", "no/memgardend-hook"), "utf-8"
            )
    agent.say("Good morning.", cwd=folder)
    assert blocks(agent.stub.wait_for("Good morning."), BLOCK) == 0


def test_a_copy_of_a_conversation_is_told_nothing_twice(agent: Agent) -> None:
    agent.connect()
    session = agent.say("Good morning.")
    with agent.sit_down(session) as person:
        person.wait_for("❯", "forked from")
        person.type(PORT)
        told = agent.stub.wait_for(PORT)
    assert (blocks(told, BLOCK), blocks(told, HITS)) == (1, 1)


def test_the_way_back_leads_to_every_byte_after_the_agent_has_run(agent: Agent) -> None:
    before = agent.settings.read_bytes() if agent.settings.exists() else None
    agent.connect()
    agent.say("Good morning.")
    agent.home.ok("uninstall", agent.name)
    assert (agent.settings.read_bytes() if agent.settings.exists() else None) == before
    agent.say("Good evening.")
    assert blocks(agent.stub.wait_for("Good evening."), BLOCK) == 0
