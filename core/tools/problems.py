"""What can go wrong with a call of a tool, by name: each prompt pack has a sentence for it (`problem.<name>`)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memgardend.core.errors import StoreLockedError, StoreUnavailableError
from memgardend.core.words import Refusal

if TYPE_CHECKING:
    from memgardend.core.errors import MemgardendError


class Problem(StrEnum):
    """The label of an error that a call may end with."""

    TOO_LONG = Refusal.TOO_LONG.value
    EMPTY_TEXT = Refusal.EMPTY_TEXT.value
    PLACEHOLDER = Refusal.PLACEHOLDER.value
    PROTOCOL_LEAK = Refusal.PROTOCOL_LEAK.value
    HANDLE_LEAK = Refusal.HANDLE_LEAK.value
    OWN_TEXT = Refusal.OWN_TEXT.value
    OTHER_LAYER = "other_layer"
    SAID_ELSEWHERE = "said_elsewhere"
    UNKNOWN_ID = "unknown_id"
    SEVERAL_IDS = "several_ids"
    GONE = "gone"
    CHANGED_SINCE = "changed_since"
    UNKNOWN_PROJECT = "unknown_project"
    SEVERAL_PROJECTS = "several_projects"
    NO_WINDOW = "no_window"
    LOCKED = "locked"
    UNAVAILABLE = "unavailable"
    OTHER = "other"


def problem_of(error: MemgardendError) -> Problem:
    """The name of what went wrong. What has none is for a person: its detail is said as it is."""
    if error.label:
        return Problem(error.label)
    if isinstance(error, StoreLockedError):
        return Problem.LOCKED
    return Problem.UNAVAILABLE if isinstance(error, StoreUnavailableError) else Problem.OTHER
