"""Where the answer lies in what each command prints."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgardend.config.presets import AnswerShape
from memgardend.daemon.replies import Printed, read_printed
from support.json_values import json_values


def lines(*events: dict[str, Any]) -> str:
    return "\n".join(json.dumps(event) for event in events)


CLAUDE = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "{}",
    "total_cost_usd": 0.0125,
    "usage": {
        "input_tokens": 3,
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": 20,
        "output_tokens": 7,
    },
    "modelUsage": {"claude-x": {}},
}
SAID = {"type": "item.completed", "item": {"id": "1", "type": "agent_message", "text": "{}"}}
THOUGHT = {"type": "item.completed", "item": {"id": "0", "type": "reasoning", "text": "hm"}}
USED = {"type": "turn.completed", "usage": {"input_tokens": 11, "output_tokens": 5}}
GEMINI = {
    "response": "{}",
    "stats": {"models": {"g-1": {"tokens": {"prompt": 9, "candidates": 2, "thoughts": 4}}}},
}

PRINTED: dict[str, tuple[AnswerShape, str, Printed]] = {
    "text is the answer": (AnswerShape.TEXT, "{}\n", Printed(text="{}\n")),
    "claude": (
        AnswerShape.CLAUDE,
        json.dumps(CLAUDE),
        Printed(text="{}", tokens_in=123, tokens_out=7, model="claude-x", cost_usd="0.0125"),
    ),
    "claude, an error that calls itself a success": (
        AnswerShape.CLAUDE,
        json.dumps(CLAUDE | {"is_error": True, "result": "Credit balance is too low"}),
        Printed(
            error="Credit balance is too low",
            tokens_in=123,
            tokens_out=7,
            model="claude-x",
            cost_usd="0.0125",
        ),
    ),
    "claude, an error without words": (
        AnswerShape.CLAUDE,
        json.dumps({"type": "result", "subtype": "error_max_turns", "is_error": True}),
        Printed(error="error_max_turns"),
    ),
    "claude, plain text": (
        AnswerShape.CLAUDE,
        "Not logged in",
        Printed(error="not the JSON object of claude: Not logged in"),
    ),
    "claude, several models": (
        AnswerShape.CLAUDE,
        json.dumps({"result": "{}", "modelUsage": {"a": {}, "b": {}}}),
        Printed(text="{}"),
    ),
    "codex": (
        AnswerShape.CODEX,
        lines({"type": "thread.started"}, THOUGHT, SAID, USED),
        Printed(text="{}", tokens_in=11, tokens_out=5),
    ),
    "codex, reconnected in the end": (
        AnswerShape.CODEX,
        lines({"type": "error", "message": "Reconnecting 1/5"}, SAID),
        Printed(text="{}"),
    ),
    "codex, a failed turn": (
        AnswerShape.CODEX,
        lines(SAID, {"type": "turn.failed", "error": {"message": "no quota"}}),
        Printed(error="no quota"),
    ),
    "codex, never connected": (
        AnswerShape.CODEX,
        lines({"type": "error", "message": "Reconnecting 5/5"}),
        Printed(error="Reconnecting 5/5"),
    ),
    "codex, nothing": (AnswerShape.CODEX, "", Printed(error="no word on why")),
    "codex, no message": (
        AnswerShape.CODEX,
        lines(USED),
        Printed(error="it ended without a message"),
    ),
    "codex, plain text": (
        AnswerShape.CODEX,
        lines({"type": "thread.started"}) + "\nError: usage limit reached\n",
        Printed(error="not the JSON lines of codex: Error: usage limit reached"),
    ),
    "gemini": (
        AnswerShape.GEMINI,
        json.dumps(GEMINI),
        Printed(text="{}", tokens_in=9, tokens_out=6, model="g-1"),
    ),
    "gemini, an error": (
        AnswerShape.GEMINI,
        json.dumps({"error": {"type": "ApiError", "message": "quota", "code": 1}}),
        Printed(error="quota"),
    ),
    "gemini, text": (
        AnswerShape.GEMINI,
        "hello",
        Printed(error="not the JSON object of gemini: hello"),
    ),
    "gemini, no answer": (
        AnswerShape.GEMINI,
        json.dumps({"stats": {}}),
        Printed(error="it reported an error"),
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_answer_and_its_use_are_found(name: str) -> None:
    shape, stdout, expected = PRINTED[name]
    assert read_printed(shape, stdout) == expected


def test_an_error_on_stderr_is_found_behind_notices() -> None:
    error = json.dumps({"error": {"message": "Please set an Auth method"}}, indent=2)

    printed = read_printed(AnswerShape.GEMINI, "", f"Loaded cached credentials.\n{error}\n")

    assert printed == Printed(error="Please set an Auth method")


@pytest.mark.parametrize("shape", [AnswerShape.CLAUDE, AnswerShape.CODEX])
def test_without_a_word_on_stdout_the_last_one_on_stderr_counts(shape: AnswerShape) -> None:
    assert read_printed(shape, " ", "a log\nbroken\n\n") == Printed(error="broken")


JSON = json_values(
    st.sampled_from(["result", "usage", "item", "type", "error", "response", "stats", "models"]),
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
)


@given(st.sampled_from(AnswerShape), JSON.map(json.dumps) | st.text())
def test_whatever_is_printed_is_either_an_answer_or_an_error(
    shape: AnswerShape, stdout: str
) -> None:
    printed = read_printed(shape, stdout)

    assert (printed.text is None) != (printed.error is None)
