"""Read what a round answered: one JSON object with operations, questions and a summary."""

from __future__ import annotations

from typing import Any

from memgardend.core.answer_json import find_object
from memgardend.core.answer_rows import read_row
from memgardend.core.records.operations import (
    Answer,
    Fields,
    Flaw,
    Malformed,
    Operation,
    QuoteRef,
    Unusable,
)

__all__ = [
    "Answer",
    "Fields",
    "Flaw",
    "Malformed",
    "Operation",
    "QuoteRef",
    "Unusable",
    "parse_answer",
]

MAX_OPERATIONS = 1000
"""Far above what a prompt can give rise to; to judge more would outlast the lease of the dream."""
MAX_QUESTIONS = 20
"""Questions kept of an answer (as in the ancestor's dream replies)."""
MAX_QUESTION_CHARS = 500
MAX_SUMMARY_CHARS = 1000

MARKER_START = "[memgardend-own "
"""How the signed line in our prompts begins (core/marker.py): an answer that holds it echoes the prompt."""


def parse_answer(text: str) -> Answer | Unusable:
    """Read the one JSON object of a model's answer. Never raises; linear in the length of the text."""
    if not text.strip():
        return Unusable(Flaw.EMPTY)
    if MARKER_START in text:
        return Unusable(Flaw.ECHO)
    found = find_object(text)
    if found is None:
        return Unusable(Flaw.NO_JSON)
    rows = found.get("operations")
    if not isinstance(rows, list):
        return Unusable(Flaw.NO_LIST)
    if len(rows) > MAX_OPERATIONS:
        return Unusable(Flaw.TOO_MANY)
    if rows and all(map(_is_shape, rows)):
        return Unusable(Flaw.BARE_SHAPE)
    return Answer(
        operations=tuple(read_row(row) for row in rows),
        questions=_questions(found.get("questions")),
        summary=_summary(found.get("summary")),
    )


def _is_shape(row: Any) -> bool:
    """True for a row copied from the prompt's example, whose texts are ellipses."""
    if not isinstance(row, dict):
        return False
    new = _first(row.get("by") or row.get("into"))
    content = new.get("content") if isinstance(new, dict) else row.get("content")
    named = _first(row.get("ids")) or row.get("id")
    texts = [text for text in (content, named) if isinstance(text, str)]
    return bool(texts) and all("…" in text and not text.strip(" m…") for text in texts)


def _first(value: Any) -> Any:
    """The first of a list; anything else as it is."""
    return value[0] if isinstance(value, list) and value else value


def _questions(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    texts = (item.strip()[:MAX_QUESTION_CHARS] for item in items if isinstance(item, str))
    return tuple(text for text in texts if text)[:MAX_QUESTIONS]


def _summary(value: Any) -> str | None:
    text = value.strip()[:MAX_SUMMARY_CHARS] if isinstance(value, str) else ""
    return text or None
