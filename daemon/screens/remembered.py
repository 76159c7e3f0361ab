"""`remember`, `edit` and `archive`: what was done, as it is stored now; `project`: what is known of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.memories import memory_lines
from memgardend.daemon.screens.text import clean, lead, paragraph

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_OUTCOMES = {
    "stored": "Remembered.",
    "merged": "Much the same was known; both are one memory now.",
    "known": "This was known; nothing had to be changed.",
}


def remembered_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`remember`: the memory as it is stored, and what it stays beside."""
    return _told(_OUTCOMES[document["outcome"]], document, view)


def updated_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`edit` and `archive`: the memory as it is now."""
    changed = document["changed"]
    said = f"Changed: {', '.join(changed)}." if changed else "Nothing to change."
    return _told(said, document, view)


def panorama_lines(document: dict[str, Any], view: View) -> list[Text]:
    """`project`: shelf by shelf."""
    names = ", ".join(document["projects"])
    if not document["shelves"]:
        return paragraph(f"Nothing is known of {names}.", view.width)
    lines = paragraph(names, view.width, style="bold")
    for shelf in document["shelves"]:
        lines += [Text(), Text(clean(shelf["name"]).upper(), "bold")]
        for memory in shelf["memories"]:
            lines += memory_lines(memory, view)
    return lines


def _told(said: str, document: dict[str, Any], view: View) -> list[Text]:
    memory = document["memory"]
    lines = [*paragraph(said, view.width), Text(), *memory_lines(memory, view)]
    if document["alike"]:
        beside = "These are like it and stay beside it. Where one no longer holds, archive it:"
        lines += [Text(), *paragraph(beside, view.width)]
        for one in document["alike"]:
            lines += memory_lines(one, view)
    for name in document["new_projects"]:
        lines += [Text(), *paragraph(f"{name} is a new project here.", view.width)]
    command = f"memgardend why {memory['short']}{view.here}"
    return [*lines, Text(), *lead("For its history, try:", command, view.width)]
