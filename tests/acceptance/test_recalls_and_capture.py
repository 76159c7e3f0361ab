"""`logs --recalls` after messages, and `capture` where no workspace is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commandline import CommandLine

SAID = "Never deploy on Fridays. What time is it?"


def test_why_something_was_not_recalled(dreamed: CommandLine) -> None:
    (port, *_) = (one["id"] for one in dreamed.ok("memories", "9090", "--json").json()["memories"])
    window = "claude-code:not-read-yet"
    question = "Which port does the staging database run on?"
    elsewhere = "Where did my grandmother buy those green velvet curtains, in a staging area?"
    for text in ("hello", question, question, elsewhere):
        dreamed.ok("recall", text, "--window", window)
    every = dreamed.ok("logs", "--recalls", window, "--json").json()["recalls"]
    assert [(one["mode"], one["window"]) for one in every] == [
        ("block", window),
        *[("hits", window)] * 3,
    ]
    assert every[0]["recalled"]
    asked = dreamed.ok(
        *("logs", "--recalls", window, "--query", f" {question.upper()}", "--json")
    ).json()
    assert len(asked["recalls"]) == 2
    of_one = dreamed.ok("logs", "--recalls", window, "--memory", port, "--json").json()["recalls"]
    assert [one["verdict"] for one in of_one] == ["not_named", "recalled", "seen", "seen"]
    dreamed.ok("recall", "hello", "--window", "claude-code:new")
    dreamed.ok("recall", elsewhere, "--window", "claude-code:new")
    screen = dreamed.ok("logs", "--recalls", "claude-code:new", "--memory", port).out
    assert "shares too little with the question" in screen
    assert dreamed.run("logs", "--memory", port).code == 2


@pytest.mark.parametrize(
    ("text", "options", "code", "said"),
    [
        (SAID, ("--locale", "en"), 0, "Never deploy on Fridays."),
        ("What time is it?", ("--locale", "en"), 0, "Nothing in it is worth keeping."),
        (SAID, ("--locale", "fr"), 2, "no buckets for the locale 'fr'"),
        (SAID, ("--locale", "en", "--policy", "all"), 2, "history_import"),
        (SAID, ("--locale", "en", "--model-cmd", "/no/such/model"), 69, "no such program"),
        (SAID, ("--locale", "en", "--model-cmd", "echo nothing to say"), 1, "no_json_object"),
        ("", ("--locale", "en"), 2, "stdin is empty"),
    ],
)
def test_a_capture_outside_of_any_workspace(
    command: CommandLine, text: str, options: tuple[str, ...], code: int, said: str
) -> None:
    result = command.run("capture", "--window-file", "-", *options, stdin=text)
    assert result.code == code
    assert said in (result.err if code else result.out)
    assert [one.name for one in command.home.iterdir()] == ["work"]
    assert not list(command.workspace.iterdir())


def test_messages_of_the_assistant_are_no_words_of_the_person(command: CommandLine) -> None:
    lines = [
        {"role": "assistant", "text": "I always deploy on Mondays.", "at": "2026-11-30T10:00:00Z"},
        {"role": "user", "text": SAID, "at": "2026-11-30T10:01:00Z"},
    ]
    window = Path(command.home, "window.jsonl")
    window.write_text("\n".join(map(json.dumps, lines)))
    options = ("--window-file", str(window), "--locale", "en", "--json")
    document = command.ok("capture", *options).json()
    assert [one["card"]["content"] for one in document["mutations"]] == ["Never deploy on Fridays."]


def test_a_question_is_known_as_ours_where_conversations_are_read(
    registered: CommandLine,
) -> None:
    registered.push("other", "What time is it?")
    asked = registered.home / "asked.txt"
    options = ("--window-file", "-", "--locale", "en", "--model-cmd", f"tee {asked}")
    registered.run("capture", *options, stdin=SAID)
    assert asked.read_text().startswith("[memgardend-own ")
    registered.push("w", asked.read_text())
    gates = registered.ok("why", "w", "--json").json()["gates"]
    assert {gate["gate"]: gate["open"] for gate in gates}["nothing_new"] is False
