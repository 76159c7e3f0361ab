"""Make cards of a model's reply: strictly, or leniently where there is no asking again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
from memgardend.core.editorial.buckets import converge_bucket, text_locale
from memgardend.core.editorial.cards import (
    MAX_SUMMARY_CHARS,
    Card,
    CardType,
    importance_of,
    texts,
    unit,
)
from memgardend.core.editorial.policies import CapturePolicy, get_policy
from memgardend.core.editorial.reply import read_rows
from memgardend.core.editorial.results import ErrorWord, Failure
from memgardend.core.editorial.text_gate import TextGate, reasons, told
from memgardend.core.editorial.times import normalise_occurred_at
from memgardend.core.editorial.wording.shape import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TARGETS = 20
"""Ids that one card may take the place of; more are cut off (as in a dream's reply)."""
DEFAULT_GATE = TextGate(templates=TEMPLATES)
_NOTHING = frozenset({"noop", "no_op", "none"})
_NO_KNOWN_ACTION = "no_known_action"
"""Of a reply whose rows are all none that we know: it says something, so it is not `nothing to keep`."""


class Action(StrEnum):
    """What a model may do with a card; `noop`, and words that nobody knows, make none."""

    ADD = "add"
    MERGE = "merge"
    SUPERSEDE = "supersede"


class CapturedCard(Card, total=False):
    """A card as it was judged, with what is to be done with it."""

    action: str
    target_id: str | None
    target_ids: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadReply:
    """What a reply holds: the clean cards, why others are none, or why it cannot be read at all."""

    cards: tuple[CapturedCard, ...] = ()
    problems: tuple[str, ...] = ()
    error: Failure | None = None

    def judge(
        self, allowed: int | None, *, strict: bool
    ) -> tuple[list[CapturedCard], Failure | None]:
        """The cards to keep, at most `allowed`, and the error that sends the reply back."""
        return self._strict(allowed) if strict else self._lenient(allowed)

    def _strict(self, allowed: int | None) -> tuple[list[CapturedCard], Failure | None]:
        error = self.error
        if not error and self.problems:
            error = Failure(ErrorWord.INVALID_CARD_CONTENT, self.reasons)
        if not error and allowed is not None and len(self.cards) > allowed:
            error = Failure(ErrorWord.TOO_MANY_CARDS, f"{len(self.cards)}>{allowed}")
        return ([], error) if error else (list(self.cards), None)

    def _lenient(self, allowed: int | None) -> tuple[list[CapturedCard], Failure | None]:
        if self.error:
            return [], self.error
        if self.problems and not self.cards:
            return [], Failure(ErrorWord.INVALID_CARD_CONTENT_AFTER_RETRY, self.reasons)
        return list(self.cards[:allowed]), None

    @property
    def reasons(self) -> str:
        """The first different problems, joined by commas."""
        return reasons(self.problems)


def parse_capture_cards(
    raw: str,
    policy: CapturePolicy | str | None = None,
    strict: bool = True,
    *,
    locale: str | None = None,
    gate: TextGate = DEFAULT_GATE,
) -> tuple[list[CapturedCard], Failure | None]:
    """The cards of a reply, and the error that keeps it from being used.

    Strict: one bad card, or one too many (`too_many_cards:3>2`), sends the whole reply back. Lenient: bad ones
    are dropped and the first that are allowed kept; it fails only if nothing clean is left. Without a
    `locale` a common bucket is spelled in the language of its card.
    Raises UnknownPolicyError and UnknownBucketLocaleError, and nothing else, whatever the reply is.
    """
    yardstick = get_policy(policy)
    cards, error = read_reply(raw, yardstick, gate).judge(yardstick.max_cards, strict=strict)
    for card in cards:
        if card["bucket"]:
            spelled_in = locale or text_locale(card["summary"] + card["content"])
            card["bucket"] = converge_bucket(card["bucket"], (), spelled_in)
    return cards, error


def read_reply(raw: str, policy: CapturePolicy, gate: TextGate = DEFAULT_GATE) -> ReadReply:
    """Every clean card of a reply, and every problem."""
    found = read_rows(raw, "cards")
    if isinstance(found, Failure):
        return ReadReply(error=found)
    rows = [row for row in found[1] if isinstance(row, dict) and _action(row)]
    if found[1] and not rows and not any(map(_is_nothing, found[1])):
        return ReadReply(problems=(_NO_KNOWN_ACTION,))
    read = [_card(row, policy, gate) for row in rows]
    return ReadReply(
        cards=tuple(one for one in read if not isinstance(one, str)),
        problems=tuple(one for one in read if isinstance(one, str)),
    )


def _card(row: Mapping[str, Any], policy: CapturePolicy, gate: TextGate) -> CapturedCard | str:
    """The card that a row means, or why it is none."""
    summary = told(row.get("summary"))
    content = told(row.get("content"))
    problem = (
        gate.problem("summary", summary)
        or gate.problem("content", content)
        or _metadata_problem(row, policy)
    )
    if problem:
        return problem
    threads = texts(row.get("threads")) + (
        texts(row.get("tags")) if policy.tags_seed_threads else []
    )
    card = CapturedCard(
        action=str(_action(row)),
        target_id=None,
        target_ids=[],
        type=str(_type(row.get("type"))),
        summary=clean_line(summary)[:MAX_SUMMARY_CHARS],
        content=content,
        bucket=gate.bucket(row.get("bucket")),
        threads=gate.threads(threads),
        importance=importance_of(row),
        pulse=unit(row.get("pulse")),
    )
    _aim(card, row)
    _describe(card, row, policy, gate)
    return card


def _aim(card: CapturedCard, row: Mapping[str, Any]) -> None:
    """Which cards it takes the place of; an `add` takes none."""
    if card["action"] == Action.ADD:
        return
    named = [*texts(row.get("target_id")), *texts(row.get("target_ids"))]
    ids = [one.strip() for one in named if one.strip()]
    card["target_ids"] = list(dict.fromkeys(ids))[:MAX_TARGETS]
    card["target_id"] = next(iter(card["target_ids"]), None)


def _describe(
    card: CapturedCard, row: Mapping[str, Any], policy: CapturePolicy, gate: TextGate
) -> None:
    """What a card need not have."""
    hints = gate.cues(row.get("retrieval_cues"))
    if hints:
        card["retrieval_cues"] = hints
    if policy.keeps_dates and told(row.get("occurred_at")):
        card["occurred_at"] = normalise_occurred_at(row["occurred_at"])
    if told(row.get("role")):
        card["role"] = clean_line(row["role"])
    if row.get("is_sensitive"):
        card["is_sensitive"] = True


def _metadata_problem(row: Mapping[str, Any], policy: CapturePolicy) -> str | None:
    """Why what a card need not have cannot be read; a date that the policy drops is not looked at."""
    if (
        policy.keeps_dates
        and row.get("occurred_at") is not None
        and not _is_date(row["occurred_at"])
    ):
        return "occurred_at_must_be_a_valid_ISO_date"
    if row.get("role") is not None and not isinstance(row["role"], str):
        return "role_must_be_a_string"
    if row.get("is_sensitive") is not None and not isinstance(row["is_sensitive"], bool):
        return "is_sensitive_must_be_a_boolean"
    return None


def _is_date(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        normalise_occurred_at(value)
    except ValueError:
        return not value.strip()
    return True


def _action(row: Mapping[str, Any]) -> Action | None:
    name = _word(row.get("action"))
    return Action(name) if name in list(Action) else None


def _is_nothing(row: object) -> bool:
    return isinstance(row, dict) and _word(row.get("action")) in _NOTHING


def _word(value: object) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _type(value: object) -> CardType:
    name = _word(value)
    return CardType(name) if name in list(CardType) else CardType.EVENT
