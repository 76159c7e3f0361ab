"""The card that takes the place of others: it says what the model wrote, and inherits what that left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean, clean_line
from memgardend.core.editorial.buckets import converge_bucket, converge_threads
from memgardend.core.editorial.cards import (
    DREAM_SOURCE,
    MAX_CUES,
    MAX_SUMMARY_CHARS,
    MAX_THREADS,
    Card,
    importance_of,
    texts,
    unit,
)
from memgardend.core.editorial.naming import rewrite_user_reference
from memgardend.core.mask import mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.text_gate import TextGate
    from memgardend.core.editorial.wording.locale_words import LocaleWords


@dataclass(frozen=True, slots=True)
class Spelling:
    """The names that a garden has already, of buckets, threads and the person, and its locale."""

    buckets: tuple[str, ...]
    threads: tuple[str, ...]
    locale: str
    locales: Mapping[str, LocaleWords]
    user_name: str

    @classmethod
    def of(
        cls,
        cards: Sequence[Mapping[str, Any]],
        locale: str,
        locales: Mapping[str, LocaleWords],
        user_name: str,
    ) -> Spelling:
        """The spelling of these cards."""
        buckets, threads = (tuple(_all(cards, name)) for name in ("bucket", "threads"))
        return cls(buckets, threads, locale, locales, user_name)

    def text(self, said: str) -> str:
        """A text that calls the person by name, or by nothing."""
        return rewrite_user_reference(said, self.user_name)

    def bucket(self, name: str) -> str:
        """The bucket as the garden spells it."""
        return converge_bucket(name, self.buckets, self.locale, self.locales) if name else ""


def told(value: object) -> str:
    """What a model wrote, without what drives a terminal, and without secrets."""
    return mask(clean(value)).strip() if isinstance(value, str) else ""


def consolidated_card(
    result: Mapping[str, Any],
    targets: Sequence[Mapping[str, Any]],
    gate: TextGate,
    spelling: Spelling,
) -> Card:
    """The new card out of the model's `result`, whose summary and content have passed the gate.

    Of its targets it keeps the search hints, links and roles, that one of them is sensitive, a date and a
    type that they share, and bucket, threads and weight where the result names none.
    """
    hints = [*map(mask, gate.cues(result.get("retrieval_cues"))), *_all(targets, "retrieval_cues")]
    threads = converge_threads(gate.threads(result.get("threads")), spelling.threads)
    card = Card(
        summary=spelling.text(clean_line(told(result["summary"])))[:MAX_SUMMARY_CHARS],
        content=spelling.text(told(result["content"])),
        bucket=spelling.bucket(gate.bucket(result.get("bucket"))) or _first(targets, "bucket"),
        threads=threads or _all(targets, "threads")[:MAX_THREADS],
        retrieval_cues=list(dict.fromkeys(hints))[:MAX_CUES],
        importance=importance_of(result) or max(map(importance_of, targets)),
        pulse=unit(result.get("pulse")) or max(unit(one.get("pulse")) for one in targets),
        source=DREAM_SOURCE,
    )
    card.update(inherited(targets))
    return card


def inherited(targets: Sequence[Mapping[str, Any]]) -> Card:
    """What the new card has of the old ones: no model is asked, so it can neither be lost nor made up."""
    kept = Card()
    if any(one.get("is_sensitive") is True for one in targets):
        kept["is_sensitive"] = True
    if occurred_at := _shared(targets, "occurred_at"):
        kept["occurred_at"] = occurred_at
    if kind := _shared(targets, "type"):
        kept["type"] = kind
    if role := _first(targets, "role"):
        kept["role"] = role
    if roles := _all(targets, "roles"):
        kept["roles"] = roles
    if anchors := _all(targets, "anchor_memory_ids"):
        kept["anchor_memory_ids"] = anchors
    return kept


def _first(targets: Iterable[Mapping[str, Any]], name: str) -> str:
    return next((text for one in targets for text in texts(one.get(name)) if text.strip()), "")


def _shared(targets: Sequence[Mapping[str, Any]], name: str) -> str:
    values = {_first([one], name) for one in targets}
    return values.pop() if len(values) == 1 else ""


def _all(targets: Iterable[Mapping[str, Any]], name: str, limit: int | None = None) -> list[str]:
    found = (text for one in targets for text in texts(one.get(name)) if text.strip())
    return list(dict.fromkeys(found))[:limit]
