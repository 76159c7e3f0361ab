"""Cards of an older form, put into the present one: nothing is judged, added or lost, and ids stay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from memgardend.core.editorial.buckets import UnknownBucketLocaleError, words_of
from memgardend.core.editorial.cards import Card, search_text
from memgardend.core.editorial.consolidated import consolidated_card
from memgardend.core.editorial.dialogue import MAX_RETRIES, Dialogue, reask_text
from memgardend.core.editorial.dream_render import render_cards
from memgardend.core.editorial.duplicates import left_out
from memgardend.core.editorial.migrate_prompt import migrate_prompt
from memgardend.core.editorial.mutations import FORBIDDEN_CHANGES, Update
from memgardend.core.editorial.reply import read_rows
from memgardend.core.editorial.results import ErrorWord, Failure, Purpose, Reason, StepKind
from memgardend.core.editorial.spelling import Spelling
from memgardend.core.editorial.text_gate import (
    GENERIC_SIGNALS,
    LeakSignals,
    TextGate,
    reasons,
    told,
)
from memgardend.core.editorial.wording import LOCALES
from memgardend.core.editorial.wording.locale_words import Reask
from memgardend.core.editorial.wording.migrate import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memgardend.core.editorial.migrate_prompt import MigrateRequest
    from memgardend.core.editorial.results import ModelReply
    from memgardend.core.editorial.wording.locale_words import LocaleWords

_REASKS = {ErrorWord.INVALID_CARD_CONTENT: Reask.CONTENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrateResult:
    """One update for each card that changes. `dropped_ids`: what the reply named and must not."""

    mutations: tuple[Update, ...] = ()
    dropped_ids: tuple[str, ...] = ()
    reason: Reason | None = None
    error: Failure | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)  # counts and words, never content

    @property
    def upgraded_ids(self) -> tuple[str, ...]:
        """The cards that change."""
        return tuple(one.record_id for one in self.mutations)


class MigrateSession(Dialogue):
    """One batch of cards: those that fit the caps; ask again for the others."""

    purpose = Purpose.MIGRATE

    def __init__(
        self,
        request: MigrateRequest,
        *,
        max_retries: int = MAX_RETRIES,
        signals: LeakSignals = GENERIC_SIGNALS,
        locales: Mapping[str, LocaleWords] = LOCALES,
    ) -> None:
        """`signals`: what a host knows of its own protocol; `locales`: those it has words for."""
        super().__init__(max_retries)
        self.result: MigrateResult | None = None
        self._request = request
        allowed = set(request.allowed_ids)
        self._cards = {str(card["id"]): card for card in request.cards if card.get("id") in allowed}
        if not allowed:
            self._end(Failure(ErrorWord.ALLOWED_IDS_REQUIRED))
            return
        try:
            self._words = words_of(request.locale, locales)
        except UnknownBucketLocaleError:
            word = ErrorWord.UNKNOWN_LOCALE if request.locale.strip() else ErrorWord.LOCALE_REQUIRED
            self._end(Failure(word, request.locale.strip()))
            return
        self._shown = render_cards(self._cards.values(), request.caps)
        whole = set(self._shown.ids) - set(self._shown.cut_ids)
        self._cards = {one: card for one, card in self._cards.items() if one in whole}
        if not self._cards:
            self._done(MigrateResult(reason=Reason.NOTHING_TO_MIGRATE))
            return
        self._spelling = Spelling.of(request.cards, request.locale, locales, request.user_name)
        self._gate = TextGate(
            signals=signals,
            ids=frozenset(self._cards),
            proven="\n".join(map(search_text, self._cards.values())),
            templates=TEMPLATES,
        )
        self._ask(migrate_prompt(request, self._shown, self._words))

    def _read(self, reply: ModelReply) -> None:
        found = read_rows(reply.text, "upgrades")
        read = found if isinstance(found, Failure) else self._upgrades(found[1])
        if isinstance(read, Failure):
            self._mend(read, reply, reask_text(read, reply, self._words, _REASKS))
            return
        found_words = {"upgrades": len(read.mutations), "dropped": len(read.dropped_ids)}
        self._step(StepKind.PARSED, found_words)
        self._done(read)

    def _upgrades(self, rows: Sequence[object]) -> MigrateResult | Failure:
        """What the rows come to. With asking again left one unusable text refuses all; else it is left out."""
        updates: dict[str, Update] = {}
        dropped: dict[str, None] = {}
        problems: list[str] = []
        for row in rows:
            record_id = row.get("id") if isinstance(row, dict) else None
            if not isinstance(row, dict) or not isinstance(record_id, str):
                continue
            if record_id not in self._cards or record_id in updates:
                dropped[record_id] = None
                continue
            found = [
                self._gate.problem(name, told(row.get(name))) for name in ("summary", "content")
            ]
            if any(found):
                problems += filter(None, found)
                continue
            changes = self._changes(row, self._cards[record_id])
            if changes:
                updates[record_id] = Update(record_id=record_id, changes=changes)
        if problems and (self._left or not updates):
            word = ErrorWord.INVALID_CARD_CONTENT
            after = ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY
            return Failure(word if self._left else after, reasons(problems))
        return MigrateResult(mutations=tuple(updates.values()), dropped_ids=tuple(dropped))

    def _changes(self, row: Mapping[str, Any], old: Mapping[str, Any]) -> Card:
        """The fields that become others; what the old text says and the new does not is kept below it."""
        card = consolidated_card(row, [old], self._gate, self._spelling)
        rest = left_out(
            self._spelling.text(told(old.get("content"))),
            card["content"],
            self._request.locale,
            lambda sentence: not self._gate.problem("content", sentence),
        )
        if rest:
            card["content"] = f"{card['content']}\n{rest}"
        changed = {
            name: value
            for name, value in card.items()
            if name not in FORBIDDEN_CHANGES and value and value != old.get(name)
        }
        return cast("Card", changed)

    def _end(self, error: Failure) -> None:
        self._done(MigrateResult(error=error))

    def _done(self, result: MigrateResult) -> None:
        counts = {"upgraded": len(result.mutations), "dropped": len(result.dropped_ids)}
        self.result = MigrateResult(
            mutations=result.mutations,
            dropped_ids=result.dropped_ids,
            reason=result.reason,
            error=result.error,
            trace={"model_calls": self._calls, **counts},
        )
        self._step(StepKind.DONE, {"error": str(result.error or "")})
