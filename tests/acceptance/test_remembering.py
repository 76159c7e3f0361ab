"""What a person does to memories by hand: remember, look up, edit, archive, and see what a message would bring."""

from __future__ import annotations

import json
from typing import Any

from support.commandline import CommandLine

PORT = "The staging server of the shop listens on port 8080."


def kept(command: CommandLine, *arguments: str) -> dict[str, Any]:
    """The memory that `remember` answers with."""
    memory: dict[str, Any] = command.ok("remember", *arguments, "--json").json()["memory"]
    return memory


def test_what_is_remembered_is_shown_as_it_is_stored(registered: CommandLine) -> None:
    shown = registered.ok(
        "remember", PORT, "--project", "shop", "-k", "staging", "--importance", "9"
    ).out
    assert all(
        part in shown for part in ("Remembered.", PORT, "importance 4", "shop is a new project")
    )
    again = registered.ok("remember", PORT, "--project", "shop", "-k", "staging").out
    assert "This was known; nothing had to be changed." in again
    contrary = registered.ok("remember", PORT.replace("8080", "9090"), "--project", "shop").out
    assert "stay beside it" in contrary and "8080" in contrary
    stored = registered.ok("memories", "--json").json()["memories"]
    assert sorted((one["keywords_auto"], one["origin"]) for one in stored) == [
        (False, "person"),
        (True, "person"),
    ]


def test_where_it_belongs_follows_from_what_it_is(registered: CommandLine) -> None:
    assert kept(registered, PORT)["scope"] == "unset"
    assert kept(registered, "Answer in British English.", "--layer", "rules")["scope"] == "global"


def test_a_memory_is_edited_archived_and_brought_back(registered: CommandLine) -> None:
    memory = kept(registered, PORT, "--project", "shop")["id"]
    edited = registered.ok("edit", memory[:8], "--title", "Port", "--project", "", "--json").json()
    assert (edited["changed"], edited["memory"]["scope"]) == (["title", "scope"], "unset")
    assert "Nothing to change." in registered.ok("edit", memory, "--title", "Port").out
    registered.ok("archive", memory, "--reason", "it moved")
    assert registered.ok("memories", "--json").json()["memories"] == []
    registered.ok("edit", memory, "--status", "active")
    history = registered.ok("why", memory, "--json").json()["history"]
    assert [one["operation"] for one in history] == ["remember", "update", "archive", "update"]
    assert [one["actor"] for one in history] == ["person"] * 4
    assert history[2]["reason"] == "it moved"


def test_mistakes_end_in_their_exit_codes(registered: CommandLine) -> None:
    memory = kept(registered, PORT)["id"]
    registered.ok("edit", memory, "--importance", "4")
    mistakes: list[tuple[list[str], int, str]] = [
        (["remember", "…"], 2, "says nothing"),
        (["edit", "%", "--title", "Gone"], 2, "no memory has an id"),
        (["edit", memory, "--title", "Else", "--revision", "1"], 1, "revision 2, not 1"),
        (["project", "blog"], 2, "known: none"),
        (["recall"], 2, "say what the message says"),
        (["recall", "--first", "--window", "w:1"], 2, "--first"),
    ]
    for arguments, code, told in mistakes:
        result = registered.run(*arguments)
        assert (result.code, result.out) == (code, ""), arguments
        assert told in result.err, arguments


def test_nothing_is_written_where_nobody_registered(command: CommandLine) -> None:
    command.configure("locale: en\nsources: []\n")
    assert command.run("remember", PORT).code == 78
    assert command.ok("recall", "which port").out == ""
    assert not (command.workspace / ".memgarden").exists()


def test_a_query_finds_as_agents_find(registered: CommandLine) -> None:
    port = kept(registered, PORT)["id"]
    kept(registered, "The kitchen needs a new kettle.")
    found = registered.ok("memories", "staging port", "--json").json()["memories"]
    assert [one["id"] for one in found] == [port]
    assert registered.ok("memories", "elephant").out == "No memories found.\n"
    registered.ok("archive", port)
    gone = [registered.ok("memories", "port", *more, "--json").json() for more in ([], ["--all"])]
    assert [[one["id"] for one in found["memories"]] for found in gone] == [[], [port]]


def test_a_project_is_shown_shelf_by_shelf(registered: CommandLine) -> None:
    kept(registered, PORT, "--project", "shop")
    kept(registered, "Write the tests first.", "--layer", "rules")
    todo = ["--layer", "project", "--subcategory", "todo"]
    kept(registered, "Rotate the staging keys.", "--project", "Shop", *todo)
    document = registered.ok("project", "shop", "--json").json()
    shelves = {one["name"]: [m["content"] for m in one["memories"]] for one in document["shelves"]}
    assert document["projects"] == ["shop"]
    assert {PORT, "Write the tests first.", "Rotate the staging keys."} == {
        content for contents in shelves.values() for content in contents
    }
    assert shelves["todo"] == ["Rotate the staging keys."]
    assert PORT in registered.ok("project", "shop").out


def test_whoever_names_no_project_is_told_which_there_are(registered: CommandLine) -> None:
    assert registered.run("project").err.splitlines() == [
        "error: no project is known yet",
        "try: memgardend run --once",
    ]
    kept(registered, PORT, "--project", "shop")
    assert registered.run("project").err.splitlines() == [
        "error: which project? known: shop",
        "try: memgardend project shop",
    ]


def test_a_look_at_recall_notes_nothing_and_a_window_remembers(registered: CommandLine) -> None:
    port = kept(registered, PORT, "--project", "global", "-k", "staging", "-k", "port")["id"]
    kept(registered, "Never deploy on a Friday.", "--layer", "rules")
    said = "Which port does the staging server use?"
    first = registered.ok("recall", "--first", "--json").json()
    assert (first["kind"], "Never deploy" in first["text"]) == ("block", True)
    look = registered.ok("recall", said, "--json").json()
    assert (look["kind"], look["memories"]) == ("hits", [port])
    inside = ["recall", said, "--window", "agent:1", "--json"]
    kinds = [registered.ok(*inside).json()["kind"] for _ in range(3)]
    assert kinds == ["block", "hits", "none"]
    quiet = registered.ok("recall", "elephants")
    assert (quiet.out, quiet.err) == ("", "nothing comes to mind\n")
    assert PORT in registered.ok("recall", "-", stdin=said).out


def test_a_look_at_recall_is_within_the_project_of_the_folder(registered: CommandLine) -> None:
    kept(registered, PORT, "--project", "shop")
    said = "Which port does the staging server use?"
    away = registered.ok("recall", said)
    assert (away.out, away.err.splitlines()) == (
        "",
        [
            "nothing comes to mind of what holds everywhere",
            "To look in a project, too, try: memgardend recall TEXT --project shop",
        ],
    )
    assert PORT in registered.ok("recall", said, "--project", "shop").out


def test_a_look_at_recall_knows_the_project_of_its_folder(registered: CommandLine) -> None:
    folder = registered.workspace / "shop"
    (folder / ".git").mkdir(parents=True)
    turn = {"window": "w", "id": "1", "at": "2026-11-29T01:00:00Z", "role": "human", "text": "Hi."}
    registered.ok("event", stdin=json.dumps(turn | {"cwd": str(folder)}))
    kept(registered, PORT, "--project", "shop")
    assert PORT in registered.run("recall", "Which port does it use in staging?", cwd=folder).out


def test_a_purge_without_a_terminal_wants_a_yes(registered: CommandLine) -> None:
    memory = kept(registered, PORT)["id"]
    asked = registered.run("purge", memory)
    assert (asked.code, f"memgardend purge {memory} --yes" in asked.err) == (2, True)
    done = registered.ok("purge", memory, "--yes", "--json").json()
    assert done == {"schema": 1, "memory": memory, "purged": True}
    assert registered.ok("memories", "--all", "--json").json()["memories"] == []
