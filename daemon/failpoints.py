"""Named places where a test may kill or fail the program: `MEMGARDEND_FAILPOINT=<name>[#n]=kill|raise`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.errors import ConfigError, MemgardendError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.ports import Failpoints

VARIABLE = "MEMGARDEND_FAILPOINT"

NAMES = {
    "migrate.inside": "inside the transaction that makes or changes the schema",
    "ingest.inside": "inside the transaction that stores events and their cursor",
    "claim.before": "before the pending row is inserted",
    "claim.after": "after the pending row is inserted",
    "start.inside": "inside the statement that takes the lease",
    "start.after": "after the dream runs, before its plan",
    "plan.after": "after the plan is frozen",
    "round.atomic.asked": "before the model is called",
    "round.atomic.answered": "after the raw answer is stored",
    "round.atomic.staged": "after the judged operations are stored",
    "round.topic.asked": "before the model is called",
    "round.topic.answered": "after the raw answer is stored",
    "round.topic.staged": "after the judged operations are stored",
    "round.project.asked": "before the model is called",
    "round.project.answered": "after the raw answer is stored",
    "round.project.staged": "after the judged operations are stored",
    "staged.inside": "inside the transaction that stores judged operations",
    "judgement.asked": "before the model is called for no dream: an import, a reflection",
    "judgement.answered": "after the receipt of that call is complete",
    "import.stored": "after the cards of a batch are stored, before its progress is",
    "edit.inside": "inside the transaction of an edit by request",
    "commit.before": "before the transaction of the commit",
    "commit.inside": "inside it: memories are written, the watermark is not",
    "commit.after": "after it",
}


class FailpointError(MemgardendError):
    """A failpoint was set to raise here."""


class NoFailpoints:
    """None is set: passing a place costs one call."""

    def hit(self, name: str) -> None:
        """Do nothing."""


class SetFailpoint:
    """One place, at its n-th passing."""

    def __init__(self, name: str, passing: int, action: str) -> None:
        self._name = name
        self._left = passing
        self._action = action

    def hit(self, name: str) -> None:
        """Kill this process or raise FailpointError when it is this place's turn."""
        if name != self._name:
            return
        self._left -= 1
        if self._left:
            return
        if self._action == "kill":
            import signal

            signal.raise_signal(signal.SIGKILL)
        raise FailpointError(f"failpoint {name}")


def failpoints(environ: Mapping[str, str]) -> Failpoints:
    """What the environment sets. Raises ConfigError for a name or action that does not exist."""
    text = environ.get(VARIABLE)
    if not text:
        return NoFailpoints()
    place, _, action = text.partition("=")
    name, numbered, passing = place.partition("#")
    nth = int(passing) if passing.isdecimal() else 0 if numbered else 1
    if name not in NAMES or action not in ("kill", "raise") or nth < 1:
        raise ConfigError(
            f"{VARIABLE}={text}: not <name>[#n]=kill|raise of a known name",
            hint="memgardend doctor --failpoints",
        )
    return SetFailpoint(name, nth, action)
