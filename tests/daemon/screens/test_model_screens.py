"""The screens of the model command, line by line."""

from __future__ import annotations

from typing import Any

from memgardend.daemon.screens.model import show_lines
from memgardend.daemon.screens.model import test_lines as tried_lines

SHOWN: dict[str, Any] = {
    "model": "llm",
    "command": ["llm", "prompt", "--no-log", "-m", "small"],
    "program": "/usr/bin/llm",
    "reads": "prompt",
    "environment": ["HOME", "PATH"],
    "missing": ["MY_KEY"],
    "timeout_minutes": 10.0,
    "silent_minutes": 5.0,
    "max_prompt_chars": 120_000,
}
TRIED: dict[str, Any] = {
    "ok": False,
    "model": "llm",
    "outcome": "login",
    "detail": "llm: ended with exit code 1: No key found",
    "hint": "llm keys set openai",
    "duration_ms": 1400,
    "tokens_in": 0,
    "tokens_out": 0,
    "tokens_reported": True,
}


def texts(lines: list[Any]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


def test_what_is_run_and_how_to_run_it_by_hand() -> None:
    assert texts(show_lines(SHOWN, 80)) == [
        "llm prompt --no-log -m small",
        "  program  /usr/bin/llm",
        "  reads    prompt on stdin, at most 120000 characters",
        "  sees     HOME, PATH",
        "  not set  MY_KEY",
        "  runs in  an empty folder of its own",
        "  ended    after 10 min",
        "           or after 5 min without output",
        "  try: echo 'Say hello.' | llm prompt --no-log -m small",
    ]


def test_a_command_that_reads_json_is_not_greeted() -> None:
    lines = texts(show_lines(SHOWN | {"reads": "json", "program": None, "missing": []}, 80))
    assert "  program  not found" in lines
    assert not [line for line in lines if "try:" in line or "not set" in line]


def test_what_is_wrong_and_what_to_type() -> None:
    assert texts(tried_lines(TRIED, 80)) == [
        "✗ llm: login",
        "  took    1.4 s",
        "  tokens  0 + 0",
        "  says    llm: ended with exit code 1: No key found",
        "  try: llm keys set openai",
    ]


def test_estimated_tokens_are_marked() -> None:
    fine = {"ok": True, "outcome": "ok", "detail": "", "hint": None, "tokens_reported": False}
    lines = texts(tried_lines(TRIED | fine | {"tokens_in": 41, "tokens_out": 16}, 80))
    assert lines == [
        "✓ llm: ok",
        "  took    1.4 s",
        "  tokens  about 41 + 16",
        "  budget  does not count this call",
    ]
