"""The main job, as a person does it: from nothing to memories with their proof."""

from __future__ import annotations

from support.commandline import CommandLine


def test_from_init_to_a_memory_with_its_quote(command: CommandLine) -> None:
    assert "Next: memgardend run --once" in command.ok("init", "--locale", "en").out
    command.push("mail", "Always use British English in your answers.")
    assert command.ok("status", "--json").json()["counts"]["due"] == 1

    ran = command.installed("run", "--once", "--json")
    assert ran.code == 0, ran
    assert [dream["ending"] for dream in ran.json()["dreams"]] == ["applied"]

    memories = command.ok("memories", "--json").json()["memories"]
    assert [memory["layer"] for memory in memories] == ["rules"]
    assert "British English" in memories[0]["evidence"][0]["quote"]
    assert command.ok("status", "--json").json()["windows"][0]["state"] == "dreamed"


def test_what_was_dreamed_is_not_dreamed_again(command: CommandLine) -> None:
    command.ok("init", "--locale", "en")
    command.push("mail", "The staging database runs on port 9090 now.")
    command.ok("run", "--once")
    again = command.ok("run", "--once", "--json").json()
    assert again["dreams"] == []
    assert len(command.ok("dreams", "--json").json()["dreams"]) == 1


def test_a_window_at_work_is_held_with_an_instant(command: CommandLine) -> None:
    command.ok("init", "--locale", "en")
    command.push("mail", "Remember this later.", at="2026-11-30T18:59:00Z")
    ran = command.ok("run", "--once", "--json").json()
    assert (ran["dreams"], ran["held"]) == ([], {"active": 1})
    assert ran["next_at"] == "2026-11-30T21:59:00Z"
    command.now = "2026-12-01T06:00:00+08:00"
    assert len(command.ok("run", "--once", "--json").json()["dreams"]) == 1


def test_a_person_may_dream_at_peak_and_past_skip(command: CommandLine) -> None:
    command.ok("init", "--locale", "en")
    command.push("mail", "I prefer tea to coffee.")
    command.now = "2026-12-01T10:00:00+08:00"
    command.ok("skip", "mail")
    assert command.ok("run", "--once", "--json").json()["dreams"] == []
    command.ok("dream", "mail")
    dream = command.ok("dreams", "--json").json()["dreams"][0]
    assert (dream["manual"], dream["overrode"]) == (True, ["skipped", "peak"])


def test_due_windows_are_dreamed_on_request(registered: CommandLine) -> None:
    registered.push("one", "I prefer tea to coffee.")
    registered.push("two", "The port is 9090 now.", at="2026-11-30T11:00:00Z")
    dreams = registered.ok("dream", "--due", "--json").json()["dreams"]
    assert [dream["window"] for dream in dreams] == ["event:two", "event:one"]


def test_progress_goes_to_stderr_and_the_answer_to_stdout(registered: CommandLine) -> None:
    registered.push("mail", "I prefer tea to coffee.")
    result = registered.ok("dream", "mail")
    assert result.out.strip() == "✓ event:mail applied"
    assert "Dreaming event:mail" in result.err
    assert "atomic" in result.err
