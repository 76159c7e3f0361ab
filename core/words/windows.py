"""Who speaks in a window, what a window is, and what lets it dream."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Who speaks in an event."""

    HUMAN = "human"
    SCRIPT = "script"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    OWN = "own"
    REPLAY = "replay"


SPEECH_ROLES = frozenset({Role.HUMAN, Role.SCRIPT, Role.ASSISTANT})
"""Roles that make a window due. Replays and our own text never do."""

ACTIVITY_ROLES = SPEECH_ROLES | {Role.TOOL, Role.SYSTEM}
"""Roles that keep a window active."""


class WindowKind(StrEnum):
    """What a window is; only `main` ones dream."""

    MAIN = "main"
    SUBAGENT = "subagent"
    OWN = "own"


class WindowState(StrEnum):
    """The STATE column."""

    ACTIVE = "active"
    WAITING = "waiting"
    DUE = "due"
    DREAMING = "dreaming"
    DREAMED = "dreamed"
    SKIPPED = "skipped"
    OLD = "old"
    REVIEW = "review"
    FAILED = "failed"
    QUARANTINED = "quarantined"
    ARCHIVED = "archived"
    ASIDE = "aside"


class GateName(StrEnum):
    """The conditions for dreaming, in the order in which they are judged."""

    KIND = "kind"
    ARCHIVED = "archived"
    SKIPPED = "skipped"
    NOTHING_NEW = "nothing_new"
    OLD = "old"
    ACTIVE = "active"
    QUARANTINED = "quarantined"
    BACKOFF = "backoff"
    CLAIMED = "claimed"
    PEAK = "peak"
    BUDGET = "budget"
    BREAKER = "breaker"
    PAUSED = "paused"
