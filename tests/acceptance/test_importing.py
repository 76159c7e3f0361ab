"""`import text`: five megabytes of history, killed ten times on the way; and what else may be in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commandline import CommandLine

BATCH_CHARS = 100_000
MEGABYTES = 5
KILLS = (
    "judgement.asked#2",
    "judgement.answered#4",
    "edit.inside#5",
    "import.stored#5",
    "import.stored#1",
    "edit.inside#6",
    "judgement.answered#1",
    "import.stored#7",
    "judgement.asked#4",
    "edit.inside#3",
)
MODEL = r"""#!/bin/sh
# keeps what the material says of servers, each once
grep -o 'The server number [0-9]* is called [a-z]*[.]' | sort -u | awk '
  BEGIN { card = "%s{\"action\": \"add\", \"type\": \"fact\", \"summary\": \"%s\", \"content\": \"%s\"}"
          printf "{\"cards\": [" }
  { printf card, (NR > 1) ? ", " : "", $0, $0 }
  END { print "]}" }'
"""
NAMES = [a + b for a in ("basil", "clove", "dill", "fennel", "ginger") for b in "abcdefghijkl"]


def facts() -> list[str]:
    return [f"The server number {n} is called {name}." for n, name in enumerate(NAMES)]


def history() -> str:
    """A long chat in which something worth keeping is said now and then."""
    chatter = "User: and then the lamp by the river went out again\nAssistant: did it\n" * 1_200
    stretch = MEGABYTES * 1_000_000 // len(NAMES)
    return "".join(f"User: {fact}\n{chatter[:stretch]}\n" for fact in facts())


@pytest.fixture
def importing(command: CommandLine) -> CommandLine:
    command.configure(
        "locale: en\nsources: []\nbudget: {calls_per_day: null}\n"
        f"model: {{command: [{command.home / 'model.sh'}], max_prompt_chars: 200000}}\n"
    )
    script = command.home / "model.sh"
    script.write_text(MODEL)
    script.chmod(0o700)
    return command


def run_import(command: CommandLine, file: Path, *options: str) -> int:
    where = ("-w", str(command.workspace))
    return command.run("import", "text", str(file), *where, *options).code


def test_a_long_history_is_killed_ten_times_and_nothing_is_lost_or_there_twice(
    importing: CommandLine,
) -> None:
    file = importing.home / "history.txt"
    file.write_text(history())
    assert file.stat().st_size >= MEGABYTES * 1_000_000 * 0.98
    for place in KILLS:
        importing.extra["MEMGARDEND_FAILPOINT"] = f"{place}=kill"
        assert run_import(importing, file, f"--batch-chars={BATCH_CHARS}") == -9, place
    del importing.extra["MEMGARDEND_FAILPOINT"]
    where = ("-w", str(importing.workspace))
    last = importing.ok(
        "import", "text", str(file), f"--batch-chars={BATCH_CHARS}", "--json", *where
    ).json()
    assert (last["done"], last["resumed"], last["cards_written"]) == (True, True, len(NAMES))
    memories = importing.ok("memories", "--json", "--all", *where).json()["memories"]
    assert sorted(one["content"] for one in memories) == sorted(facts())


@pytest.fixture
def offline(command: CommandLine) -> CommandLine:
    """A workspace whose model is our own rules."""
    command.configure("locale: en\nsources: []\n")
    (command.workspace / "old.txt").write_text("User: Never deploy on Fridays.\nAssistant: Fine.\n")
    return command


WHERE = ("-w", ".")


def test_whoever_interrupts_is_told_how_it_goes_on(importing: CommandLine) -> None:
    script = importing.home / "model.sh"
    script.write_text("#!/bin/sh\nkill -INT $PPID\nsleep 60\n")
    file = importing.home / "old.txt"
    file.write_text("User: hi\n")
    result = importing.run("import", "text", str(file), "-w", str(importing.workspace))
    assert result.code == 130
    assert f"try: memgardend import text {file}" in result.err


def test_an_estimate_asks_and_stores_nothing(offline: CommandLine) -> None:
    said = offline.ok("import", "text", "old.txt", "--dry-run", *WHERE).out
    assert "1 batch" in said
    assert "Nothing was asked and nothing stored." in said
    assert not (offline.workspace / ".memgarden").exists()


def test_a_file_that_changed_is_begun_anew_on_request(offline: CommandLine) -> None:
    file = offline.workspace / "old.txt"
    assert offline.ok("import", "text", "old.txt", "--json", *WHERE).json()["cards_written"] == 1
    file.write_text(file.read_text() + "User: The staging port is 9090.\n")
    refused = offline.run("import", "text", "old.txt", *WHERE)
    assert refused.code == 2
    assert "changed since its import began (100 % done, cards written: 1)" in refused.err
    assert "try: memgardend import text old.txt --restart" in refused.err
    offline.ok("import", "text", "old.txt", "--restart", *WHERE)
    assert len(offline.ok("memories", "--json", *WHERE).json()["memories"]) == 2


def test_cards_may_go_into_a_file_of_their_own(offline: CommandLine) -> None:
    options = ("--storage", "cards.db", "--tenant", "mei")
    offline.ok("import", "text", "-", *options, *WHERE, stdin="I like tea more than coffee.")
    again = offline.ok(
        "import", "text", "-", *options, "--json", *WHERE, stdin="I like tea more than coffee."
    ).json()
    assert (again["resumed"], again["model_calls"], again["cards_written"]) == (True, 0, 1)
    assert offline.ok("memories", "--json", *WHERE).json()["memories"] == []
    assert (offline.workspace / "cards.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("none.txt",), "No such file"),
        (("old.txt", "--policy", "all"), "history_import"),
        (("old.txt", "--locale", "fr"), "no buckets for the locale 'fr'"),
        (("old.txt", "--batch-chars", "10"), "200"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    offline: CommandLine, options: tuple[str, ...], said: str
) -> None:
    result = offline.run("import", "text", *options, *WHERE)
    assert result.code == 2
    assert said in result.err
