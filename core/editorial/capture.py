"""One capture: a stretch of text in, cards out, and what goes back to the model on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.capture_finish import Finisher
from memgardend.core.editorial.capture_parse import Action, ReadReply, read_reply
from memgardend.core.editorial.capture_prompt import allowed_cards, prompt_of, prompt_templates
from memgardend.core.editorial.cards import is_active
from memgardend.core.editorial.dialogue import MAX_RETRIES, Dialogue, reask_text
from memgardend.core.editorial.index import shown_index
from memgardend.core.editorial.policies import get_policy
from memgardend.core.editorial.results import (
    CaptureResult,
    ErrorWord,
    Failure,
    ModelReply,
    Purpose,
    StepKind,
)
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.locale_words import Reask
from memgardend.core.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.capture_parse import CapturedCard
    from memgardend.core.editorial.results import CaptureRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords

_REASKS = {ErrorWord.INVALID_CARD_CONTENT: Reask.CONTENT}
_WRONG_TARGETS = "target_not_shown"


class CaptureSession(Dialogue):
    """One judgement of a text.

    As long as there is asking again, replies are judged strictly: one that is unusable, holds too many cards or
    names wrong targets goes back with the reason. The last is judged leniently. Whatever goes wrong ends in a
    result with an error, so that the text stays to be read.
    """

    purpose = Purpose.CAPTURE

    def __init__(
        self,
        request: CaptureRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
        feedback: Sequence[str] = (),
    ) -> None:
        """`signals`: what a host knows of its own protocol; `locales`: those it has words for; `feedback`: its
        reasons for sending an earlier reply back, for which there is one call and no other.

        Raises UnknownPolicyError.
        """
        super().__init__(0 if feedback else max_retries)
        self.result: CaptureResult | None = None
        self._request = request
        self._policy = get_policy(request.policy, keep_specifics=request.keep_specifics)
        self._allowed = allowed_cards(self._policy, request.max_cards)
        self._fallback: list[CapturedCard] = []
        self._trace: dict[str, Any] = {"policy": str(self._policy.name), "locale": request.locale}
        self._begin(signals, locales, feedback)

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
        if not request.window.strip():
            self._done(CaptureResult())
            return
        cards = [card for card in request.existing_cards or () if isinstance(card.get("id"), str)]
        self._gate = TextGate(
            signals=signals,
            ids=frozenset(card["id"] for card in cards),
            proven=request.window,
            templates=prompt_templates(self._words),
        )
        self._finisher = Finisher(
            request=request,
            policy=self._policy,
            locales=locales,
            gate=self._gate,
            active=[card for card in cards if is_active(card)],
        )
        index, self._targets = shown_index(request)
        prompt = prompt_of(request, self._policy, index, locales)
        self._trace |= {"index_cards": len(self._targets or ()), "prompt_chars": len(prompt)}
        if feedback:
            reask = self._words.reasks[Reask.FEEDBACK]
            prompt = f"{prompt}\n\n{fill(reask, {'problem': '; '.join(feedback)}, Reask.FEEDBACK)}"
        self._ask(prompt)

    def _read(self, reply: ModelReply) -> None:
        read = read_reply(reply.text, self._policy, self._gate)
        cards, error = read.judge(self._allowed, strict=self._left > 0)
        found = {"cards": len(read.cards), "problems": len(read.problems)}
        self._step(StepKind.PARSED, {**found, "error": str(error or "")})
        if reply.truncated and self._left:
            self._fallback = cards
            self._send_back(Reask.TRUNCATED)
        elif error and error.word is ErrorWord.TOO_MANY_CARDS:
            self._fallback = list(read.cards[: self._allowed])
            self._send_back(Reask.TOO_MANY, found=str(len(read.cards)), allowed=str(self._allowed))
        elif error:
            self._mend(error, reply, reask_text(error, reply, self._words, _REASKS))
        elif (wrong := len(cards) - len(self._aiming_well(cards))) and self._left:
            self._send_back(Reask.TARGETS, problem=str(wrong))
        else:
            self._finish(cards, read)

    def _send_back(self, reask: Reask, **values: str) -> None:
        self._ask_again(fill(self._words.reasks[reask], values, reask), str(reask))

    def _aiming_well(self, cards: Sequence[CapturedCard]) -> list[CapturedCard]:
        """The cards that name others which were shown, or need none."""
        return [card for card in cards if card["action"] == Action.ADD or self._were_shown(card)]

    def _were_shown(self, card: CapturedCard) -> bool:
        targets = card["target_ids"]
        return bool(targets) and (self._targets is None or self._targets.issuperset(targets))

    def _end(self, error: Failure) -> None:
        """End with an earlier reply that needed no mending, only a choice or fewer words; else with the error."""
        if self._fallback:
            cards, self._fallback = self._fallback, []
            self._trace["fell_back"] = str(error)
            self._finish(cards, ReadReply(cards=tuple(cards)))
        else:
            self._done(CaptureResult(error=error))

    def _finish(self, cards: list[CapturedCard], read: ReadReply) -> None:
        good = self._aiming_well(cards)
        dropped = {"targets": len(cards) - len(good), "content": len(read.problems)}
        counts = {f"dropped_{word}": count for word, count in dropped.items() if count}
        if counts:
            self._step(StepKind.DROPPED, counts)
        if len(read.cards) > len(cards):
            counts |= {"capped_from": len(read.cards), "cap": len(cards)}
        self._trace |= counts
        if cards and not good:
            self._end(Failure(ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY, _WRONG_TARGETS))
            return
        made = self._finisher.finish(good)
        self._trace |= {name: count for name, count in made.counts.items() if count}
        self._done(CaptureResult(cards=made.cards, mutations=made.mutations))

    def _done(self, result: CaptureResult) -> None:
        back = [step.detail["error"] for step in self.steps if step.kind is StepKind.RETRYING]
        self._trace |= {"model_calls": self._calls, "sent_back": back, "cards": len(result.cards)}
        self.result = replace(result, retried=bool(back), trace=self._trace)
        self._step(StepKind.DONE, {"outcome": str(self.result.outcome)})
