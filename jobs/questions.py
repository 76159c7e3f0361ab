"""Questions that no dream asks the model: under the gates all share, each call with a receipt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from memgardend.core.budget import Spending
from memgardend.core.errors import (
    BusyError,
    MemgardendError,
    ModelUnavailableError,
    StoppedError,
)
from memgardend.core.gates import shared_gates
from memgardend.core.judgement_request import judgement_request
from memgardend.core.marker import make_marker
from memgardend.core.ports import ModelCall
from memgardend.core.times import rfc3339
from memgardend.core.words import MODEL_WIDE, GateName, Outcome
from memgardend.jobs.receipts import completed, receipt_of_call
from memgardend.jobs.shared import change_breaker, gate_settings, limits_of, shared_state
from memgardend.jobs.start import give_probe_back, take_probe

if TYPE_CHECKING:
    from collections.abc import Callable

    from memgardend.core.editorial.asking import Session
    from memgardend.core.gates import Gate
    from memgardend.core.judgement_request import Judged, Setting
    from memgardend.core.ports import ModelReply
    from memgardend.jobs.context import Garden

log = structlog.get_logger(__name__)


class QuestionFailedError(MemgardendError):
    """The model works, but made nothing of this question."""


class HeldError(BusyError):
    """A gate is shut; `until` is when it opens, as far as time alone opens it."""

    def __init__(self, message: str, *, until: int | None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.until = until


@dataclass(slots=True)
class Questioner:
    """Asks for one judgement, as often as it takes. `judged` may change between two of its questions.

    A person who asks (`manual`) does not wait for the end of a peak.
    """

    garden: Garden
    setting: Setting
    judged: Judged
    manual: bool = False
    asks: int = 0

    def drive(self, session: Session, tick: Callable[[], bool] = lambda: True) -> None:
        """Ask until the session has its result. Raises HeldError, ModelUnavailableError, StoppedError, and what
        the store raises: then it has none."""
        while session.next_prompt is not None:
            try:
                reply = self.ask(session.next_prompt, tick)
            except QuestionFailedError as error:
                log.warning("judgement_failed", purpose=self.setting.purpose, error=str(error))
                session.fail(type(error).__name__)
            else:
                session.feed(reply)

    def ask(self, prompt: str, tick: Callable[[], bool] = lambda: True) -> str:
        """The reply. Raises as `drive`, and QuestionFailedError."""
        garden, run = self.garden, self.setting.run
        require_open(garden, manual=self.manual)
        if not take_probe(garden, run):
            raise HeldError("breaker: somebody else tries the model", until=None)
        call = self._call(prompt)
        asked = receipt_of_call(garden, call, ask=self.asks + 1)
        number = garden.store.begin_call(asked, limits_of(garden.config))
        if isinstance(number, Spending):
            give_probe_back(garden, run)
            raise _spent(number, asked.at)
        self.asks += 1
        garden.failpoints.hit("judgement.asked")
        log.info("judgement_asked", purpose=call.purpose, prompt_chars=len(call.prompt))
        reply = garden.model.ask(call, tick)
        garden.store.complete_call(number, completed(garden, asked, reply))
        garden.failpoints.hit("judgement.answered")
        return _text(garden, run, reply)

    def _call(self, prompt: str) -> ModelCall:
        """The question in both forms, between markers by which we know it again."""
        setting = self.setting
        mark = make_marker(self.garden.key, setting.run, setting.window, setting.purpose)
        marked = f"{mark}\n\n{prompt}\n\n{mark}"
        now = replace(setting, at=self.garden.clock.now_ms())
        return ModelCall(
            purpose=setting.purpose,
            prompt=marked,
            request=judgement_request(now, self.judged, marked),
            window=setting.window,
            dream="",
            round="",
            run=setting.run,
        )


def shut_gate(garden: Garden, *, manual: bool) -> Gate | None:
    """The first gate that keeps us from asking the model now."""
    now = garden.clock.now_ms()
    gates = shared_gates(
        now,
        gate_settings(garden.config),
        shared_state(garden.store, garden.config, now),
        garden.suppression,
    )
    shut = (one for one in gates if not one.open)
    return next((one for one in shut if not (manual and one.name is GateName.PEAK)), None)


def require_open(garden: Garden, *, manual: bool) -> None:
    """Raise HeldError where a gate keeps us from asking the model now."""
    gate = shut_gate(garden, manual=manual)
    if gate is not None:
        said = f"{gate.reason} ({gate.value})" if gate.name is GateName.BUDGET else gate.reason
        raise HeldError(f"{gate.name}: {said}{_when(gate.until)}", until=gate.until)


def _text(garden: Garden, run: str, reply: ModelReply) -> str:
    """The text of a reply, or why there is none; the breaker hears of it."""
    if reply.outcome is Outcome.OK and reply.text is not None:
        change_breaker(garden.store, lambda breaker: breaker.after_success())
        return reply.text
    if reply.outcome in MODEL_WIDE:
        now = garden.clock.now_ms()
        change_breaker(garden.store, lambda breaker: breaker.after_failure(now))
        raise ModelUnavailableError(reply.detail or str(reply.outcome), hint=reply.hint)
    give_probe_back(garden, run)
    if reply.outcome is Outcome.CANCELLED:
        raise StoppedError("the model call was ended", hint=reply.hint)
    raise QuestionFailedError(reply.detail or str(reply.outcome), hint=reply.hint)


def _spent(spending: Spending, now: int) -> HeldError:
    until = spending.opens(now)
    said = f"{GateName.BUDGET}: the budget is spent ({spending.text(now)}){_when(until)}"
    return HeldError(said, until=until)


def _when(until: int | None) -> str:
    return "" if until is None else f", until {rfc3339(until)}"
