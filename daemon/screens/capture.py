"""`capture`: the cards that would be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import clean, dotted, paragraph
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from rich.text import Text

_INDENT = 2
_NOTHING = "Nothing in it is worth keeping."


def capture_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """A block a card: its line, what more it says, and what it is."""
    if not document["mutations"]:
        return paragraph(_NOTHING, width)
    return [line for one in document["mutations"] for line in _mutation(one, width)]


def _mutation(mutation: dict[str, Any], width: int | None) -> list[Text]:
    card = mutation["card"]
    word = "changed" if mutation.get("target_ids") else "added"
    lines = flagged(word, card["summary"], width)
    if clean(card["content"]) != clean(card["summary"]):
        lines += paragraph(card["content"], width, indent=_INDENT)
    about = [
        card.get("type", ""),
        card.get("bucket", ""),
        ", ".join(card.get("threads", [])),
        f"importance {card['importance']:g}" if "importance" in card else "",
        ", ".join(card.get("retrieval_cues", [])),
        f"in place of {', '.join(mutation['target_ids'])}" if mutation.get("target_ids") else "",
    ]
    return [*lines, *dotted(about, width, indent=_INDENT, style="dim")]
