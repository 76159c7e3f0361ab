"""The judgement of the first pass: one piece of material in, notes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.dialogue import MAX_RETRIES, Dialogue, reask_text
from memgardend.core.editorial.importing.candidates import candidates_prompt, read_candidates
from memgardend.core.editorial.results import ErrorWord, Failure, Purpose, StepKind
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.candidates import TEMPLATES
from memgardend.core.editorial.wording.locale_words import Reask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.results import CaptureRequest, ModelReply
    from memgardend.core.editorial.wording.locale_words import LocaleWords

_REASKS = {ErrorWord.INVALID_CARD_CONTENT: Reask.CONTENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingResult:
    """The notes of one piece, or why there are none."""

    candidates: tuple[Mapping[str, Any], ...] = ()
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)


class ReadingSession(Dialogue):
    """Reads one piece: the window of a capture request, under its policy."""

    purpose = Purpose.IMPORT_CANDIDATES

    def __init__(
        self,
        request: CaptureRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        """`signals`: what a host knows of its own protocol; `locales`: those it has words for."""
        super().__init__(max_retries)
        self.result: ReadingResult | None = None
        self._gate = TextGate(signals=signals, proven=request.window, templates=TEMPLATES)
        try:
            self._words = words_of(request.locale, locales)
        except UnknownBucketLocaleError:
            self._end(Failure(ErrorWord.UNKNOWN_LOCALE, request.locale))
            return
        self._ask(candidates_prompt(request, self._words))

    def _read(self, reply: ModelReply) -> None:
        notes = read_candidates(reply.text, self._gate, strict=self._left > 0)
        if isinstance(notes, Failure):
            self._mend(notes, reply, reask_text(notes, reply, self._words, _REASKS))
            return
        self._step(StepKind.PARSED, {"candidates": len(notes)})
        trace = {"candidates": len(notes), "model_calls": self._calls}
        self._done(ReadingResult(candidates=tuple(notes), trace=trace))

    def _end(self, error: Failure) -> None:
        self._done(ReadingResult(error=error, trace={"model_calls": self._calls}))

    def _done(self, result: ReadingResult) -> None:
        self.result = result
        self._step(StepKind.DONE, {"error": str(result.error or "")})
