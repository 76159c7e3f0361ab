"""`import text`: five megabytes of history, killed ten times on the way; and what else may be in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commandline import CommandLine

BATCH_CHARS = 50_000
MEGABYTES = 5
KILLS = (
    "judgement.asked#3",
    "judgement.answered#8",
    "edit.inside#9",
    "import.stored#10",
    "import.stored#1",
    "edit.inside#12",
    "judgement.answered#1",
    "import.stored#15",
    "judgement.asked#9",
    "edit.inside#7",
)
MODEL = """\
#!/bin/sh
# keeps what the material says of servers, each once
grep -o 'The server number [0-9]* is called [a-z]*[.]' | sort -u | awk '
  BEGIN { printf "{\\"cards\\": [" }
  { printf "%s{\\"action\\": \\"add\\", \\"type\\": \\"fact\\", \\"summary\\": \\"%s\\", \\"content\\": \\"%s\\"}", (NR > 1) ? ", " : "", $0, $0 }
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
        f"model: {{command: [{command.home / 'model.sh'}]}}\n"
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
