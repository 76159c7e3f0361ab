"""The tool calls of a conversation, noted for their results: by which name they went, and which of them ran us.

What our own command prints in an agent's shell is our own text: it proves nothing and makes nothing due.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memgardend.core.own_commands import runs_memgardend
from memgardend.core.words import Role
from memgardend.daemon.sources.parts import short_input

if TYPE_CHECKING:
    from memgardend.daemon.sources.parts import Part

_SHELL = re.compile(r"(?:with |\(|session )ID:? ([\w-]+)")
"""How a result names the shell in which its command goes on, in Claude Code and in Codex."""
_ID = "id"
"""How fields end that name a shell (`bash_id`, `task_id`, `session_id`): it may be any number."""
_OUTPUT = re.compile(r"(?<![\w-])([\w-]++)\.output")
"""The file into which a shell of Claude Code writes."""
_SHELL_CHARS = 1_000
"""Within so much of a result."""

_PRINTED = "bash-stdout"
_TYPED = re.compile(rf"\s*+<(bash-input|{_PRINTED}|user_shell_command)\b")
"""Claude Code notes a person's command and what it prints apart, Codex in one."""


@dataclass(slots=True)
class Calls:
    """`names`: by call id. `ours`: the calls (ids) that ran memgardend; `shells`: those in which it goes on.

    `typed`: the person's last command in the agent's own shell was one.
    """

    names: dict[str, str] = field(default_factory=dict)
    ours: set[str] = field(default_factory=set)
    shells: set[str] = field(default_factory=set)
    typed: bool = False

    def call(self, call_id: object, name: str, given: object) -> Part:
        """A call; its text is what in the input tells what it was for."""
        ours = runs_memgardend(given) or (bool(self.shells) and self._reads_on(given))
        if isinstance(call_id, str):
            self.names[call_id] = name
            if ours:
                self.ours.add(call_id)
        return _role(ours=ours), short_input(given), name

    def result(self, call_id: object, text: str, name: str | None = None) -> Part:
        """A result, named after its call, or by itself where that is not known."""
        known = call_id if isinstance(call_id, str) else ""
        ours = known in self.ours
        if ours:
            self.shells.update(_SHELL.findall(text[:_SHELL_CHARS]))
        return _role(ours=ours), text, self.names.get(known, name)

    def noted(self, text: str) -> Role:
        """The role of what an agent notes by itself: also what a person ran in its shell, or what that printed."""
        match = _TYPED.match(text)
        if match is None:
            return Role.SYSTEM
        if match[1] != _PRINTED:
            self.typed = runs_memgardend(text)
        return Role.OWN if self.typed else Role.SYSTEM

    def _reads_on(self, given: object) -> bool:
        """Whether a call names one of our shells, or the file into which it writes."""
        fields = given if isinstance(given, dict) else _fields(given)
        ids = {str(value) for name, value in fields.items() if name.endswith(_ID)}
        files = {name for value in fields.values() for name in _OUTPUT.findall(str(value))}
        return not self.shells.isdisjoint(ids | files)


def _role(*, ours: bool) -> Role:
    return Role.OWN if ours else Role.TOOL


def _fields(given: object) -> dict[str, object]:
    """What stands in an input that is JSON in a text."""
    if not isinstance(given, str):
        return {}
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
