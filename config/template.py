"""The memgarden.yaml that `init` writes: what a person should see at first, saying the defaults."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.config.load import check
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.config.model import Config

_TEMPLATE = """\
# yaml-language-server: $schema=./.memgarden/schema.json
# The settings of this workspace. What is not said here has its default: memgardend config show

# The language of memories and prompts: en, zh-Hans, or a prompt pack of your own.
locale: {locale}

# How memories call the two of you. Empty: they avoid names.
names:
  assistant: {assistant}
  person: {person}

# Whose conversations are read. Default: every agent found{found}
# sources:
#   - kind: claude-code

# The command that dreams. `offline` is built in: no language model, no network, no key.
# Others: claude, codex, gemini, llm, ollama; or your own command as a list.
model:
  preset: offline
  # command: ["my-model", "--quiet"]   # reads the prompt on stdin, answers on stdout
  # env: [MY_MODEL_KEY]                # names of variables it may see

dream:
  idle_minutes: 180                    # a conversation rests so long before it is dreamed
  time_zone: Asia/Shanghai
  suppress_windows:                    # no dream starts at these times: the model costs more. []: none
    - {{start: "09:00", end: "12:00"}}
    - {{start: "14:00", end: "18:00"}}

budget:
  calls_per_day: 60                    # the offline preset is not counted
"""


def template(
    locale: str, *, assistant: str = "", person: str = "", found: Mapping[str, int] | None = None
) -> tuple[str, Config]:
    """The text of a new memgarden.yaml, and the settings it says; `found` counts the conversations of each agent.

    Raises UsageError for a locale or a name that the file cannot hold.
    """
    counts = ", ".join(f"{kind} ({count})" for kind, count in (found or {}).items())
    text = _TEMPLATE.format(
        locale=_quoted_if_needed(locale),
        assistant=json.dumps(assistant, ensure_ascii=False),
        person=json.dumps(person, ensure_ascii=False),
        found=f".\n# Found now: {counts}." if counts else ".",
    )
    config, problems = check(text)
    if config is None:
        raise UsageError(problems[0].message, hint=problems[0].hint)
    return text, config


def _quoted_if_needed(locale: str) -> str:
    return locale if locale.replace("-", "").isalnum() else json.dumps(locale, ensure_ascii=False)
