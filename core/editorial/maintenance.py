"""One consolidation, step by step, driven by the host: ask the model, feed its reply, take the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.editorial.batch import choose_batch
from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.capture import MAX_RETRIES
from memgardend.core.editorial.cards import DEFAULT_MOUNT, is_active, search_text
from memgardend.core.editorial.consolidated import Spelling
from memgardend.core.editorial.dream_parse import DreamReader, DreamReply
from memgardend.core.editorial.dream_prompt import dream_prompt, dream_reask
from memgardend.core.editorial.dream_render import fits_alone, render_cards
from memgardend.core.editorial.mutations import Supersede
from memgardend.core.editorial.results import (
    ErrorWord,
    Failure,
    MaintenanceResult,
    ModelReply,
    Purpose,
    Step,
    StepKind,
)
from memgardend.core.editorial.seeds import (
    MaintenanceLedger,
    card_version,
    needs_review,
    pending_cards,
    seed_snapshot,
)
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.dream import TEMPLATES
from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.dream_parse import Consolidation
    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.wording.locale_words import LocaleWords


class MaintenanceSession:
    """One run. While `next_prompt` is a text, ask the model and `feed` its reply, or `fail`; then take `result`.

    Whatever goes wrong ends in a result with an error and without a ledger, so nothing counts as reviewed.
    """

    def __init__(
        self,
        request: MaintenanceRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        """`max_retries`: times that the model is asked again, for whatever reason."""
        self.next_prompt: str | None = None
        self.result: MaintenanceResult | None = None
        self.steps: list[Step] = []
        self._request = request
        self._signals = signals
        self._locales = locales
        self._left = max(0, max_retries)
        self._calls = 0
        self._trace: dict[str, int] = {}
        self._ledger = MaintenanceLedger.from_state(request.ledger)
        self._cards = [
            card for card in request.cards if (card.get("mount") or DEFAULT_MOUNT) == request.mount
        ]
        self._begin()

    def feed(self, reply: str | ModelReply) -> None:
        """Take the model's reply: the run ends, or asks once more. Raises UsageError when none is awaited."""
        self._answered()
        said = reply if isinstance(reply, ModelReply) else ModelReply(text=reply)
        self._step(StepKind.MODEL_CALLED, {"chars": len(said.text)}, reply=said.text)
        read = self._reader.read(said.text, strict=self._left > 0)
        if isinstance(read, DreamReply):
            self._finish(read)
            return
        reask = dream_reask(read, said, self._words)
        if reask and self._left:
            self._left -= 1
            self.next_prompt = f"{self._prompt}\n\n{reask}"
            self._step(StepKind.RETRYING, {"error": str(read)}, prompt=self.next_prompt)
        else:
            self._end(Failure(ErrorWord.TRUNCATED_REPLY, read.word) if said.truncated else read)

    def fail(self, reason: str) -> None:
        """Say that no reply came; `reason` is a word, such as the name of an exception."""
        self._answered()
        self._end(Failure(ErrorWord.MODEL_FAILED, reason))

    def _answered(self) -> None:
        if self.next_prompt is None:
            raise UsageError("this consolidation awaits no reply", hint="take `result`")
        self._calls += 1
        self.next_prompt = None

    def _begin(self) -> None:
        request = self._request
        try:
            self._words = words_of(request.locale, self._locales)
        except UnknownBucketLocaleError:
            self._end(Failure(ErrorWord.UNKNOWN_LOCALE, request.locale))
            return
        check = needs_review(self._cards, self._ledger, request.min_pending)
        self._trace.update(check.trace)
        if not check.needed:
            self._done(MaintenanceResult(needed=False, trace=self._trace))
            return
        self._shown = self._choose()
        self._trace |= {"rendered": len(self._shown.ids), "cut": len(self._shown.cut_ids)}
        if not self._shown.ids:
            self._end(Failure(ErrorWord.MAINTENANCE_BUDGET_TOO_SMALL))
            return
        self._reader = self._reader_of_replies()
        self._prompt = self.next_prompt = dream_prompt(request, self._shown, self._words)
        self._step(StepKind.PROMPT_BUILT, {"chars": len(self._prompt)}, prompt=self._prompt)

    def _choose(self) -> RenderedCards:
        """The cards of this run. A pending one that could never be shown keeps no other from its review."""
        caps = self._request.caps
        fitting = [card for card in self._cards if fits_alone(card, caps)]
        reviewed = self._ledger.reviewed_versions
        return render_cards(choose_batch(fitting, reviewed, self._request.locale, caps.cards), caps)

    def _reader_of_replies(self) -> DreamReader:
        cards = {str(card.get("id")): card for card in self._cards}
        gate = TextGate(
            signals=self._signals,
            ids=frozenset(cards),
            proven="\n".join(search_text(cards[one]) for one in self._shown.ids),
            templates=TEMPLATES,
        )
        spelling = Spelling.of(
            self._cards, self._request.locale, self._locales, self._request.user_name
        )
        return DreamReader(cards, self._shown, gate, spelling)

    def _finish(self, reply: DreamReply) -> None:
        retired = {one for row in reply.consolidations for one in row.card_ids}
        active = sum(map(is_active, self._cards))
        dropped = {f"dropped_{word}": count for word, count in reply.dropped.items()}
        found = {"consolidations": len(reply.consolidations), "retired": len(retired), **dropped}
        self._trace |= found
        self._step(StepKind.PARSED, found)
        if self._request.fuse.blows(len(retired), active):
            self._end(Failure(ErrorWord.MAINTENANCE_FUSE_BLOWN, f"{len(retired)}/{active}"))
            return
        ledger = self._reviewed(retired)
        left = pending_cards(self._cards, ledger.reviewed_versions)
        self._trace["pending_remaining"] = sum(card["id"] not in retired for card in left)
        committing = not self._request.dry_run
        self._done(
            MaintenanceResult(
                needed=True,
                mutations=tuple(map(self._mutation, reply.consolidations)) if committing else (),
                consolidations=tuple(row.to_dict() for row in reply.consolidations),
                questions=reply.questions,
                ledger=ledger.to_state() | {"mount": self._request.mount} if committing else None,
                trace=self._trace | {"model_calls": self._calls},
            )
        )

    def _mutation(self, row: Consolidation) -> Supersede:
        return Supersede(
            card=row.card,
            target_ids=row.card_ids,
            mount=self._request.mount,
            rationale=row.rationale,
            consolidation_op=row.op,
        )

    def _reviewed(self, retired: set[str]) -> MaintenanceLedger:
        """The ledger with all cards that were shown, cut ones too: they will never be shown in another way."""
        versions = {
            card["id"]: card_version(card)
            for card in self._cards
            if card.get("id") in self._shown.ids
        }
        kept = {str(card.get("id")) for card in self._cards if is_active(card)} - retired
        seeds = seed_snapshot(self._cards)
        known = {**self._ledger.reviewed_versions, **versions}
        return MaintenanceLedger(
            signature=seeds.signature,
            seed_card_count=seeds.seed_count,
            reviewed_versions={one: version for one, version in known.items() if one in kept},
        )

    def _end(self, error: Failure) -> None:
        trace = self._trace | {"model_calls": self._calls}
        self._done(MaintenanceResult(needed=True, error=error, trace=trace))

    def _done(self, result: MaintenanceResult) -> None:
        self.result = result
        self._step(StepKind.DONE, {"error": str(result.error or "")})

    def _step(
        self, kind: StepKind, detail: Mapping[str, Any], *, prompt: str = "", reply: str = ""
    ) -> None:
        step = Step(
            kind=kind,
            purpose=Purpose.DREAM,
            attempt=self._calls,
            detail=detail,
            prompt=prompt,
            reply=reply,
        )
        self.steps.append(step)
