"""The words of the program, each once: what tables, logs, JSON and screens say (DESIGN section 1)."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """The seven layers of memory."""

    SOUL = "soul"
    USER = "user"
    PROJECT = "project"
    FACT = "fact"
    LESSON = "lesson"
    TOPIC = "topic"
    RULES = "rules"


PERSONAL_LAYERS = frozenset({Layer.SOUL, Layer.USER, Layer.RULES})
"""Layers that only a person's own words can prove."""


class Subcategory(StrEnum):
    """The shelves of a project panorama."""

    OVERVIEW = "overview"
    STRUCTURE = "structure"
    DECISIONS = "decisions"
    QUOTES = "quotes"
    OPS = "ops"
    TODO = "todo"


class Status(StrEnum):
    """The life of a memory: current, finished, or no longer true."""

    ACTIVE = "active"
    STALE = "stale"
    ARCHIVED = "archived"


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


class BudgetKind(StrEnum):
    """The limits on model calls, named as the settings that hold them."""

    CALLS_PER_HOUR = "calls_per_hour"
    CALLS_PER_DAY = "calls_per_day"
    TOKENS_PER_DAY = "tokens_per_day"
    MONEY_PER_DAY = "money_per_day"


class CallPurpose(StrEnum):
    """What a model command is run for."""

    DREAM = "dream"
    REFLECT = "reflect"
    IMPORT = "import"
    CAPTURE = "capture"
    TEST = "test"


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


class Outcome(StrEnum):
    """How one model call ended."""

    ASKED = "asked"  # it has not: it is under way, or its worker died
    OK = "ok"
    EXIT = "exit"  # a return code other than 0
    SIGNAL = "signal"  # ended by a signal that we did not send
    TIMEOUT = "timeout"  # the total deadline
    SILENT = "silent"  # the no-output deadline
    TOO_LARGE = "too_large"  # more output than the cap
    EMPTY = "empty"  # return code 0 and nothing but white space
    NOT_UTF8 = "not_utf8"
    NOT_FOUND = "not_found"  # 127, or no such file
    NOT_EXECUTABLE = "not_executable"  # 126, or no permission, or no program
    LOGIN = "login"  # the command says that it is not logged in
    UNREACHABLE = "unreachable"  # it cannot reach its server
    NO_MODEL = "no_model"  # it works, but the model it is asked for is not there
    LIMIT = "limit"  # the quota or the credit is used up
    PROMPT_TOO_LONG = "prompt_too_long"  # longer than what the model can read
    OUTDATED = "outdated"  # it does not know an option that the preset passes
    REPORTED_ERROR = "reported_error"  # return code 0 but the answer itself reports an error
    UNUSABLE = "unusable"  # parsed or validated to nothing we can use
    CANCELLED = "cancelled"  # we ended it: fenced, stopped or cancelled


MODEL_WIDE = frozenset(
    {
        Outcome.EXIT,
        Outcome.SIGNAL,
        Outcome.TIMEOUT,
        Outcome.SILENT,
        Outcome.EMPTY,
        Outcome.NOT_FOUND,
        Outcome.NOT_EXECUTABLE,
        Outcome.LOGIN,
        Outcome.UNREACHABLE,
        Outcome.NO_MODEL,
        Outcome.LIMIT,
        Outcome.OUTDATED,
        Outcome.REPORTED_ERROR,
    }
)
"""Failures of the model as a whole: they refund the attempt and feed the breaker (DESIGN 5.6)."""


class Phase(StrEnum):
    """Price phase of a model call."""

    PEAK = "peak"
    OFF_PEAK = "off_peak"


class Use(StrEnum):
    """How a memory met a window."""

    INJECTED = "injected"
    SEARCHED = "searched"
    ACCESSED = "accessed"
    WRITTEN = "written"


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
