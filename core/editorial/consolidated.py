"""The card that takes the place of others: it says what the model wrote, and inherits what that left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.core.clean import clean_line
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
from memgardend.core.editorial.text_gate import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memgardend.core.editorial.spelling import Spelling
    from memgardend.core.editorial.text_gate import TextGate


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
    hints = [*gate.cues(result.get("retrieval_cues")), *_all(targets, "retrieval_cues")]
    threads = spelling.threads(gate.threads(result.get("threads")))
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
