"""Drive a session with a model of the host's, now or awaited: whatever the model raises becomes a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memgardend.core.editorial.results import ModelReply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import TracebackType


class Session(Protocol):
    """What asks a model step by step: a capture, a consolidation, a batch of an import."""

    @property
    def next_prompt(self) -> str | None:
        """What to ask next; None when the result is there."""
        ...

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply."""
        ...

    def fail(self, reason: str) -> None:
        """Say that no reply came, in a word."""
        ...


def drive(session: Session, ask: Callable[[str], str | ModelReply]) -> None:
    """Ask until the session needs no more; then it has its result."""
    while session.next_prompt is not None:
        with _Failing(session) as failing:
            failing.take(ask(session.next_prompt))
        failing.hand_over()


async def drive_async(session: Session, ask: Callable[[str], Awaitable[str | ModelReply]]) -> None:
    """The same, with a model that is awaited."""
    while session.next_prompt is not None:
        with _Failing(session) as failing:
            failing.take(await ask(session.next_prompt))
        failing.hand_over()


class _Failing:
    """Around one call of the model: its errors, of whatever type, end the session, and are not raised.

    What is meant for the program (an interrupt, a cancelled task) is.
    """

    def __init__(self, session: Session) -> None:
        self.reply: str | ModelReply | None = None
        self._session = session

    def __enter__(self) -> _Failing:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if kind is None or not issubclass(kind, Exception):
            return False
        self._session.fail(kind.__name__)
        return True

    def take(self, said: object) -> None:
        """The reply of a model; None, as clients give for a refusal, is an empty one. Raises TypeError."""
        if not isinstance(said, str | ModelReply | None):
            raise TypeError(f"a reply is a text, not {type(said).__name__}")
        self.reply = "" if said is None else said

    def hand_over(self) -> None:
        """Feed the reply, if one came."""
        if self.reply is not None:
            self._session.feed(self.reply)
