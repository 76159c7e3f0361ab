"""Dreams, their rounds, and what becomes of what these propose."""

from __future__ import annotations

from enum import StrEnum


class DreamState(StrEnum):
    """The life of a dream; the first four are open, the last three final."""

    PENDING = "pending"
    RUNNING = "running"
    FAILED = "failed"
    QUARANTINED = "quarantined"
    APPLIED = "applied"
    EMPTY = "empty"
    CANCELLED = "cancelled"


OPEN_STATES = frozenset(
    {DreamState.PENDING, DreamState.RUNNING, DreamState.FAILED, DreamState.QUARANTINED}
)


class RoundName(StrEnum):
    """The rounds, in order."""

    ATOMIC = "atomic"
    TOPIC = "topic"
    PROJECT = "project"


class RoundState(StrEnum):
    """The life of a round."""

    PLANNED = "planned"
    ASKED = "asked"
    ANSWERED = "answered"
    STAGED = "staged"
    SKIPPED = "skipped"


class OperationName(StrEnum):
    """The edits a round may propose."""

    REMEMBER = "remember"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    MERGE = "merge"
    SPLIT = "split"
    ARCHIVE = "archive"
    COMPLETE = "complete"


class Decision(StrEnum):
    """What became of an operation."""

    STAGED = "staged"
    REFUSED = "refused"
    REVIEW = "review"


class Refusal(StrEnum):
    """Why an operation was refused."""

    MALFORMED = "malformed"  # a field is missing or of the wrong kind
    WRONG_ROUND = "wrong_round"  # this round does not edit that layer
    UNKNOWN_TARGET = "unknown_target"  # an id that was not shown
    RETIRED_TARGET = "retired_target"  # archived, or retired earlier in this dream
    SHARED_TARGET = "shared_target"  # another operation of the round has this target
    UNKNOWN_PROJECT = "unknown_project"
    NO_EVIDENCE = "no_evidence"
    UNKNOWN_EVENT = "unknown_event"
    QUOTE_NOT_FOUND = "quote_not_found"
    QUOTE_TOO_SHORT = "quote_too_short"
    QUOTE_AMBIGUOUS = "quote_ambiguous"
    NOT_HUMAN = "not_human"  # soul, user and rules need a person's own words
    PASTED = "pasted"  # the quote lies in a pasted span
    OWN_TEXT = "own_text"  # our own text proves nothing
    REPLAYED = "replayed"  # a repeat of another window's message proves nothing new
    VALUE_UNPROVEN = "value_unproven"  # a number, path, … that no evidence shows
    VALUE_LOST = "value_lost"  # a merge or split drops a number, path, … of its parents
    SCOPE_LOST = "scope_lost"  # a merge or split leaves out where its parents apply
    CONTRADICTORY = "contradictory"  # the opposite of what it rests on, or a merge of opposites
    NEWER_KNOWN = "newer_known"  # the evidence is older than what the memory knows
    NO_CHANGE = "no_change"
    NO_REASON = "no_reason"
    EMPTY_TEXT = "empty_text"
    TOO_LONG = "too_long"
    PLACEHOLDER = "placeholder"
    HANDLE_LEAK = "handle_leak"  # handles or ids in text
    PROTOCOL_LEAK = "protocol_leak"  # JSON, markers or bookkeeping in text
    RESTS_ON_REFUSED = "rests_on_refused"  # builds on an operation that was refused
    CHANGED_SINCE_PLAN = "changed_since_plan"
    SECRET = "secret"  # noqa: S105 - a word, not a password


class Ending(StrEnum):
    """Every way out of one run of a dream: the same word in log, JSON and screen."""

    APPLIED = "applied"
    EMPTY = "empty"
    NOT_STARTED = "not_started"  # another worker was faster, or all slots are taken
    HELD = "held"  # a gate shut between claim and start
    PARKED = "parked"  # a peak began (park_at_peak), or the budget is spent: goes on later
    FENCED = "fenced"  # the lease was lost; somebody else goes on
    FAILED = "failed"
    QUARANTINED = "quarantined"
    CANCELLED = "cancelled"
    MODEL_UNAVAILABLE = "model_unavailable"
    REPLANNED = "replanned"  # the watermark moved under us
