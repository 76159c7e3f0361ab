"""The model command as a person meets it: shown, tried, and missing in the night."""

from __future__ import annotations

import os
import shlex

from support.commandline import CommandLine
from support.standin import STANDINS, Home


def played(command: CommandLine, model: str, mood: str) -> None:
    """A registered workspace whose model is played by a stand-in of this mood."""
    command.extra["PATH"] = f"{STANDINS}{os.pathsep}{os.environ['PATH']}"
    Home(command.home).mood(mood)
    command.configure(f"locale: en\nsources: []\nmodel: {model}\n")
    command.ok("init", "--yes")


def test_the_command_is_shown_and_is_the_one_that_runs(command: CommandLine) -> None:
    played(command, "{preset: codex, name: gpt-9, env: [CODEX_KEY]}", "fine")

    shown = command.ok("model", "show", "--json").json()
    command.ok("model", "test")

    assert shown["command"][1:] == Home(command.home).seen("argv").splitlines()
    assert shown["program"] == str(STANDINS / "codex")
    assert (shown["reads"], shown["silent_minutes"], shown["missing"]) == (
        "prompt",
        5,
        ["CODEX_KEY"],
    )
    by_hand = shlex.join(shown["command"])
    assert f"try: echo 'Say hello.' | {by_hand}" in command.ok("model", "show").out


def test_a_night_without_login_says_what_to_type_in_the_morning(command: CommandLine) -> None:
    played(command, "{preset: claude}", "logged-out")
    command.push("mail", "I prefer tea to coffee.")

    tried = command.run("model", "test")
    night = command.run("run", "--once", "--json")

    assert tried.code == night.code == 69
    assert "✗ claude: login" in tried.out
    assert "Not logged in · Please run /login" in tried.out
    assert "try: claude auth login" in tried.out
    dream = night.json()["dreams"][0]
    assert (dream["ending"], dream["reason"], dream["hint"]) == (
        "model_unavailable",
        "atomic: login",
        "claude auth login",
    )

    Home(command.home).mood("fine")
    assert command.run("model", "test", "--json").json()["tokens_reported"]


def test_doctor_looks_for_the_command_without_spending_anything(command: CommandLine) -> None:
    played(command, "{preset: ollama, name: llama3.2}", "fine")
    assert command.ok("doctor").out
    assert not (command.home / "seen").exists()

    command.extra["PATH"] = "/nowhere"
    checks = command.run("doctor", "--json").json()["checks"]

    found = next(one for one in checks if one["name"] == "model")
    assert found["detail"] == "not_found: ollama: no such program"
    assert found["hint"].startswith("curl -fsSL https://ollama.com/install.sh")


def test_settings_that_cannot_work_are_78(command: CommandLine) -> None:
    command.configure("locale: en\nmodel: {preset: ollama}\n")
    assert command.run("model", "test").code == 78
    command.configure("locale: en\nmodel: {command: [./mine]}\n")
    assert "a whole path" in command.run("model", "show").err
