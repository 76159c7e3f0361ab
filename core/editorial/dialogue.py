"""What every judgement with a model has in common: the host asks it, feeds its reply, and takes the result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from memgardend.core.editorial.results import ErrorWord, Failure, ModelReply, Step, StepKind
from memgardend.core.editorial.wording.locale_words import Reask
from memgardend.core.errors import UsageError
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.results import Purpose
    from memgardend.core.editorial.wording.locale_words import LocaleWords

MAX_RETRIES = 1
"""Times that a model is asked again in one judgement, for whatever reason."""


def reask_text(
    error: Failure, reply: ModelReply, words: LocaleWords, reasks: Mapping[ErrorWord, Reask]
) -> str:
    """What to say of a reply of no use, in the garden's language; nothing where asking again is no use either.

    Prose gets no second call: it is an answer, and would only be repeated.
    """
    reask = reasks.get(error.word)
    if reply.truncated:
        reask = Reask.TRUNCATED
    elif error.word is ErrorWord.JSON_DECODE_ERROR or not reply.text.strip():
        reask = Reask.FORMAT
    problem = error.detail or str(error.word)
    return fill(words.reasks[reask], {"problem": problem}, reask) if reask else ""


class Dialogue(ABC):
    """While `next_prompt` is a text, ask, and `feed` the reply, or `fail`; then take `result`."""

    purpose: ClassVar[Purpose]

    def __init__(self, max_retries: int = MAX_RETRIES) -> None:
        self.next_prompt: str | None = None
        self.steps: list[Step] = []
        self._prompt = ""
        self._left = max(0, max_retries)
        self._calls = 0

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply: it ends, or asks once more. Raises UsageError when none is awaited."""
        self._answered()
        said = reply if isinstance(reply, ModelReply) else ModelReply(text=reply)
        self._step(StepKind.MODEL_CALLED, {"chars": len(said.text)}, reply=said.text)
        self._read(said)

    def fail(self, reason: str) -> None:
        """Say that no reply came; `reason` is a word, such as the name of an exception."""
        self._answered()
        self._end(Failure(ErrorWord.MODEL_FAILED, reason))

    @abstractmethod
    def _read(self, reply: ModelReply) -> None:
        """Make something of a reply."""

    @abstractmethod
    def _end(self, error: Failure) -> None:
        """Take the error as the result."""

    def _ask(self, prompt: str) -> None:
        self._prompt = self.next_prompt = prompt
        self._step(StepKind.PROMPT_BUILT, {"chars": len(prompt)}, prompt=prompt)

    def _mend(self, error: Failure, reply: ModelReply, reask: str) -> None:
        """Ask once more, with what was wrong, where there is asking again; else end with the error."""
        if reask and self._left:
            self._ask_again(reask, str(error))
        else:
            self._end(Failure(ErrorWord.TRUNCATED_REPLY, error.word) if reply.truncated else error)

    def _ask_again(self, reask: str, reason: str) -> None:
        """Ask the same, with what to say of the last reply; it counts against the budget."""
        self._left -= 1
        self.next_prompt = f"{self._prompt}\n\n{reask}"
        self._step(StepKind.RETRYING, {"error": reason}, prompt=self.next_prompt)

    def _answered(self) -> None:
        if self.next_prompt is None:
            raise UsageError("no reply is awaited", hint="take `result`")
        self._calls += 1
        self.next_prompt = None

    def _step(
        self, kind: StepKind, detail: Mapping[str, Any], *, prompt: str = "", reply: str = ""
    ) -> None:
        step = Step(
            kind=kind,
            purpose=self.purpose,
            attempt=self._calls,
            detail=detail,
            prompt=prompt,
            reply=reply,
        )
        self.steps.append(step)
