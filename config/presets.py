"""Model commands we know: how to call each, how it answers, and how it says that it cannot."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum

from memgardend.core.errors import ConfigError


class Input(StrEnum):
    """What a model command gets on stdin."""

    PROMPT = "prompt"
    JSON = "json"


class AnswerShape(StrEnum):
    """How the answer lies in what a command prints."""

    TEXT = "text"
    CLAUDE = "claude"  # one result object
    CODEX = "codex"  # one event object a line
    GEMINI = "gemini"  # one object with response, stats, error


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One model command. `argv` is complete; `model_flag` says where a chosen model goes."""

    name: str
    argv: tuple[str, ...]
    input: Input = Input.PROMPT
    shape: AnswerShape = AnswerShape.TEXT
    model: str | None = None
    model_flag: tuple[str, ...] = ()  # put before the model's name
    needs_model: bool = False
    silent_seconds: float | None = None  # None: it may say nothing until the whole answer is there
    login_exits: frozenset[int] = frozenset()
    login_phrases: tuple[str, ...] = ()  # lower case, on stdout or stderr of a failed call
    login_hint: str = ""
    missing_hint: str = ""
    free: bool = False  # spends no tokens: outside budgets


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="offline",
            # -P: the working directory must not lend us modules
            argv=(sys.executable, "-P", "-m", "memgardend.daemon.offline"),
            input=Input.JSON,
            missing_hint="reinstall memgardend: its own Python is gone",
            free=True,
        ),
        Preset(
            name="claude",
            argv=(
                *("claude", "-p", "--output-format", "json", "--tools", ""),
                *("--no-session-persistence", "--strict-mcp-config"),
            ),
            shape=AnswerShape.CLAUDE,
            model_flag=("--model",),
            login_phrases=("not logged in", "please run /login", "invalid api key"),
            login_hint="claude auth login",
            missing_hint="npm install -g @anthropic-ai/claude-code",
        ),
        Preset(
            name="codex",
            argv=(
                *("codex", "exec", "--skip-git-repo-check", "--ephemeral"),
                *("--ignore-user-config", "-s", "read-only", "--json", "-"),
            ),
            shape=AnswerShape.CODEX,
            model_flag=("-m",),
            # it speaks at each step, and reconnects for ever when it has no network
            silent_seconds=300,
            login_phrases=("not logged in", "401 unauthorized", "please run `codex login`"),
            login_hint="codex login",
            missing_hint="npm install -g @openai/codex",
        ),
        Preset(
            name="gemini",
            # stdin and -p are joined; an empty -p only marks the call as headless
            argv=("gemini", "-o", "json", "-p", "", "--approval-mode", "plan"),
            shape=AnswerShape.GEMINI,
            model_flag=("-m",),
            login_exits=frozenset({41}),
            login_phrases=("please set an auth method",),
            login_hint="gemini",
            missing_hint="npm install -g @google/gemini-cli",
        ),
        Preset(
            name="llm",
            argv=("llm", "prompt", "--no-log"),  # its own log would keep every prompt
            model_flag=("-m",),
            silent_seconds=300,
            login_phrases=("no key found",),
            login_hint="llm keys set openai",
            missing_hint="uv tool install llm",
        ),
        Preset(
            name="ollama",
            argv=("ollama", "run", "--format", "json", "--nowordwrap", "--hidethinking"),
            needs_model=True,
            silent_seconds=300,  # loading a large model takes its time
            login_phrases=("could not connect to ollama",),
            login_hint="ollama serve",
            missing_hint="curl -fsSL https://ollama.com/install.sh | sh",
        ),
    )
}


def find_preset(name: str, model: str | None = None) -> Preset:
    """The preset of this name, calling this model where one is given.

    Raises ConfigError for an unknown name, and where a model is missing or makes no sense.
    """
    preset = PRESETS.get(name)
    if preset is None:
        raise ConfigError(f"model.preset: unknown preset {name!r}", hint=", ".join(PRESETS))
    if model is None:
        if preset.needs_model:
            raise ConfigError(
                f"model.name: {name} needs the name of a model", hint="name: llama3.2"
            )
        return preset
    if not preset.model_flag and not preset.needs_model:
        raise ConfigError(f"model.name: {name} has no models to choose from", hint="name: null")
    return replace(preset, argv=_with_model(preset, model), model=model)


def _with_model(preset: Preset, model: str) -> tuple[str, ...]:
    chosen = (*preset.model_flag, model)
    if preset.argv[-1] == "-":  # what stands for stdin stays last
        return (*preset.argv[:-1], *chosen, "-")
    return (*preset.argv, *chosen)
