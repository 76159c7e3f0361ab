"""`ingest` and `event`: what came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgardend.daemon.screens.text import lead, many, paragraph
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from rich.text import Text


def ingest_lines(document: dict[str, Any], width: int | None, here: str = "") -> list[Text]:
    """Counts in one sentence, then where to look, if there is anything to see."""
    parts = [
        f"{many(document['events'], 'new event')} in {many(document['files'], 'changed file')}",
        many(document["new_windows"], "new window"),
    ]
    optional = {
        "old": "of them old",
        "replays": "repeated from other windows",
        "duplicates": "known already",
    }
    parts += [f"{document[name]} {words}" for name, words in optional.items() if document[name]]
    if document["unreadable"]:
        parts.append(many(document["unreadable"], "unreadable line"))
    lines = paragraph(", ".join(parts) + ".", width)
    if document["homeless"]:
        lines += paragraph(
            f"{many(document['homeless'], 'conversation')} left out: no folder is named.", width
        )
    if document["compressed"]:
        lines += paragraph(f"{many(document['compressed'], 'compressed file')} not read.", width)
    if document["events"] or document["new_windows"]:
        lines += lead("To see them, try:", f"memgardend windows{here}", width)
    elif document["unreadable"] or document["homeless"] or document["compressed"]:
        lines += lead("For what was not read, try:", f"memgardend doctor{here}", width)
    return lines


def event_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Counts, then each line that was rejected, with the reason."""
    rejected = document["rejected"]
    counts = f"{document['accepted']} accepted, {document['duplicate']} known already"
    lines = paragraph(f"{counts}, {len(rejected)} rejected.", width)
    for one in rejected:
        lines += flagged("refused", f"line {one['line']}: {one['reason']}", width)
    return lines
