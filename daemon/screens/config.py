"""`config check` and `config show`."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from memgardend.daemon.screens.table import Cell, Column, table
from memgardend.daemon.screens.text import many, paragraph
from memgardend.daemon.screens.words import flagged

_SETTINGS = (
    Column("SETTING", head=True),
    Column("VALUE", least=20),
    Column("FROM", phrase="from {}"),
)


def check_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Each mistake with the line it stands in and a caret under it; then the doubts."""
    name = PurePath(document["file"]).name
    lines: list[Text] = []
    for problem in document["problems"]:
        lines += _problem(name, problem, width)
    lines += [line for one in document["warnings"] for line in flagged("warning", one, width)]
    count = len(document["problems"])
    if not count:
        return [*lines, *flagged("ok", f"{document['file']} is valid", width)]
    return [*lines, Text(many(count, "problem"))]


def _problem(name: str, problem: dict[str, Any], width: int | None) -> list[Text]:
    place = f"{name}:{problem['line']}:{problem['column']}: "
    lines = paragraph(f"{place}error: {problem['message']}", width)
    lines[0].stylize("bold", 0, len(place))
    lines[0].stylize("bold red", len(place), len(f"{place}error:"))
    gutter = f"{problem['line']:>4} │ "
    source = problem["text"].replace("\t", " ")
    before = cell_len(source[: problem["column"] - 1])
    lines.append(Text(gutter, "dim").append(_visible(source), "not dim"))
    lines.append(Text(" " * (len(gutter) + before)).append("^", "bold red"))
    if problem["hint"]:
        lines += paragraph(problem["hint"], width, indent=len(gutter))
    return lines


def _visible(text: str) -> str:
    """The line with its columns kept: what cannot be seen becomes a question mark."""
    return "".join(char if char.isprintable() else "?" for char in text)


def explain_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Each setting with its default and what it means."""
    lines: list[Text] = []
    for one in document["settings"]:
        default = json.dumps(one["default"], ensure_ascii=False)
        heading = Text(one["key"], "bold")
        if not isinstance(one["default"], dict):
            said = "required" if one["required"] else f"default {default}"
            heading.append(f"  {said}", "not bold dim")
        lines += [heading, *paragraph(one["doc"], width, indent=2, first="  "), Text("")]
    return lines[:-1]


def settings_lines(document: dict[str, Any], width: int | None) -> list[Text]:
    """Every setting in force."""
    rows = [
        [
            Cell(one["key"]),
            Cell(json.dumps(one["value"], ensure_ascii=False)),
            Cell(one["origin"], "dim" if one["origin"] == "default" else ""),
        ]
        for one in document["settings"]
    ]
    return table(_SETTINGS, rows, width)
