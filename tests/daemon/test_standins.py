"""Each preset against a stand-in that behaves as its vendor's command does."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from memgardend.config.load import check
from memgardend.config.model import Config
from memgardend.core.clock import Clock, SystemClock
from memgardend.core.ports import ModelCall, ModelReply
from memgardend.core.words import Outcome
from memgardend.daemon.model import CommandModel
from memgardend.daemon.model_test import try_model
from support.standin import ORDERS, Home, LeapingClock

SECRET = "sk-ant-" + "Zq9" * 12


def config_of(order: str, **settings: Any) -> Config:
    preset, _, name = order.partition("/")
    model = {"preset": preset} | ({"name": name} if name else {}) | settings
    config, problems = check(f"locale: en\nmodel: {model!r}\n".replace("'", '"'))
    assert config is not None, problems
    return config


def ask(home: Home, order: str, clock: Clock | None = None) -> ModelReply:
    config = config_of(order)
    return try_model(CommandModel(config.model, clock or SystemClock(), home.environ()), config)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


USED = {
    "claude": (123, 7, True, "claude-sonnet-9", "0.0125"),
    "codex": (1200, 40, True, "gpt-9", None),
    "gemini": (900, 100, True, "gemini-9-pro", None),
    "llm": (41, 16, False, "small", None),
    "ollama": (41, 16, False, "llama3.2", None),
}


@pytest.mark.parametrize("preset", ORDERS)
def test_the_answer_is_found_and_its_use_read_or_marked_as_estimated(
    home: Home, preset: str
) -> None:
    home.mood("fine")

    reply = ask(home, ORDERS[preset])

    assert reply.outcome is Outcome.OK, reply.detail
    assert (reply.detail, reply.hint) == ("", None)
    used = (reply.tokens_in, reply.tokens_out, reply.tokens_reported, reply.model, reply.cost)
    assert used == USED[preset]


FAILURES: dict[tuple[str, str], tuple[Outcome, str, str]] = {
    ("claude", "logged-out"): (
        Outcome.LOGIN,
        "claude: ended with exit code 1: Not logged in · Please run /login",
        "claude auth login",
    ),
    ("claude", "plain"): (
        Outcome.LOGIN,
        "claude: ended with exit code 1: not the JSON object of claude: Not logged in · Please run /login",
        "claude auth login",
    ),
    ("claude", "broke"): (
        Outcome.LIMIT,
        "claude: ended with exit code 1: Credit balance is too low",
        "memgardend model show",
    ),
    ("claude", "overloaded"): (
        Outcome.REPORTED_ERROR,
        "claude: API Error: 529 Overloaded",
        "memgardend model show",
    ),
    ("claude", "no-model"): (
        Outcome.NO_MODEL,
        "claude: ended with exit code 1: There's an issue with the selected model (claude-x). It may not exist.",
        "model: {name: sonnet} in memgarden.yaml",
    ),
    ("claude", "no-network"): (
        Outcome.UNREACHABLE,
        "claude: ended with exit code 1: API Error: Unable to connect to API (ENOTFOUND)",
        "curl -sSI https://api.anthropic.com",
    ),
    ("claude", "too-long"): (
        Outcome.PROMPT_TOO_LONG,
        "claude: ended with exit code 1: Prompt is too long",
        "model: {max_prompt_chars: 20000} in memgarden.yaml, or a model that reads 8000 tokens or more",
    ),
    ("claude", "old"): (
        Outcome.OUTDATED,
        "claude: ended with exit code 1: error: unknown option '--strict-mcp-config'",
        "npm install -g @anthropic-ai/claude-code",
    ),
    ("codex", "logged-out"): (
        Outcome.LOGIN,
        "codex: ended with exit code 1: unexpected status 401 Unauthorized: Missing bearer",
        "codex login",
    ),
    ("codex", "broke"): (
        Outcome.LIMIT,
        "codex: ended with exit code 1: You've hit your usage limit. Try again at 3:00 PM.",
        "memgardend model show",
    ),
    ("gemini", "logged-out"): (
        Outcome.LOGIN,
        "gemini: ended with exit code 41: Please set an Auth method in your HOME/.gemini/settings.json",
        "gemini",
    ),
    ("gemini", "broke"): (
        Outcome.LIMIT,
        "gemini: ended with exit code 1: You have exhausted your daily quota on this model.",
        "memgardend model show",
    ),
    ("gemini", "no-model"): (
        Outcome.NO_MODEL,
        "gemini: ended with exit code 1: [API Error: models/gemini-x is not found for API version v1beta]",
        "model: {name: null} in memgarden.yaml",
    ),
    ("gemini", "no-network"): (
        Outcome.UNREACHABLE,
        "gemini: ended with exit code 1: [API Error: exception TypeError: fetch failed sending request]",
        "curl -sSI https://generativelanguage.googleapis.com",
    ),
    ("gemini", "turns"): (
        Outcome.EXIT,
        "gemini: ended with exit code 53: Reached max session turns for this session.",
        "memgardend model show",
    ),
    ("llm", "logged-out"): (
        Outcome.LOGIN,
        "llm: ended with exit code 1: Error: No key found - add one using 'llm keys set mistral' or set the "
        "LLM_MISTRAL_KEY environment variable",
        "llm keys set mistral",
    ),
    ("llm", "no-model"): (
        Outcome.NO_MODEL,
        "llm: ended with exit code 1: Error: 'Unknown model: small'",
        "llm models",
    ),
    ("llm", "no-network"): (
        Outcome.UNREACHABLE,
        "llm: ended with exit code 1: Error: Connection error.",
        "memgardend model show",
    ),
    ("llm", "too-long"): (
        Outcome.PROMPT_TOO_LONG,
        "llm: ended with exit code 1: Error: Requested tokens (9000) exceed context window of 4096",
        "model: {max_prompt_chars: 20000} in memgarden.yaml, or a model that reads 8000 tokens or more",
    ),
    ("llm", "chatty"): (
        Outcome.UNUSABLE,
        "llm: no JSON object could be read in the answer",
        "memgardend model show",
    ),
    ("ollama", "no-server"): (
        Outcome.UNREACHABLE,
        "ollama: ended with exit code 1: Error: could not connect to ollama server, run 'ollama serve' to start "
        "it",
        "ollama serve",
    ),
    ("ollama", "no-model"): (
        Outcome.NO_MODEL,
        "ollama: ended with exit code 1: Error: pull model manifest: file does not exist",
        "ollama list",
    ),
    ("ollama", "no-network"): (
        Outcome.UNREACHABLE,
        "ollama: ended with exit code 1: Error: pull model manifest: "
        'Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host',
        "curl -sSI https://ollama.com",
    ),
}


@pytest.mark.parametrize(("preset", "mood"), FAILURES)
def test_each_failure_has_its_word_a_sentence_and_something_to_type(
    home: Home, preset: str, mood: str
) -> None:
    home.mood(mood)

    reply = ask(home, ORDERS[preset])

    said = (reply.outcome, reply.detail.replace(str(home.path), "HOME"), reply.hint)
    assert said == FAILURES[preset, mood]
    assert (reply.text is None) == (mood != "chatty")


MINUTE = 60
ENDLESS: dict[tuple[str, str], tuple[int, Outcome, str, str]] = {
    ("codex", "no-network"): (
        11 * MINUTE,
        Outcome.UNREACHABLE,
        "codex: did not end before its deadline: Reconnecting... waiting for network "
        "(stream disconnected: Name does not resolve)",
        "curl -sSI https://chatgpt.com",
    ),
    ("codex", "hung"): (
        6 * MINUTE,
        Outcome.SILENT,
        "codex: said nothing for too long: it ended without a message",
        "model: {silent_minutes: 10} in memgarden.yaml",
    ),
    ("ollama", "first-run"): (
        11 * MINUTE,
        Outcome.NO_MODEL,
        "ollama: did not end before its deadline: pulling 8934d96d3f08: 9% ▕█ ▏ 9 MB/4.7 GB",
        "ollama pull llama3.2",
    ),
}


@pytest.mark.parametrize(("preset", "mood"), ENDLESS)
def test_what_would_never_end_is_ended_and_understood(home: Home, preset: str, mood: str) -> None:
    leap_seconds, *expected = ENDLESS[preset, mood]
    home.mood(mood)

    reply = ask(home, ORDERS[preset], LeapingClock(home, leap_seconds))

    assert [reply.outcome, reply.detail, reply.hint] == expected


@pytest.mark.parametrize("preset", ORDERS)
def test_the_prompt_goes_on_stdin_and_nothing_private_anywhere_else(
    home: Home, preset: str
) -> None:
    home.mood("fine")
    prompt = "What Mei said: the staging port is 9090."
    settings = config_of(ORDERS[preset], env=["VENDOR_KEY"]).model
    outside = {"VENDOR_KEY": SECRET, "OTHER_KEY": "sk-other", "LD_PRELOAD": "x.so"}
    model = CommandModel(settings, SystemClock(), home.environ() | outside)

    reply = model.ask(call(prompt), lambda: True)

    assert reply.outcome is Outcome.OK, reply.detail
    assert home.seen("stdin") == prompt
    assert "Mei" not in home.seen("argv") + home.seen("env")
    assert SECRET not in home.seen("argv")
    seen = dict(line.partition("=")[::2] for line in home.seen("env").splitlines())
    made_by_the_shell = {"PWD", "OLDPWD", "SHLVL", "_"}
    ours = {name for name in seen if name.startswith("MEMGARDEND_")}
    assert set(seen) - made_by_the_shell - ours == {"PATH", "HOME", "VENDOR_KEY"}
    assert seen["VENDOR_KEY"] == SECRET
    cwd = Path(home.seen("cwd").strip())
    assert re.fullmatch(r"memgardend-\w+", cwd.name)
    assert not cwd.exists()


def test_llm_keeps_no_log_of_the_prompts(home: Home) -> None:
    home.mood("fine")
    ask(home, "llm/small")
    assert not (home.path / "logs.db").exists()


def call(prompt: str) -> ModelCall:
    return ModelCall(
        purpose="dream",
        prompt=prompt,
        request="{}",
        window="event:w",
        dream="d-1",
        round="atomic",
        run=f"run-of-test-standins-{os.getpid()}",
    )
