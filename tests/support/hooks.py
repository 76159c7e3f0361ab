"""The payloads of hooks, in the shapes that the agents document, and a workspace that answers them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memgardend.daemon.hook import respond

DOCUMENTED: dict[str, dict[str, Any]] = {
    "claude-code": {"permission_mode": "default"},
    "codex": {"permission_mode": "default", "model": "gpt-5.4", "turn_id": "t1"},
}
"""What each agent says besides (code.claude.com/docs/en/hooks, codex-rs/hooks/schema)."""


def payload(
    event: str, session: str, cwd: object, *, agent: str = "claude-code", **more: Any
) -> bytes:
    """One payload."""
    said = {
        "session_id": session,
        "transcript_path": f"/home/me/{session}.jsonl",
        "cwd": str(cwd),
        "hook_event_name": event,
        **DOCUMENTED[agent],
        **more,
    }
    return json.dumps(said).encode()


def told(answer: bytes, event: str) -> str:
    """What an answer adds to the conversation; empty for no answer."""
    if not answer:
        return ""
    said = json.loads(answer)["hookSpecificOutput"]
    assert said.pop("hookEventName") == event
    context = said.pop("additionalContext")
    assert not said
    assert isinstance(context, str)
    return context


def ask(event: str, session: str, cwd: object, *, agent: str = "claude-code", **more: Any) -> str:
    """What a hook adds to the conversation at an event."""
    sent = payload(event, session, cwd, agent=agent, **more)
    with own_zone():
        return told(respond([agent], sent), event)


@contextmanager
def own_zone() -> Iterator[None]:
    """Leave this process in the zone in which it is: a hook, which soon ends, takes that of its workspace."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", os.environ.get("TZ", ""))
            yield
    finally:
        time.tzset()
