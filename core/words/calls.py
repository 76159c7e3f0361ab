"""Calls of the model: what for, how they ended, and what limits them."""

from __future__ import annotations

from enum import StrEnum


class CallPurpose(StrEnum):
    """What a model command is run for."""

    DREAM = "dream"
    REFLECT = "reflect"
    IMPORT = "import"
    CAPTURE = "capture"
    TEST = "test"


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


class BudgetKind(StrEnum):
    """The limits on model calls, named as the settings that hold them."""

    CALLS_PER_HOUR = "calls_per_hour"
    CALLS_PER_DAY = "calls_per_day"
    TOKENS_PER_DAY = "tokens_per_day"
    MONEY_PER_DAY = "money_per_day"
