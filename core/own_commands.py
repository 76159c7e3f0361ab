"""Shell commands that run memgardend or open its store: what they print is our own, though it carries no marker.

Output in a shell is for people and programs, so nothing in it is signed; the call is what we know it by.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memgardend.core.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = (
    *("status", "windows", "dreams", "show", "diff", "why"),
    *("memories", "project", "logs", "metrics"),
    *("dream", "cancel", "retry", "undo", "redo", "review", "skip", "unskip", "pause", "resume"),
    *("verify", "remember", "edit", "archive", "purge", "backup", "restore", "export", "import"),
    *("ingest", "event", "capture", "recall", "init", "config", "doctor", "model", "version"),
    *("install", "uninstall", "run", "serve", "mcp", "web", "manifest"),
)
"""What stands behind the name of the program (DESIGN section 9)."""

_NAME = "memgard"
"""It stands in every command of ours, and is looked for first: most commands are of others."""
_OURS = regex(
    rf"(?<![\w.-])memgardend(?:\.exe)?[\"']?[\s\\]+(?:{'|'.join(COMMANDS)})\b"
    r"|\b(?:from|import)\s+memgardend\b"
    r"|\.memgarden[/\\]\S{0,200}\.db\b"
)
"""The program with one of its commands, wherever it lies and whatever starts it (`uv run`, `python -m`,
`bash -lc`); Python that imports it; the file that holds the memory."""
_COMMAND_FIELDS = ("command", "cmd", "script", "code")
"""Where calls of shells and interpreters say what is to be run."""
_PATCH = "*** "
"""What a patch begins with, which Codex passes on as a text: it runs nothing."""


def runs_memgardend(given: object) -> bool:
    """Whether the input of a tool call, as an agent has noted it, runs a command whose output is ours."""
    return any(_NAME in text and _OURS.search(text) for text in _commands(given))


def _commands(given: object) -> Iterator[str]:
    """What is to be run: a text, also as JSON in a text, or what the fields for it say."""
    if isinstance(given, str):
        decoded = _object(given) if given.startswith("{") and _NAME in given else None
        if decoded is not None:
            yield from _commands(decoded)
        elif not given.startswith(_PATCH):
            yield given
    elif isinstance(given, dict):
        for name in _COMMAND_FIELDS:
            yield from _commands(given.get(name))
    elif isinstance(given, list):
        yield " ".join(part for part in given if isinstance(part, str))


def _object(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
