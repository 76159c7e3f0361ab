"""`logs`: one line an event, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.times import local
from memgardend.daemon.log_filter import instant_of
from memgardend.daemon.screens.text import clean, lead, wrap
from memgardend.daemon.screens.words import BAD, QUIET, WARN

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_INDENT = 2
_STYLES = {"info": QUIET, "warning": WARN, "error": BAD, "critical": BAD}
_SAID = ("timestamp", "level", "event", "workspace", "fence")
"""What a line says anyway, or a person does not look for."""
_LAST = ("dream", "window")


def logs_lines(document: dict[str, Any], view: View) -> list[Text]:
    """Oldest first."""
    if not document["lines"]:
        return lead("No events yet. They come with:", f"memgardend run{view.here}", view.width)
    return [line for entry in document["lines"] for line in entry_lines(entry, view)]


def entry_lines(entry: dict[str, Any], view: View) -> list[Text]:
    """`2026-11-30 18:42:03 warning dream_healed state=pending dream=…`; what is long goes on under itself."""
    level = clean(str(entry.get("level", "")))
    at = instant_of(entry)
    when = "-" if at is None else f"{local(at, view.zone):%Y-%m-%d %H:%M:%S}"
    text = " ".join([f"{when} {level:7} {clean(entry['event'])}", *_fields(entry)])
    parts = [text] if view.width is None else wrap(text, view.width - _INDENT)
    lines = [Text(" " * _INDENT * bool(number) + part) for number, part in enumerate(parts)]
    lines[0].stylize(_STYLES.get(level, ""), len(when) + 1, len(when) + 1 + len(level))
    return lines


def _fields(entry: dict[str, Any]) -> list[str]:
    names = [name for name in entry if name not in (*_SAID, *_LAST)]
    names += [name for name in _LAST if name in entry]
    return [
        f"{clean(name)}={clean(_plain(entry[name])).strip()}"
        for name in names
        if entry[name] not in (None, [])
    ]


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
