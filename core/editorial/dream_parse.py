"""A dream's reply, read: which consolidations are safe to make, and what a person should be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.cards import folded, texts
from memgardend.core.editorial.consolidated import consolidated_card
from memgardend.core.editorial.reply import read_rows
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.text_gate import reasons, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memgardend.core.editorial.cards import Card
    from memgardend.core.editorial.dream_render import RenderedCards
    from memgardend.core.editorial.spelling import Spelling
    from memgardend.core.editorial.text_gate import TextGate

MAX_TARGETS = 20
"""Cards that one consolidation replaces; further ones are left as they are."""
MAX_RATIONALE_CHARS = 1000
MAX_QUESTIONS = 20
MAX_QUESTION_CHARS = 500
_NO_PROPOSAL = "no_complete_row"
"""Of a reply whose rows all lack something: it proposes something, so the cards do not count as reviewed."""


class ConsolidationOp(StrEnum):
    """What a dream does with cards: make one of several, say more in one, or correct what is over."""

    MERGE = "merge"
    THICKEN = "thicken"
    SUPERSEDE = "supersede"


class Dropped(StrEnum):
    """Why a row of a reply was not followed."""

    MALFORMED = "malformed"
    UNRENDERED_TARGETS = "unrendered_targets"  # retired, unknown, or not shown this time
    TRUNCATED_TARGETS = "truncated_targets"
    SHARED_TARGETS = "shared_targets"  # an earlier row has one of them already
    INVALID_CONTENT = "invalid_content"


UNSAFE_TARGETS = frozenset(Dropped) - {Dropped.MALFORMED, Dropped.INVALID_CONTENT}


@dataclass(frozen=True, slots=True)
class Consolidation:
    """One new card that takes the place of others, and why."""

    op: ConsolidationOp
    card_ids: tuple[str, ...]
    rationale: str
    card: Card

    def to_dict(self) -> dict[str, Any]:
        """The row as a host shows and keeps it."""
        return {
            "op": str(self.op),
            "card_ids": list(self.card_ids),
            "rationale": self.rationale,
            "result": self.card,
        }


@dataclass(frozen=True, slots=True)
class DreamReply:
    """What a reply proposes that is safe, what it asks, and what of it was dropped."""

    consolidations: tuple[Consolidation, ...]
    questions: tuple[str, ...]
    dropped: Mapping[Dropped, int]


@dataclass(frozen=True, slots=True)
class DreamReader:
    """Reads replies against what was shown: `cards` by id, and `shown` of them."""

    cards: Mapping[str, Mapping[str, Any]]
    shown: RenderedCards
    gate: TextGate
    spelling: Spelling

    def read(self, raw: str, *, strict: bool) -> DreamReply | Failure:
        """The safe proposals of a reply.

        Strict: one row with unusable texts refuses the reply. Otherwise such rows are dropped; the reply
        fails where that leaves nothing.
        """
        found = read_rows(raw, "consolidations")
        if isinstance(found, Failure):
            return found
        reply, rows = found
        pile = _Pile(self)
        for row in rows:
            pile.sort(row)
        failure = pile.failure(strict=strict)
        if failure is not None:
            return failure
        questions = self._questions(reply.get("questions_to_ask"))
        return DreamReply(tuple(pile.kept), questions, pile.dropped)

    def _questions(self, value: object) -> tuple[str, ...]:
        asked = folded(value, limit=MAX_QUESTIONS, chars=MAX_QUESTION_CHARS)
        return tuple(told(one) for one in asked if not self.gate.problem("question", one))


class _Pile:
    """The rows of one reply, sorted one by one: a row is judged beside those kept before it."""

    def __init__(self, reader: DreamReader) -> None:
        self.reader = reader
        self.kept: list[Consolidation] = []
        self.dropped: Counter[Dropped] = Counter()
        self.problems: list[str] = []
        self.taken: set[str] = set()

    def sort(self, row: object) -> None:
        """Keep a row, or count why it is dropped."""
        judged = self._judge(row)
        if isinstance(judged, Dropped):
            self.dropped[judged] += 1
        else:
            self.kept.append(judged)
            self.taken.update(judged.card_ids)

    def failure(self, *, strict: bool) -> Failure | None:
        """Why the whole reply cannot be used, if so."""
        unsafe = UNSAFE_TARGETS & self.dropped.keys()
        problems = self.problems
        if self.dropped and not (self.kept or problems or unsafe):
            problems = [_NO_PROPOSAL]
        if problems and strict:
            return Failure(ErrorWord.INVALID_CARD_CONTENT, reasons(problems))
        if self.kept:
            return None
        if problems:
            return Failure(ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY, reasons(problems))
        return Failure(ErrorWord.MAINTENANCE_TARGETS_REJECTED) if unsafe else None

    def _judge(self, row: object) -> Consolidation | Dropped:
        if not isinstance(row, dict):
            return Dropped.MALFORMED
        ids = tuple(dict.fromkeys(one for one in texts(row.get("card_ids")) if one))[:MAX_TARGETS]
        rationale = clean_line(told(row.get("rationale")))[:MAX_RATIONALE_CHARS]
        op, result = row.get("op"), row.get("result")
        if (
            op not in list(ConsolidationOp)
            or not ids
            or not rationale
            or not isinstance(result, dict)
        ):
            return Dropped.MALFORMED
        unsafe = self._unsafe(ids)
        if unsafe is not None:
            return unsafe
        gate = self.reader.gate
        found = [gate.problem(name, told(result.get(name))) for name in ("summary", "content")]
        problems = [problem for problem in found if problem]
        if problems:
            self.problems += problems
            return Dropped.INVALID_CONTENT
        targets = [self.reader.cards[one] for one in ids]
        card = consolidated_card(result, targets, gate, self.reader.spelling)
        return Consolidation(ConsolidationOp(op), ids, rationale, card)

    def _unsafe(self, ids: tuple[str, ...]) -> Dropped | None:
        shown = self.reader.shown
        if not set(ids) <= set(shown.ids):
            return Dropped.UNRENDERED_TARGETS
        if set(ids) & set(shown.cut_ids):
            return Dropped.TRUNCATED_TARGETS
        return Dropped.SHARED_TARGETS if self.taken & set(ids) else None
