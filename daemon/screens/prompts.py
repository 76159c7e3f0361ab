"""`config prompts`: where each slot comes from, and `--check`: what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import many, paragraph
from memgardend.daemon.screens.words import BAD, flagged

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLOTS = (
    Column("SLOT", head=True),
    Column("FROM", phrase="from {}"),
    Column("FILE", least=20),
)
_STYLES = {"built-in": "dim", "missing": "bold red"}


def slots_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """A row a slot; those of a person's own stand out."""
    rows = [
        [
            Cell(one["slot"]),
            Cell(one["origin"], _STYLES.get(one["origin"], "")),
            Cell(one["file"] or "-"),
        ]
        for one in document["slots"]
    ]
    return table(_SLOTS, rows, width)


def check_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Each mistake with its place and a way out, and how many there are."""
    problems = document["problems"]
    if not problems:
        packs = ", ".join(document["packs"])
        return flagged("ok", f"every slot is in order: {packs}", width)
    lines = [line for one in problems for line in _problem(one, width)]
    return [*lines, Text(many(len(problems), "problem"))]


def _problem(problem: dict[str, Any], width: int | None) -> Iterator[Text]:
    place = problem["file"] if problem["line"] is None else f"{problem['file']}:{problem['line']}"
    yield from paragraph(f"{place}: error: {problem['message']}", width, style=BAD)
    if problem["hint"]:
        yield from paragraph(f"try: {problem['hint']}", width, indent=2)
