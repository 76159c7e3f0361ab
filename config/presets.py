"""Model commands we know: how to call each, how it answers, and how it says that it cannot."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath

from memgardend.config.symptoms import Symptom
from memgardend.core.errors import ConfigError
from memgardend.core.words import Outcome


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
    symptoms: tuple[Symptom, ...] = ()
    install_hint: str = ""  # installs the command, and brings it up to date
    network_hint: str = ""  # shows whether its server can be reached
    free: bool = False  # spends no tokens: outside budgets

    @property
    def program(self) -> str:
        """The name of its program, without the folders."""
        return PurePath(self.argv[0]).name


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="offline",
            # -P: the working directory must not lend us modules
            argv=(sys.executable, "-P", "-m", "memgardend.daemon.offline"),
            input=Input.JSON,
            install_hint="pip install --force-reinstall memgardend",
            free=True,
        ),
        Preset(
            name="claude",
            # with a memory of its own it would leave a folder in `projects` for each call; hooks are the person's
            argv=(
                *("claude", "-p", "--output-format", "json", "--tools", ""),
                *("--no-session-persistence", "--strict-mcp-config"),
                *("--settings", '{"autoMemoryEnabled":false,"disableAllHooks":true}'),
            ),
            shape=AnswerShape.CLAUDE,
            model_flag=("--model",),
            symptoms=(
                Symptom(
                    Outcome.LOGIN,
                    r"not logged in|please run /login|invalid api key|oauth token has expired",
                    "claude auth login",
                ),
                Symptom(
                    Outcome.NO_MODEL,
                    r"issue with the selected model",
                    "model: {name: sonnet} in memgarden.yaml",
                ),
            ),
            install_hint="npm install -g @anthropic-ai/claude-code",
            network_hint="curl -sSI https://api.anthropic.com",
        ),
        Preset(
            name="codex",
            argv=(
                *("codex", "exec", "--skip-git-repo-check", "--ephemeral"),
                *("--ignore-user-config", "-s", "read-only"),
                *("--disable", "shell_tool", "--disable", "hooks", "--json", "-"),
            ),
            shape=AnswerShape.CODEX,
            model_flag=("-m",),
            silent_seconds=300,  # it speaks at each step
            symptoms=(
                Symptom(Outcome.LOGIN, r"not logged in|401 unauthorized", "codex login"),
                Symptom(
                    Outcome.NO_MODEL,
                    r"model is not supported|model_not_found|does not exist or you do not have",
                    "model: {name: null} in memgarden.yaml",
                ),
                # without a network it reconnects until a deadline ends it
                Symptom(Outcome.UNREACHABLE, r"reconnecting", "curl -sSI https://chatgpt.com"),
            ),
            install_hint="npm install -g @openai/codex",
            network_hint="curl -sSI https://chatgpt.com",
        ),
        Preset(
            name="gemini",
            # stdin and -p are joined; an empty -p only marks the call as headless
            # in a folder that is not trusted it would put `default` in place of `plan`
            argv=(
                *("gemini", "-o", "json", "-p", "", "--approval-mode", "plan"),
                *("--skip-trust", "-e", "none"),
            ),
            shape=AnswerShape.GEMINI,
            model_flag=("-m",),
            symptoms=(
                Symptom(Outcome.LOGIN, r"please set an auth method", "gemini", exit_code=41),
                Symptom(
                    Outcome.NO_MODEL,
                    r"models/[\w.-]+ is not found|modelnotfounderror|requested entity was not found",
                    "model: {name: null} in memgarden.yaml",
                ),
            ),
            install_hint="npm install -g @google/gemini-cli",
            network_hint="curl -sSI https://generativelanguage.googleapis.com",
        ),
        Preset(
            name="llm",
            argv=("llm", "prompt", "--no-log"),  # its own log would keep every prompt
            model_flag=("-m",),
            silent_seconds=300,
            symptoms=(
                # one tool for many vendors: it names the key itself
                Symptom(Outcome.LOGIN, r"'(llm keys set [\w.-]+)'", r"\1"),
                Symptom(Outcome.LOGIN, r"no key found", "llm keys"),
                Symptom(Outcome.NO_MODEL, r"unknown model", "llm models"),
            ),
            install_hint="uv tool install --upgrade llm",
        ),
        Preset(
            name="ollama",
            argv=("ollama", "run", "--format", "json", "--nowordwrap", "--hidethinking"),
            needs_model=True,
            silent_seconds=300,  # loading a large model takes its time
            symptoms=(
                Symptom(
                    Outcome.UNREACHABLE,
                    r"could not connect to (?:a running )?ollama|server not responding",
                    "ollama serve",
                ),
                Symptom(
                    Outcome.UNREACHABLE, r"no such host|dial tcp", "curl -sSI https://ollama.com"
                ),
                Symptom(Outcome.NO_MODEL, r"manifest: file does not exist", "ollama list"),
                # the first call of a model fetches gigabytes, longer than any deadline of ours
                Symptom(Outcome.NO_MODEL, r"pulling |model '.*' not found", "ollama pull MODEL"),
            ),
            install_hint="curl -fsSL https://ollama.com/install.sh | sh",
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
