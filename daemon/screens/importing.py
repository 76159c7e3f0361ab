"""`import text`: what it would take, or how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import clean, many, paragraph
from memgardend.daemon.screens.words import BAD, flagged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.text import Text

_SKIPPED = {
    "already_applied": "stored before this run had noted it",
    "blank_material": "blank",
    "max_total_cards": "no more cards allowed",
}


def import_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """An estimate, or the outcome."""
    told = _estimate(document) if document["dry_run"] else _outcome(document)
    lines = [] if document["dry_run"] else _head(document, width)
    return lines + [line for text, tone in told for line in _lines(text, tone, width)]


def _head(document: dict[str, Any], width: int | None) -> list[Text]:
    how = "imported" if document["done"] else f"{document['percent']} % imported"
    again = ", went on" if document["resumed"] else ""
    return flagged(
        "ok" if document["done"] else "warning", f"{document['file']}: {how}{again}", width
    )


def _lines(text: str, tone: str, width: int | None) -> list[Text]:
    """What belongs to the line above it stands under that."""
    indent = len(text) - len(text.lstrip())
    return paragraph(text, width, indent=indent, style=tone)


def _estimate(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    batches = many(document["batches"], "batch", "batches")
    yield f"{clean(document['file'])}: {many(document['chars'], 'character')}, {batches}", ""
    yield f"about {document['tokens_in']:,} tokens to read, one call a batch at least", ""
    days = document["days"]
    if days is not None and days > 1:
        yield f"the budget (calls a day) makes {days} days of it; it goes on where it stopped", ""
    yield "Nothing was asked and nothing stored.", "dim"


def _outcome(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    cards = many(document["cards_written"], "card")
    calls = many(document["model_calls"], "model call")
    yield f"  {cards} written so far, {calls} in this run", ""
    for reason, count in _reasons(document["skipped"]).items():
        yield f"  left out: {count} ({_SKIPPED.get(reason, clean(reason))})", "dim"
    for one in document["failed"]:
        yield (
            f"  failed at character {one['offset']:,}: {clean(one['error'])} "
            f"(tried {many(one['attempts'], 'time')})",
            BAD,
        )


def _reasons(skipped: list[Mapping[str, Any]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in skipped:
        counts[one["reason"]] = counts.get(one["reason"], 0) + 1
    return counts
