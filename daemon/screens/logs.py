"""`logs`: one line an event, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.times import local
from memgardend.daemon.log_filter import instant_of
from memgardend.daemon.screens.text import clean, fit
from memgardend.daemon.screens.words import BAD, QUIET, WARN

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_STYLES = {"info": QUIET, "warning": WARN, "error": BAD, "critical": BAD}
_HEAD = ("timestamp", "level", "event")
_NOTHING = "No events yet. They come with: memgardend run"


def logs_lines(document: dict[str, Any], view: View) -> list[Text]:
    """Oldest first."""
    if not document["lines"]:
        return [Text(_NOTHING)]
    return [entry_line(entry, view) for entry in document["lines"]]


def entry_line(entry: dict[str, Any], view: View) -> Text:
    """`2026-11-30 18:42:03 warning dream_healed dream=… state=pending`."""
    level = str(entry.get("level", ""))
    at = instant_of(entry)
    when = "-" if at is None else f"{local(at, view.zone):%Y-%m-%d %H:%M:%S}"
    fields = " ".join(
        f"{clean(name)}={clean(str(value))}"
        for name, value in entry.items()
        if name not in _HEAD and value is not None
    )
    text = f"{when} {clean(level):7} {clean(entry['event'])} {fields}".rstrip()
    line = Text(text if view.width is None else fit(text, view.width))
    line.stylize(_STYLES.get(level, ""), len(when) + 1, len(when) + 1 + len(level))
    return line
