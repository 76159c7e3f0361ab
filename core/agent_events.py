"""What agents tell a hook: the payloads of Claude Code and Codex, which agree in all that is read here.

Sources: code.claude.com/docs/en/hooks and developers.openai.com/codex/hooks, both as of autumn 2026.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

DREAM_COMMANDS = ("/dream", "/mcp__memgardend__dream", "memgardend dream")
"""What a person types to dream the conversation now. The second is what Claude Code makes of `/dream` where our
server is connected under its usual name; the third is for agents that keep `/` to themselves."""

_ID_CHARS = 200
_PROGRAM = ("<task-notification>", "<teammate-message", "<agent-message")
"""How prompts begin that Claude Code writes itself, and that its hooks are told of like a person's (2.1.332)."""


class Moment(StrEnum):
    """What has happened in a conversation."""

    START = "start"
    PROMPT = "prompt"
    COMPACTED = "compacted"
    FORKED = "forked"
    RESUMED = "resumed"
    STOP = "stop"


_MOMENTS = {
    "UserPromptSubmit": Moment.PROMPT,
    "PreCompact": Moment.COMPACTED,  # never asked for by `install`: it comes before the compaction succeeds
    "PostCompact": Moment.COMPACTED,
    "Stop": Moment.STOP,
}
_STARTS = {
    "startup": Moment.START,
    "clear": Moment.START,
    "compact": Moment.COMPACTED,
    "resume": Moment.RESUMED,
    "fork": Moment.FORKED,  # a copy of another conversation, in both (Claude Code 2.1.332, Codex 0.171)
}


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """One event of a conversation. `name`: as the agent calls it, and wants to hear it back."""

    moment: Moment
    name: str
    window: str
    cwd: str
    prompt: str

    @property
    def asks_to_dream(self) -> bool:
        """True for a message that is a command to us."""
        return self.moment is Moment.PROMPT and self.prompt.strip() in DREAM_COMMANDS


def read_payload(agent: str, raw: bytes) -> AgentEvent | None:
    """The event that a payload tells of; None for one that is nothing to us, such as those of sub-agents.

    Raises ValueError for what is no payload of a hook.
    """
    said = json.loads(raw.decode("utf-8", errors="replace"))
    if not isinstance(said, dict):
        raise ValueError("the payload is no object")
    name, session, cwd = (_text(said, key) for key in ("hook_event_name", "session_id", "cwd"))
    starts = name == "SessionStart"
    moment = _STARTS.get(_text(said, "source")) if starts else _MOMENTS.get(name)
    if moment is None or "agent_id" in said:
        return None
    if not session.isprintable() or not 0 < len(session) <= _ID_CHARS:
        raise ValueError("the payload names no session")
    prompt = _text(said, "prompt") if moment is Moment.PROMPT else ""
    if prompt.startswith(_PROGRAM):
        return None
    return AgentEvent(moment, name, f"{agent}:{session}", cwd, prompt)


def context_answer(event: AgentEvent, text: str) -> dict[str, object]:
    """The answer that adds a text to the conversation, beside what the person has typed."""
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


def refusal(reason: str) -> dict[str, object]:
    """The answer to a prompt that keeps it from the model, and shows the person why."""
    return {"decision": "block", "reason": reason}


def _text(said: dict[str, object], key: str) -> str:
    """A text of the payload, empty where there is none; halves of surrogate pairs become question marks."""
    value = said.get(key)
    return value.encode("utf-8", errors="replace").decode() if isinstance(value, str) else ""
