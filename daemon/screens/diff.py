"""`diff DREAM`: memory by memory, and `--stat`: a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.core.word_diff import Part
from memgardend.daemon.screens.dreams import change_head
from memgardend.daemon.screens.memories import memory_lines, proof_lines
from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import dotted, lead, paragraph
from memgardend.daemon.screens.times import ago
from memgardend.daemon.screens.words import BAD, GOOD, mark, marked, style

if TYPE_CHECKING:
    from memgardend.daemon.screens.times import View

_INDENT = 9
_STAT = (
    Column("", head=True),
    Column("CHANGE", head=True),
    Column("LAYER", head=True),
    Column("MEMORY", head=True),
    Column("SAYS", least=16),
    Column("WHAT", least=10),
)
_ASIDE = frozenset({"superseded_by", "superseded_by_short", "keywords_auto"})
_TIMES = frozenset({"as_of", "occurred_at"})
_SIDES = ((Part.WAS, "[-", "-]", BAD), (Part.NOW, "{+", "+}", GOOD))


def diff_lines(document: dict[str, Any], view: View) -> list[Text]:
    """What the dream made of each memory, with the quotes that it brought for it."""
    lines = _head(document, view)
    for memory in document["memories"]:
        lines += [Text(), *change_head(memory["change"], memory["steps"], view)]
        changed = memory["change"] == "changed"
        lines += _changed(memory, view) if changed else memory_lines(memory, view)
        if memory["replaces"]:
            names = ", ".join(one["short"] for one in memory["replaces"])
            lines += paragraph(f"in place of {names}", view.width, indent=_INDENT, style="dim")
    return lines + _nothing(document, view)


def stat_lines(document: dict[str, Any], view: View) -> list[Text]:
    """One line a memory, and how to see more."""
    lines = _head(document, view)
    if document["memories"]:
        rows = [_stat(memory) for memory in document["memories"]]
        lines += [Text(), *table(_STAT, rows, view.width), Text()]
        command = f"memgardend diff {document['short']}{view.here}"
        lines += lead("For the texts and their proof, try:", command, view.width)
    return lines + _nothing(document, view)


def _head(document: dict[str, Any], view: View) -> list[Text]:
    state, changes = document["state"], document["changes"]
    undone = " · undone" if document["undone_at"] else ""
    counts = f" · +{changes['added']} ~{changes['changed']} -{changes['archived']}"
    head = f"{mark(state)} Dream {document['short']} · {state}{undone}{counts}"
    return paragraph(head, view.width, style=f"bold {style(state)}".strip())


def _nothing(document: dict[str, Any], view: View) -> list[Text]:
    if document["memories"]:
        return []
    command = f"memgardend show {document['short']}{view.here}"
    return [
        Text(),
        *lead("It changed no memory. To see what it did, try:", command, view.width),
    ]


def _changed(memory: dict[str, Any], view: View) -> list[Text]:
    """The text before and after with the words that differ marked, the other fields, the quotes."""
    layer = memory["layer"]
    lines: list[Text] = []
    for side, begin, end, colour in _SIDES if memory["content_diff"] else ():
        text = "".join(
            _marked(piece["text"], begin, end) if piece["part"] == side else piece["text"]
            for piece in memory["content_diff"]
            if piece["part"] in (side, Part.SAME)
        )
        first = (layer if not lines else "").ljust(_INDENT) + f"{side}  "
        lines += paragraph(text, view.width, indent=len(first), first=first, style=colour)
    if not lines:
        lines = paragraph(memory["content"], view.width, indent=_INDENT, first=layer.ljust(_INDENT))
    if lines:
        lines[0].stylize("bold", 0, len(layer))
    fields = [
        f"{name.replace('_', ' ')}: {_plain(name, before, view)} → {_plain(name, after, view)}"
        for name, (before, after) in memory["fields"].items()
        if name not in _ASIDE
    ]
    lines += dotted([memory["short"], *fields], view.width, indent=_INDENT, style="dim")
    for proof in memory["evidence"]:
        lines += proof_lines(proof, view)
    return lines


def _marked(text: str, begin: str, end: str) -> str:
    """The words between marks, line by line, the white space around them outside."""
    parts = []
    for line in text.split("\n"):
        words = line.strip()
        at = line.find(words)
        parts.append(f"{line[:at]}{begin}{words}{end}{line[at + len(words) :]}" if words else line)
    return "\n".join(parts)


def _plain(name: str, value: Any, view: View) -> str:
    if name in _TIMES:
        return ago(value, view)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def _stat(memory: dict[str, Any]) -> list[Cell]:
    symbol, change = marked(memory["change"])
    names = [name.replace("_", " ") for name in memory["fields"] if name not in _ASIDE]
    fields = ["content", *names] if memory["content_diff"] else names
    what = ", ".join(fields) if memory["change"] == "changed" else ""
    if memory["change"] == "archived" and memory["superseded_by_short"]:
        what = f"superseded by {memory['superseded_by_short']}"
    if memory["replaces"]:
        what = f"in place of {len(memory['replaces'])}"
    return [
        symbol,
        change,
        Cell(memory["layer"]),
        Cell(memory["short"]),
        Cell(memory["title"] or memory["content"]),
        Cell(what or "-"),
    ]
