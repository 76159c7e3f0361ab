"""One capture, step by step, driven by the host: ask the model, feed its reply, take the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.capture_finish import Finished, Finisher
from memgardend.core.editorial.capture_parse import Action, read_reply
from memgardend.core.editorial.capture_prompt import (
    allowed_cards,
    prompt_of,
    prompt_templates,
    reask_prompt,
)
from memgardend.core.editorial.cards import is_active
from memgardend.core.editorial.index import shown_index
from memgardend.core.editorial.policies import get_policy
from memgardend.core.editorial.results import (
    CaptureResult,
    ErrorWord,
    Failure,
    ModelReply,
    Purpose,
    Step,
    StepKind,
)
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.locale_words import Reask
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.capture_parse import CapturedCard, ReadReply
    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords

MAX_RETRIES = 1
"""Times that a model is asked again in one capture, for whatever reason."""

_REASKS = {
    ErrorWord.INVALID_CARD_CONTENT: Reask.CONTENT,
    ErrorWord.JSON_DECODE_ERROR: Reask.FORMAT,
    ErrorWord.TOO_MANY_CARDS: Reask.TOO_MANY,
}


class CaptureSession:
    """One judgement. While `next_prompt` is a text, ask, and `feed` the reply, or `fail`; then take `result`.

    As long as there is asking again, replies are judged strictly: one that is unusable, holds too many cards or
    names wrong targets goes back with the reason. The last is judged leniently. Whatever goes wrong ends in a
    result with an error, so that the text stays to be read.
    """

    def __init__(
        self,
        request: CaptureRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
        feedback: Sequence[str] = (),
    ) -> None:
        """`feedback`: reasons of the host's for which an earlier reply goes back; then there is one call only.

        Raises UnknownPolicyError.
        """
        self.next_prompt: str | None = None
        self.result: CaptureResult | None = None
        self.steps: list[Step] = []
        self._request = request
        self._policy = get_policy(request.policy, keep_specifics=request.keep_specifics)
        self._allowed = allowed_cards(self._policy, request.max_cards)
        self._left = max(0, max_retries)
        self._calls = 0
        self._reasked: list[Reask] = []
        self._fallback: list[CapturedCard] = []
        self._trace: dict[str, Any] = {
            "policy": str(self._policy.name),
            "locale": request.locale.strip(),
        }
        self._begin(signals, locales, feedback)

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply: the capture ends, or asks once more. Raises UsageError when none is awaited."""
        self._answered()
        said = reply if isinstance(reply, ModelReply) else ModelReply(text=reply)
        self._step(StepKind.MODEL_CALLED, {"chars": len(said.text)}, reply=said.text)
        read = read_reply(said.text, self._policy, self._gate)
        cards, error = read.judge(self._allowed, strict=self._left > 0)
        found = {"cards": len(read.cards), "problems": len(read.problems)}
        self._step(StepKind.PARSED, {**found, "error": str(error or "")})
        if said.truncated and self._left:
            self._fallback = cards
            self._ask_again(Reask.TRUNCATED)
        elif error:
            self._mend(error, read, said)
        elif (wrong := [card for card in cards if not self._aims_well(card)]) and self._left:
            self._ask_again(Reask.TARGETS, problem=str(len(wrong)))
        else:
            self._finish(cards, read)

    def fail(self, reason: str) -> None:
        """Say that no reply came; `reason` is a word, such as the name of an exception."""
        self._answered()
        self._settle(Failure(ErrorWord.MODEL_FAILED, reason))

    def _begin(
        self, signals: LeakSignals, locales: Mapping[str, LocaleWords], feedback: Sequence[str]
    ) -> None:
        request = self._request
        if not request.locale.strip():
            self._end(Failure(ErrorWord.LOCALE_REQUIRED))
            return
        try:
            self._words = words_of(request.locale, locales)
        except UnknownBucketLocaleError:
            self._end(Failure(ErrorWord.UNKNOWN_LOCALE, request.locale))
            return
        existing = [
            card for card in request.existing_cards or () if isinstance(card.get("id"), str)
        ]
        self._gate = TextGate(
            signals=signals,
            ids=frozenset(card["id"] for card in existing),
            proven=request.window,
            templates=prompt_templates(self._words),
        )
        self._finisher = Finisher(
            request=request,
            policy=self._policy,
            locales=locales,
            gate=self._gate,
            active=[card for card in existing if is_active(card)],
        )
        if not request.window.strip():
            self._finish([], None)
            return
        index, self._targets = shown_index(request)
        self._trace["index_cards"] = len(self._targets or ())
        self._prompt = prompt_of(request, self._policy, index, locales)
        self._trace["prompt_chars"] = len(self._prompt)
        self.next_prompt = self._prompt
        if feedback:
            self._left = 1
            self._ask_again(Reask.FEEDBACK, problem="; ".join(feedback))
        else:
            self._step(StepKind.PROMPT_BUILT, {"chars": len(self._prompt)}, prompt=self._prompt)

    def _aims_well(self, card: CapturedCard) -> bool:
        """True when a card names cards that were shown, or needs none."""
        targets = card["target_ids"]
        if card["action"] == Action.ADD:
            return True
        return bool(targets) and (self._targets is None or self._targets.issuperset(targets))

    def _mend(self, error: Failure, read: ReadReply, said: ModelReply) -> None:
        """Send an unusable reply back, where that can help and there is asking again."""
        reask = _REASKS.get(error.word)
        if error.word is ErrorWord.NO_JSON_OBJECT and not said.text.strip():
            reask = Reask.FORMAT  # nothing was said; prose is an answer, and would only be repeated
        if reask is None or not self._left:
            self._settle(
                Failure(ErrorWord.TRUNCATED_REPLY, error.word) if said.truncated else error
            )
            return
        if reask is Reask.TOO_MANY:
            self._fallback = list(read.cards[: self._allowed])
        self._ask_again(
            reask,
            problem=error.detail or str(error.word),
            found=str(len(read.cards)),
            allowed=str(self._allowed),
        )

    def _ask_again(self, reask: Reask, **values: str) -> None:
        self._left -= 1
        self._reasked.append(reask)
        self.next_prompt = reask_prompt(self._prompt, reask, self._words, values)
        self._step(StepKind.RETRYING, {"reason": str(reask)}, prompt=self.next_prompt)

    def _settle(self, error: Failure) -> None:
        """End with what an earlier reply brought that needed no mending but a choice, or with the error."""
        if self._fallback:
            self._trace["fell_back"] = str(error)
            self._finish(self._fallback, None)
        else:
            self._end(error)

    def _finish(self, cards: list[CapturedCard], read: ReadReply | None) -> None:
        good = [card for card in cards if self._aims_well(card)]
        dropped = {
            "dropped_targets": len(cards) - len(good),
            "dropped_content": len(read.problems) if read else 0,
        }
        done = self._finisher.finish(good)
        counts = {name: count for name, count in {**dropped, **done.counts}.items() if count}
        if any(dropped.values()):
            self._step(StepKind.DROPPED, {name: count for name, count in dropped.items() if count})
        if read and len(read.cards) > len(cards):
            self._trace |= {"capped_from": len(read.cards), "cap": self._allowed}
        self._trace |= counts | {"cards": len(done.cards)}
        self._end(None, done)

    def _end(self, error: Failure | None, done: Finished | None = None) -> None:
        self._trace |= {"model_calls": self._calls, "reasked": [str(one) for one in self._reasked]}
        self.result = CaptureResult(
            mutations=done.mutations if done else (),
            cards=done.cards if done else (),
            retried=bool(self._reasked),
            error=error,
            trace=self._trace,
        )
        self._step(StepKind.DONE, {"outcome": str(self.result.outcome)})

    def _answered(self) -> None:
        if self.next_prompt is None:
            raise UsageError("this capture awaits no reply", hint="take `result`")
        self._calls += 1
        self.next_prompt = None

    def _step(
        self, kind: StepKind, detail: Mapping[str, Any], *, prompt: str = "", reply: str = ""
    ) -> None:
        self.steps.append(
            Step(
                kind=kind,
                purpose=Purpose.CAPTURE,
                attempt=self._calls,
                detail=detail,
                prompt=prompt,
                reply=reply,
            )
        )
