"""What can go wrong, each with the exit code and the hint that the command line shows."""

from __future__ import annotations


class MemgardendError(Exception):
    """An expected failure: said in two lines, never with a traceback.

    `label` names the same message for agents (`core/tools/problems.py`), `values` are what it is filled with.
    """

    exit_code = 1

    def __init__(
        self, message: str, *, hint: str | None = None, label: str = "", **values: object
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.label = label
        self.values = values


class UsageError(MemgardendError):
    """The command was called in a way that cannot be meant."""

    exit_code = 2


class ModelUnavailableError(MemgardendError):
    """The model command as a whole does not work."""

    exit_code = 69  # EX_UNAVAILABLE in sysexits.h


class BusyError(MemgardendError):
    """Not now: a gate is shut, or another process holds the claim."""

    exit_code = 75  # EX_TEMPFAIL


class ConfigError(MemgardendError):
    """The settings are missing, wrong, or not trusted."""

    exit_code = 78  # EX_CONFIG


class StoreError(MemgardendError):
    """The store is newer than this program, foreign, or damaged."""

    exit_code = 78


class StoreUnavailableError(MemgardendError):
    """The store cannot be written at the moment: disk full, read-only, or locked for too long."""

    exit_code = 75


class StoreLockedError(StoreUnavailableError):
    """Another process has written to the store for longer than this one was ready to wait."""


class ConflictError(MemgardendError):
    """What was to be changed has changed since it was read."""


class StoppedError(MemgardendError):
    """This process was told to end; what it works on waits for the next one."""

    exit_code = 75


class FencedError(MemgardendError):
    """Somebody else works on this dream now; this worker must stop quietly and write nothing."""

    exit_code = 75
