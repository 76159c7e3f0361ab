"""What the words of a failed command mean, whichever command it is."""

from __future__ import annotations

import pytest

from memgardend.config.symptoms import EVERY_COMMAND, Recognised, Symptom, recognise
from memgardend.core.words import Outcome

SAID: dict[str, Outcome | None] = {
    "error: unknown option '--tools'": Outcome.OUTDATED,
    "error: unexpected argument '--ephemeral' found": Outcome.OUTDATED,
    "Unknown argument: skipTrust": Outcome.OUTDATED,
    "Error: No such option: --no-log": Outcome.OUTDATED,
    "Error: unknown flag: --hidethinking": Outcome.OUTDATED,
    "Error: Unknown feature flag: shell_tool": Outcome.OUTDATED,
    "Prompt is too long": Outcome.PROMPT_TOO_LONG,
    "This model's maximum context length is 8192 tokens": Outcome.PROMPT_TOO_LONG,
    "Requested tokens (9000) exceed context window of 4096": Outcome.PROMPT_TOO_LONG,
    "Credit balance is too low": Outcome.LIMIT,
    "RateLimitError: 429": Outcome.LIMIT,
    "You've hit your usage limit.": Outcome.LIMIT,
    "Error code: 429 Too Many Requests": Outcome.LIMIT,
    "You exceeded your current quota: insufficient_quota": Outcome.LIMIT,
    "Error: Connection error.": Outcome.UNREACHABLE,
    "connect ECONNREFUSED 127.0.0.1:11434": Outcome.UNREACHABLE,
    "getaddrinfo ENOTFOUND api.example.com": Outcome.UNREACHABLE,
    "curl: (6) Could not resolve host: api.example.com": Outcome.UNREACHABLE,
    "curl: (7) Failed to connect to 127.0.0.1 port 80 after 0 ms": Outcome.UNREACHABLE,
    "curl: (7) Couldn't connect to server": Outcome.UNREACHABLE,
    "curl: (52) Empty reply from server": Outcome.UNREACHABLE,
    "Temporary failure in name resolution": Outcome.UNREACHABLE,
    "ModuleNotFoundError: No module named 'x'": None,
    "cannot generate limited output": None,
    "Segmentation fault": None,
    "": None,
}


@pytest.mark.parametrize("said", SAID, ids=str)
def test_the_usual_words_are_understood(said: str) -> None:
    found = recognise(EVERY_COMMAND, said, 1, None)
    assert (found and found.outcome) == SAID[said]


def test_the_line_that_says_so_last_is_shown() -> None:
    pull = Symptom(Outcome.NO_MODEL, "pulling ", "ollama pull MODEL")

    found = recognise([pull], "pulling 1%\n  pulling 2%  \ndone", 1, "a b")

    assert found == Recognised(Outcome.NO_MODEL, "pulling 2%", "ollama pull 'a b'")


def test_the_command_may_name_the_hint_itself() -> None:
    key = Symptom(Outcome.LOGIN, r"'(keys set \w+)'", r"llm \1")
    assert recognise([key], "use 'keys set x'", 1, None) == Recognised(
        Outcome.LOGIN, "use 'keys set x'", "llm keys set x"
    )


def test_an_exit_code_is_enough() -> None:
    login = Symptom(Outcome.LOGIN, "auth", "gemini", exit_code=41)
    assert recognise([login], "?", 41, None) == Recognised(Outcome.LOGIN, "", "gemini")
    assert recognise([login], "?", 1, None) is None
