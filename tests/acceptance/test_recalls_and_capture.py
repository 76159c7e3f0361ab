"""`logs --recalls` over records of a store, and `capture` where no workspace is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memgardend.core.clock import ManualClock
from memgardend.core.editorial.observability import query_fingerprint
from memgardend.core.records import Recall
from memgardend.daemon.failpoints import NoFailpoints
from memgardend.daemon.store import open_store
from support.commandline import CommandLine

SAID = "Never deploy on Fridays. What time is it?"


def note(command: CommandLine, window: str, question: str, *recalled: str, **left_out: str) -> None:
    store = open_store(
        command.workspace / ".memgarden" / "memory.db",
        "workspace",
        clock=ManualClock(0),
        failpoints=NoFailpoints(),
        create=False,
    )
    record = {
        "mode": "hits",
        "query_fingerprint": query_fingerprint(question),
        "query_empty": False,
        "counts": {"candidate_pool": 9, "injected": len(recalled), "cap": 2},
        "injected_ids": list(recalled),
        "rejected_reasons": dict.fromkeys(left_out.values(), 1),
        "rejected": [{"id": one, "reason": why} for one, why in left_out.items()],
    }
    store.note_recall(Recall(window=window, at=1_796_083_200_000, record=record))
    store.close()


def test_why_something_was_not_recalled(dreamed: CommandLine) -> None:
    port, rule = (
        one["id"]
        for word in ("9090", "British")
        for one in dreamed.ok("memories", word, "--json").json()["memories"][:1]
    )
    note(dreamed, "event:mail-1", "which port?", port, **{rule: "no_match"})
    note(dreamed, "event:mail-2", "which tea?", **{rule: "no_match", port: "over_cap"})
    every = dreamed.ok("logs", "--recalls", "--json").json()["recalls"]
    assert [len(one["recalled"]) for one in every] == [1, 0]
    asked = dreamed.ok("logs", "--recalls", "--query", " Which PORT?", "--json").json()["recalls"]
    assert [one["window"] for one in asked] == ["event:mail-1"]
    of_one = dreamed.ok("logs", "--recalls", "mail-2", "--memory", port, "--json").json()
    assert [(one["window"], one["verdict"]) for one in of_one["recalls"]] == [
        ("event:mail-2", "over_cap")
    ]
    assert "others matched better" in dreamed.ok("logs", "--recalls", "--memory", port).out
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
