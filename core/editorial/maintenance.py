"""One consolidation, step by step, driven by the host: ask the model, feed its reply, take the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgardend.core.editorial.batch import choose_batch
from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.cards import is_active, search_text
from memgardend.core.editorial.dialogue import MAX_RETRIES, Dialogue, reask_text
from memgardend.core.editorial.dream_parse import DreamReader, DreamReply
from memgardend.core.editorial.dream_prompt import dream_prompt
from memgardend.core.editorial.dream_render import fits_alone, render_cards
from memgardend.core.editorial.mutations import Supersede
from memgardend.core.editorial.results import (
    ErrorWord,
    Failure,
    MaintenanceResult,
    Purpose,
    StepKind,
)
from memgardend.core.editorial.seeds import (
    MaintenanceLedger,
    card_version,
    needs_review,
    of_mount,
    pending_cards,
    reviewable,
    seed_snapshot,
)
from memgardend.core.editorial.spelling import Spelling
from memgardend.core.editorial.text_gate import GENERIC_SIGNALS, LeakSignals, TextGate
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.dream import TEMPLATES
from memgardend.core.editorial.wording.locale_words import Reask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.dream_parse import Consolidation
    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.maintenance_request import MaintenanceRequest
    from memgardend.core.editorial.results import ModelReply
    from memgardend.core.editorial.wording.locale_words import LocaleWords


_REASKS = {
    ErrorWord.INVALID_CARD_CONTENT: Reask.DREAM_CONTENT,
    ErrorWord.MAINTENANCE_TARGETS_REJECTED: Reask.DREAM_TARGETS,
}


class MaintenanceSession(Dialogue):
    """One run. Whatever goes wrong ends in a result with an error and no ledger: nothing counts as reviewed."""

    purpose = Purpose.DREAM

    def __init__(
        self,
        request: MaintenanceRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        """`signals`: what a host knows of its own protocol; `locales`: those it has words for."""
        super().__init__(max_retries)
        self.result: MaintenanceResult | None = None
        self._request = request
        self._signals = signals
        self._locales = locales
        self._trace: dict[str, int] = {}
        self._ledger = MaintenanceLedger.from_state(request.ledger)
        self._cards = of_mount(request.cards, request.mount)
        self._begin()

    def _read(self, reply: ModelReply) -> None:
        read = self._reader.read(reply.text, strict=self._left > 0)
        if isinstance(read, DreamReply):
            self._finish(read)
        else:
            self._mend(read, reply, reask_text(read, reply, self._words, _REASKS))

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
        self._ask(dream_prompt(request, self._shown, self._words))

    def _choose(self) -> RenderedCards:
        """The cards of this run. A pending one that could never be shown keeps no other from its review."""
        caps = self._request.caps
        fitting = [card for card in reviewable(self._cards) if fits_alone(card, caps)]
        reviewed = self._ledger.reviewed_versions
        return render_cards(choose_batch(fitting, reviewed, self._request.locale, caps.cards), caps)

    def _reader_of_replies(self) -> DreamReader:
        cards = {card["id"]: card for card in self._cards if isinstance(card.get("id"), str)}
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
