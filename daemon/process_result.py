"""How a program ended, in our words: its outcome, and what it said."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgardend.core.mask import mask
from memgardend.core.words import Outcome

if TYPE_CHECKING:
    from memgardend.daemon.pipes import Pipes

_REDRAWN = re.compile(r"\r\n?|\x1b\[\d*[ABGHJK]")  # how a progress display begins its line anew
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SHELL_WORDS = {  # POSIX 2.8.2, "Exit Status for Commands"
    126: Outcome.NOT_EXECUTABLE,
    127: Outcome.NOT_FOUND,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessResult:
    """How a program ended. `stdout` is what it said in any case, an answer only when the outcome is OK."""

    outcome: Outcome
    stdout: str = ""
    stderr: str = ""  # the tail, without control characters and secrets
    returncode: int | None = None
    detail: str = ""  # how it ended, for a person; what it said itself is in stderr and stdout
    duration_ms: int = 0


def not_started(error: OSError | ValueError) -> ProcessResult:
    """The result of a program that could not be started."""
    missing = isinstance(error, FileNotFoundError)
    if missing:
        reason = "no such program"
    elif isinstance(error, OSError) and error.errno == errno.E2BIG:
        reason = "its arguments and environment are larger than the system allows"
    elif isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        reason = "not a program the system can run: a script needs a first line like #!/bin/sh"
    else:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
    return ProcessResult(
        outcome=Outcome.NOT_FOUND if missing else Outcome.NOT_EXECUTABLE,
        detail=reason,
    )


def result_of(
    returncode: int, ended: Outcome | None, pipes: Pipes, duration_ms: int
) -> ProcessResult:
    """The result of a program that has ended; `ended`: why we ended it, if it was us."""
    raw = bytes(pipes.stdout)
    outcome = ended or _outcome(returncode, raw)
    stderr = _clean(bytes(pipes.stderr), cut=pipes.stderr_cut)
    return ProcessResult(
        outcome=outcome,
        stdout=raw.decode("utf-8", errors="replace"),
        stderr=stderr,
        returncode=returncode,
        detail=_detail(outcome, returncode),
        duration_ms=duration_ms,
    )


def _outcome(returncode: int, stdout: bytes) -> Outcome:
    if returncode < 0:
        return Outcome.SIGNAL
    if returncode:
        return _SHELL_WORDS.get(returncode, Outcome.EXIT)
    if not stdout.strip():
        return Outcome.EMPTY
    try:
        stdout.decode("utf-8")
    except UnicodeDecodeError:
        return Outcome.NOT_UTF8
    return Outcome.OK


_SAID = {
    Outcome.TIMEOUT: "did not end before its deadline",
    Outcome.SILENT: "said nothing for too long",
    Outcome.TOO_LARGE: "said more than we take",
    Outcome.CANCELLED: "was ended by us",
    Outcome.EMPTY: "ended well but said nothing",
    Outcome.NOT_UTF8: "answered in something that is not UTF-8",
}


def _detail(outcome: Outcome, returncode: int) -> str:
    if outcome is Outcome.OK:
        return ""
    if outcome is Outcome.SIGNAL:
        return f"was ended by signal {-returncode}"
    return _SAID.get(outcome, f"ended with exit code {returncode}")


def _clean(tail: bytes, *, cut: bool) -> str:
    if cut:  # what is left of the first line may be half a secret
        tail = tail.partition(b"\n")[2]
    text = _REDRAWN.sub("\n", tail.decode("utf-8", errors="replace"))
    return mask(_CONTROL.sub("", text))
