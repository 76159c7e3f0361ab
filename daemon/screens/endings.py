"""What `dream` and `run --once` did."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.times import parse_time
from memgardend.daemon.screens.table import facts
from memgardend.daemon.screens.text import lead, many, paragraph
from memgardend.daemon.screens.times import View, moment, wait
from memgardend.daemon.screens.words import flagged

if TYPE_CHECKING:
    from datetime import tzinfo


def endings_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """One line a dream, with the reason and the way out where it did not end well."""
    dreams = document["dreams"]
    if not dreams:
        return [Text("Nothing is due.")]
    lines: list[Text] = []
    for dream in dreams:
        why = ": ".join(filter(None, [dream["reason"], dream["error"]]))
        text = f"{dream['window']} {dream['ending']}" + (f", {why}" if why else "")
        lines += flagged(dream["ending"], text, width)
        if dream["hint"]:
            lines += paragraph(f"try: {dream['hint']}", width, indent=2)
    return lines


def once_lines(
    document: dict[str, Any], zone: tzinfo, width: int | None, here: str = ""
) -> list[Text]:
    """`run --once`: what was read, what was dreamed, what is held and until when."""
    read, held = document["ingest"], document["held"]
    pairs = [
        ("read", f"{many(read['events'], 'event')} of {many(read['files'], 'file')}"),
        ("held", ", ".join(f"{count} by {gate}" for gate, count in held.items()) or "nothing"),
    ]
    if read["unreadable"]:
        pairs.append(("unreadable", many(read["unreadable"], "line")))
    if document["healed"]:
        pairs.append(("healed", f"{many(document['healed'], 'dream')} whose worker was gone"))
    if document.get("reflections"):
        pairs.append(("looked back", f"on {many(document['reflections'], 'turn')}"))
    if document["next_at"]:
        view = View(parse_time(document["now"], UTC), zone, width)
        at = document["next_at"]
        pairs.append(("next", f"{moment(at, view)} {zone} ({wait(at, view)})"))
    lines = [*endings_lines(document, width), *facts(pairs, width)]
    if document["dreams"]:
        lines += lead("For what became of each, try:", f"memgardend dreams{here}", width)
    elif held:
        lines += lead("For the reason of each, try:", f"memgardend status{here}", width)
    return lines
