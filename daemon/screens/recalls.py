"""`logs --recalls`: a block each selection; why a memory was, or was not, recalled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import clean, dotted, many, paragraph
from memgardend.daemon.screens.times import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from memgardend.daemon.screens.times import View

_INDENT = 2
_OUTSIDE = "(no conversation)"
_NOTHING = (
    "Nothing was recalled yet, as far as it is noted. Records are kept for retention.answer_days."
)
_REASONS = {
    "recalled": "recalled",
    "not_named": "not among those that the record names",
    "seen": "the conversation had it in front of it",
    "own_window": "the conversation wrote it itself",
    "not_covered": "applies to other projects",
    "below_floor": "shares too little with the question",
    "no_match": "shares no word with the question",
    "below_gate": "too weak a match",
    "over_cap": "others matched better",
}


def recalls_lines(document: dict[str, Any], view: View) -> list[Text]:
    """Oldest first, as a log is read."""
    if not document["recalls"]:
        return paragraph(_NOTHING, view.width)
    memory = document["memory"]
    return [line for one in document["recalls"] for line in _recall(one, memory, view)]


def _recall(recall: dict[str, Any], memory: str | None, view: View) -> list[Text]:
    counts = recall["counts"]
    head = [
        f"{exact(recall['at'], view)} {clean(recall['window_short'] or _OUTSIDE)}",
        clean(str(recall["mode"])),
        f"{counts.get('injected', 0)} of {many(counts.get('candidate_pool', 0), 'candidate')}",
        f"at most {counts['cap']}" if "cap" in counts else "",
        clean(recall["rules"] or ""),
        "" if recall["dur_ms"] is None else f"{recall['dur_ms']} ms",
        _question(recall),
    ]
    lines = dotted(head, view.width, style="bold")
    for text in _details(recall, memory):
        lines += paragraph(text, view.width, indent=_INDENT)
    return lines


def _question(recall: dict[str, Any]) -> str:
    return "no question" if recall["query_empty"] else f"question {recall['query_fingerprint']}"


def _details(recall: dict[str, Any], memory: str | None) -> Iterator[str]:
    if memory is not None:
        yield f"{clean(memory)}: {_reason(recall['verdict'])}"
        return
    if recall["recalled"]:
        yield "recalled: " + ", ".join(clean(one["short"]) for one in recall["recalled"])
    for reason, count in recall["rejected_reasons"].items():
        named = [clean(one["short"]) for one in recall["rejected"] if one["reason"] == reason]
        among = f", among them {', '.join(named)}" if named else ""
        yield f"left out: {count}, {_reason(reason)}{among}"


def _reason(word: str) -> str:
    return _REASONS.get(word, clean(word).replace("_", " "))
