"""`/dream` for Claude Code: without this file the command is unknown there, and no hook hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.daemon.agents.install import Change, Done, content_of, real_file

if TYPE_CHECKING:
    from pathlib import Path

    from memgardend.daemon.agents.notes import Notes

TEXT = """\
---
description: Consolidate this conversation into memory now (memgardend)
disable-model-invocation: true
---

The person typed /dream, which a hook of memgardend answers before any model hears of it. None did: this folder
belongs to no registered workspace, or the hook failed. Do nothing but say so in one sentence, and that
`memgardend doctor` knows more.
"""
"""What a model reads only where our hook has not kept the command to itself."""


def plan_command(file: Path, notes: Notes) -> Change:
    """Decide what to write; a command of this name that is the person's own stays theirs."""
    file, text = real_file(file), TEXT.encode()
    current = content_of(file)
    if current == text:
        return Change(file, Done.UNCHANGED)
    if current is None or notes.before(file, current) == (True, None):
        return Change(file, Done.WRITTEN, text)
    return Change(file, Done.ABSENT)


def plan_command_removal(file: Path, notes: Notes) -> Change:
    """Decide whether to take it away: only where it is as we wrote it."""
    file = real_file(file)
    current = content_of(file)
    ours = current is not None and (
        current == TEXT.encode() or notes.before(file, current) == (True, None)
    )
    return Change(file, Done.REMOVED if ours else Done.ABSENT)
