"""Who speaks in a user message of Codex: a person, a script, or the program itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memgardend.core.words import Role, WindowKind

if TYPE_CHECKING:
    from collections.abc import Iterator

# What the program writes itself it puts whole into one block of tags: `<skill>`, `<environment_context>`, …
_BLOCK = re.compile(r"\s*+<([A-Za-z][A-Za-z0-9_-]{0,60})(?: [^<>\n]{0,200})?>")
_SYSTEM_STARTS = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<skill>",
    "<user_shell_command>",
    "<turn_aborted>",
    "Another language model started to solve this problem",  # heads the summary of a compaction
)
# What an editor puts before the typed text, and the line after which that begins.
_EDITOR_STARTS = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_REQUEST = "## My request for Codex:\n"
# Programs that prompt the agent on their own.
_DRIVEN_SOURCES = ("exec", "mcp")
_DRIVEN_ORIGINATOR = "codex_exec"


def window_kind(meta: dict[str, Any]) -> WindowKind:
    """Whether a thread was started by another thread."""
    source = meta.get("source")
    spawned = isinstance(source, dict) and "subagent" in source
    if spawned or meta.get("thread_source") == "subagent" or parent_thread(meta) is not None:
        return WindowKind.SUBAGENT
    return WindowKind.MAIN


def parent_thread(meta: dict[str, Any]) -> object:
    """The thread that started this one: told by itself, or in its source."""
    found: object = meta
    for name in ("source", "subagent", "thread_spawn"):
        found = found.get(name) if isinstance(found, dict) else None
    spawn = found if isinstance(found, dict) else {}
    return meta.get("parent_thread_id") or spawn.get("parent_thread_id")


def role_of_prompts(meta: dict[str, Any]) -> Role:
    """Who prompts in this thread. A source told by more than a word is another program, not a person."""
    source = meta.get("source")
    driven = isinstance(source, dict) or source in _DRIVEN_SOURCES
    if driven or meta.get("originator") == _DRIVEN_ORIGINATOR:
        return Role.SCRIPT
    return Role.SCRIPT if window_kind(meta) is WindowKind.SUBAGENT else Role.HUMAN


def spoken_parts(text: str, role: Role) -> Iterator[tuple[Role, str]]:
    """A user message, taken apart into what the program or the editor wrote and what was typed."""
    if is_system(text):
        yield Role.SYSTEM, text
        return
    head, found, request = text.partition(_REQUEST)
    if found and head.lstrip().startswith(_EDITOR_STARTS):
        yield Role.SYSTEM, head.strip()
        text = request.strip()
    yield role, text


def is_system(text: str) -> bool:
    """Whether the program wrote all of a user message."""
    if text.lstrip().startswith(_SYSTEM_STARTS):
        return True
    block = _BLOCK.match(text)
    return block is not None and text.rstrip().endswith(f"</{block[1]}>")
